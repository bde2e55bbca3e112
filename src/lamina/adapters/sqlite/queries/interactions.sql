-- item: an item by its id
SELECT number FROM item WHERE scope = ? AND name = ?;

-- add_item: a new item
INSERT INTO item (scope, number, name)
SELECT ?1, coalesce(max(number), 0) + 1, ?2 FROM item WHERE scope = ?1
RETURNING number;

-- add_interaction: which item a message is about, and what was done with it
INSERT INTO interaction (scope, position, item, action, rating) VALUES (?, ?, ?, ?, ?);

-- waiting: live interactions that wait to be written, oldest first
SELECT * FROM spoken
WHERE scope = :scope AND withdrawn_by IS NULL AND progress = 'pending'
    AND typeof(item) != 'null' AND action IS NOT 'describe'
ORDER BY said_at, position LIMIT :limit;

-- waiting_as_recorded: the same as recorded, in a pool, which has no descriptions
SELECT * FROM spoken
WHERE scope = :scope AND action IS NOT 'describe' AND position IN (
    SELECT position FROM message INDEXED BY message_waiting
    WHERE scope = :scope AND withdrawn_by IS NULL AND progress IN ('pending', 'unextracted')
        AND progress = 'pending' AND exchange_due = 2
    ORDER BY position LIMIT :limit
)
ORDER BY position;

-- unformed: how many live interactions have no notes yet
SELECT count(*) FROM message INDEXED BY message_waiting
WHERE scope = ? AND withdrawn_by IS NULL AND progress IN ('pending', 'unextracted')
    AND exchange_due = 2;

-- described: the live descriptions of some items, those said last at the end
SELECT * FROM spoken
WHERE scope = :scope AND withdrawn_by IS NULL AND position IN (
    SELECT i.position FROM json_each(:items) AS wanted
    JOIN interaction i ON i.scope = :scope AND i.item = wanted.value AND i.action = 'describe'
)
ORDER BY said_at, position;

-- configure: what a recommender is to keep to, in place of what it was
INSERT OR REPLACE INTO configuration (scope, text) VALUES (?, ?);

-- configuration: what a recommender is to keep to
SELECT text FROM configuration WHERE scope = ?;
