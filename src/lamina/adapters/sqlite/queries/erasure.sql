-- owned: the tables whose rows belong to scopes, those that name others before those that are named
SELECT name FROM (
    WITH RECURSIVE named (name, depth) AS (
        SELECT m.name, 0 FROM sqlite_master m JOIN pragma_table_info(m.name) c ON c.name = 'scope'
        WHERE m.type = 'table'
        UNION
        SELECT f."table", named.depth + 1 FROM named JOIN pragma_foreign_key_list(named.name) f
    )
    SELECT name, max(depth) AS depth FROM named GROUP BY name
)
ORDER BY depth, name;

-- held: how much a scope holds, withdrawn or not
SELECT (SELECT count(*) FROM message WHERE scope = ?1), (SELECT count(*) FROM note WHERE scope = ?1),
    (SELECT count(*) FROM document WHERE scope = ?1);

-- keep_costs: put what a scope's model calls took down to nobody
INSERT INTO call (scope, number, operation, role, model, input_tokens, output_tokens, cost_usd,
    seconds, outcome, recorded_at)
SELECT 0, (SELECT coalesce(max(number), 0) FROM call WHERE scope = 0) + number, '', role, model,
    input_tokens, output_tokens, cost_usd, seconds, outcome, recorded_at
FROM call WHERE scope = ?;

-- remember_erasure: raise a scope's epoch; its bytes are still to be purged
INSERT INTO erased (name, epoch, fence, erased_at, purged) VALUES (?, ?, ?, ?, 0)
ON CONFLICT (name) DO UPDATE SET epoch = excluded.epoch, fence = excluded.fence,
    erased_at = excluded.erased_at, purged = 0;

-- remove_scope: the scope itself
DELETE FROM scope WHERE key = ?;

-- purged: that they are not, unless there was another erasure since
UPDATE erased SET purged = 1 WHERE name = ? AND epoch = ?;

-- shared: the spaces, recommenders and pools of a tenant with messages of an author, the conversations with those of a speaker
SELECT tenant, kind, id FROM scope c
WHERE tenant = ?1 AND (
    c.kind IN ('space', 'recommender', 'pool')
    AND EXISTS (SELECT 1 FROM message WHERE scope = c.key AND author = ?2)
    OR c.kind = 'conversation' AND EXISTS (
        SELECT 1 FROM participant p JOIN message m ON m.scope = p.scope AND m.speaker = p.number
        WHERE p.scope = c.key AND p.name = ?3
    )
)
ORDER BY key;

-- authored: the messages of an author
SELECT position FROM message WHERE scope = ? AND author = ?;

-- spoken_by: the messages of a speaker
SELECT position FROM message
WHERE scope = ?1 AND speaker = (SELECT number FROM participant WHERE scope = ?1 AND name = ?2);

-- resting: the notes that rest or ever rested on some messages
SELECT s.note FROM json_each(?2) AS wanted
JOIN source s ON s.scope = ?1 AND s.message = wanted.value
UNION
SELECT n.number FROM json_each(?2) AS wanted
JOIN note n ON n.scope = ?1 AND n.event = wanted.value;

-- formed: the notes of which some revision was formed from some notes, and says other words for it
SELECT p.note FROM json_each(?2) AS wanted
JOIN parent p ON p.scope = ?1 AND p.parent = wanted.value
JOIN revision r ON r.scope = p.scope AND r.note = p.note AND r.number = p.revision
LEFT JOIN revision b ON b.scope = r.scope AND b.note = r.note AND b.number = r.number - 1
WHERE b.text IS NULL OR b.text != r.text;

-- shown_words: the documents that show some messages, as their own or the one before
SELECT d.id FROM json_each(?2) AS wanted
JOIN document d ON d.scope = ?1 AND d.view IN (0, 1) AND d.subject = wanted.value
UNION
SELECT id FROM document
WHERE scope = ?1 AND view = 1 AND previous IN (SELECT value FROM json_each(?2));

-- shown_notes: the documents of some notes that show no revision any more
SELECT d.id FROM json_each(?2) AS wanted
JOIN document d ON d.scope = ?1 AND d.view = 2 AND d.subject = wanted.value
WHERE NOT EXISTS (
    SELECT 1 FROM revision WHERE scope = ?1 AND note = d.subject AND document = d.id
);

-- erase_postings: the postings of some documents, whatever these say of them, in one pass
DELETE FROM posting WHERE scope = ?1 AND document IN (SELECT value FROM json_each(?2));

-- erase_vectors: their vectors, in every space
DELETE FROM vector WHERE scope = ?1 AND document IN (SELECT value FROM json_each(?2));

-- erase_documents: some documents
DELETE FROM document WHERE scope = ?1 AND id IN (SELECT value FROM json_each(?2));

-- followers: the messages whose exchanges show some messages before their own
SELECT subject FROM document
WHERE scope = ?1 AND view = 1 AND previous IN (SELECT value FROM json_each(?2));

-- unmark_twins: no longer withdrawn is what said the same as some notes, which took up what it said
DELETE FROM gone
WHERE scope = ?1 AND what = 1 AND (operation, subject) IN (
    SELECT r.operation, p.parent FROM json_each(?2) AS wanted
    JOIN revision r ON r.scope = ?1 AND r.note = wanted.value ->> 0
        AND r.number BETWEEN wanted.value ->> 1 AND wanted.value ->> 2
    JOIN parent p ON p.scope = r.scope AND p.note = r.note AND p.revision = r.number
)
RETURNING subject;

-- unmark_messages: marks on some messages
DELETE FROM gone WHERE scope = ?1 AND what IN (0, 4) AND subject IN (SELECT value FROM json_each(?2));

-- unmark_notes: marks on some notes
DELETE FROM gone WHERE scope = ?1 AND what = 1 AND subject IN (SELECT value FROM json_each(?2));

-- unmark_revisions: marks on some revisions
DELETE FROM gone
WHERE scope = ?1 AND what = 2 AND (subject, revision) IN (
    SELECT r.note, r.number FROM json_each(?2) AS wanted
    JOIN revision r ON r.scope = ?1 AND r.note = wanted.value ->> 0
        AND r.number BETWEEN wanted.value ->> 1 AND wanted.value ->> 2
);

-- reopen: back in the buffer is what was consolidated by an operation that wrote some notes
UPDATE message SET consolidated = 0
WHERE scope = ?1 AND consolidated IN (
    SELECT r.operation FROM json_each(?2) AS wanted
    JOIN revision r ON r.scope = ?1 AND r.note = wanted.value ->> 0
        AND r.number BETWEEN wanted.value ->> 1 AND wanted.value ->> 2
);

-- restore_places: revisions that some notes took the place of are as those before them
UPDATE revision AS r SET superseded_by = NULL, invalid_at = (
    SELECT invalid_at FROM revision
    WHERE scope = r.scope AND note = r.note AND number < r.number AND (
        superseded_by IS NULL OR superseded_by NOT IN (SELECT value FROM json_each(?2))
    )
    ORDER BY number DESC LIMIT 1
)
WHERE scope = ?1 AND superseded_by IN (SELECT value FROM json_each(?2));

-- erase_links: the links from and to some notes
DELETE FROM link WHERE scope = ?1 AND (
    source IN (SELECT value FROM json_each(?2)) OR target IN (SELECT value FROM json_each(?2))
);

-- erase_formed: what was formed from some notes no longer names them
DELETE FROM parent WHERE scope = ?1 AND parent IN (SELECT value FROM json_each(?2));

-- erase_parents: what some revisions were formed from
DELETE FROM parent
WHERE scope = ?1 AND (note, revision) IN (
    SELECT r.note, r.number FROM json_each(?2) AS wanted
    JOIN revision r ON r.scope = ?1 AND r.note = wanted.value ->> 0
        AND r.number BETWEEN wanted.value ->> 1 AND wanted.value ->> 2
);

-- erase_sources: what some revisions rest on
DELETE FROM source
WHERE scope = ?1 AND (note, revision) IN (
    SELECT r.note, r.number FROM json_each(?2) AS wanted
    JOIN revision r ON r.scope = ?1 AND r.note = wanted.value ->> 0
        AND r.number BETWEEN wanted.value ->> 1 AND wanted.value ->> 2
);

-- erase_revisions: some revisions
DELETE FROM revision
WHERE scope = ?1 AND (note, number) IN (
    SELECT r.note, r.number FROM json_each(?2) AS wanted
    JOIN revision r ON r.scope = ?1 AND r.note = wanted.value ->> 0
        AND r.number BETWEEN wanted.value ->> 1 AND wanted.value ->> 2
);

-- erase_ties: the links that notes got by some of their revisions
DELETE FROM link
WHERE scope = ?1 AND (source, operation) IN (
    SELECT r.note, r.operation FROM json_each(?2) AS wanted
    JOIN revision r ON r.scope = ?1 AND r.note = wanted.value ->> 0
        AND r.number BETWEEN wanted.value ->> 1 AND wanted.value ->> 2
);

-- erase_ties_beside: the links that were made with some notes
DELETE FROM link
WHERE scope = ?1 AND operation IN (
    SELECT r.operation FROM json_each(?2) AS wanted
    JOIN revision r ON r.scope = ?1 AND r.note = wanted.value AND r.number = 1
);

-- show_first: the documents of some notes tell the first revision that is left of those they show
UPDATE document SET revision = (
    SELECT min(number) FROM revision
    WHERE scope = document.scope AND note = document.subject AND document = document.id
)
WHERE scope = ?1 AND view = 2 AND subject IN (SELECT value FROM json_each(?2));

-- erase_ties_by: the links that were made when some messages were taken in
DELETE FROM link
WHERE scope = ?1 AND operation IN (
    SELECT r.operation FROM json_each(?2) AS wanted
    JOIN source s ON s.scope = ?1 AND s.message = wanted.value
    JOIN revision r ON r.scope = s.scope AND r.note = s.note AND r.number = s.revision
);

-- erase_ties_since: the links from and to some notes that were made with their revisions or after
DELETE FROM link
WHERE scope = ?1 AND (source, target, relation, operation) IN (
    SELECT l.source, l.target, l.relation, l.operation FROM json_each(?2) AS wanted
    JOIN revision r ON r.scope = ?1 AND r.note = wanted.value ->> 0
        AND r.number = wanted.value ->> 1
    JOIN link l ON l.scope = r.scope AND l.source = r.note AND l.operation >= r.operation
    UNION ALL
    SELECT l.source, l.target, l.relation, l.operation FROM json_each(?2) AS wanted
    JOIN revision r ON r.scope = ?1 AND r.note = wanted.value ->> 0
        AND r.number = wanted.value ->> 1
    JOIN link l ON l.scope = r.scope AND l.target = r.note AND l.operation >= r.operation
);

-- cut_back: the last revision of some notes is the last that is left
UPDATE note SET last = (
    SELECT max(number) FROM revision WHERE scope = note.scope AND note = note.number
)
WHERE scope = ?1 AND number IN (SELECT value FROM json_each(?2));

-- erase_notes: some notes
DELETE FROM note WHERE scope = ?1 AND number IN (SELECT value FROM json_each(?2));

-- erase_interactions: what some messages are about
DELETE FROM interaction WHERE scope = ?1 AND position IN (SELECT value FROM json_each(?2));

-- erase_messages: some messages
DELETE FROM message WHERE scope = ?1 AND position IN (SELECT value FROM json_each(?2));

-- empty_operations: the operations that nothing is left of
SELECT o.number FROM operation o
WHERE o.scope = ?1 AND o.kind != 'erasure'
    AND NOT EXISTS (SELECT 1 FROM revision WHERE scope = ?1 AND operation = o.number)
    AND NOT EXISTS (SELECT 1 FROM message WHERE scope = ?1 AND operation = o.number)
    AND NOT EXISTS (SELECT 1 FROM gone WHERE scope = ?1 AND operation = o.number)
    AND o.number NOT IN (SELECT operation FROM link WHERE scope = ?1)
    AND o.number NOT IN (SELECT operation FROM source WHERE scope = ?1)
    AND o.number NOT IN (SELECT consolidated FROM message WHERE scope = ?1);

-- unmark_operations: that some operations are undone
DELETE FROM gone WHERE scope = ?1 AND what = 3 AND subject IN (SELECT value FROM json_each(?2));

-- drop_causes: the work that some operations asked for
DELETE FROM job WHERE scope = ?1 AND kind = 'supersede' AND subject IN (
    SELECT id FROM operation
    WHERE scope = ?1 AND number IN (SELECT value FROM json_each(?2))
);

-- blank_costs: what the calls of some operations took is kept without their names
UPDATE call SET operation = '' WHERE scope = ?1 AND operation IN (
    SELECT id FROM operation
    WHERE scope = ?1 AND number IN (SELECT value FROM json_each(?2))
);

-- erase_operations: some operations
DELETE FROM operation WHERE scope = ?1 AND number IN (SELECT value FROM json_each(?2));

-- unused_sessions: the sessions without a message
SELECT number FROM session s WHERE scope = ?1
    AND NOT EXISTS (SELECT 1 FROM message WHERE scope = ?1 AND session = s.number);

-- unused_participants: the speakers without a message
SELECT number FROM participant WHERE scope = ?1
    AND number NOT IN (SELECT speaker FROM message WHERE scope = ?1);

-- unused_items: the items that no message is about
SELECT number FROM item t WHERE scope = ?1
    AND NOT EXISTS (SELECT 1 FROM interaction WHERE scope = ?1 AND item = t.number);

-- drop_work: the work on sessions that are no more
DELETE FROM job WHERE scope = ?1 AND kind IN ('index', 'bind', 'consolidate') AND subject IN (
    SELECT name FROM session WHERE scope = ?1 AND number IN (SELECT value FROM json_each(?2))
);

-- erase_sessions: the names of some sessions
DELETE FROM session WHERE scope = ?1 AND number IN (SELECT value FROM json_each(?2));

-- erase_participants: the names of some speakers
DELETE FROM participant WHERE scope = ?1 AND number IN (SELECT value FROM json_each(?2));

-- erase_items: the names of some items
DELETE FROM item WHERE scope = ?1 AND number IN (SELECT value FROM json_each(?2));

-- session_numbers: the numbers of the sessions that are left
SELECT number FROM session WHERE scope = ?1;

-- participant_numbers: the numbers of the speakers that are left
SELECT number FROM participant WHERE scope = ?1;

-- move_session: give a session another number
UPDATE session SET number = ?1 WHERE scope = ?2 AND number = ?3;

-- move_words: the messages of a session go with it
UPDATE message SET session = ?1 WHERE scope = ?2 AND session = ?3;

-- move_participant: give a speaker another number
UPDATE participant SET number = ?1 WHERE scope = ?2 AND number = ?3;

-- move_speech: the messages of a speaker go with them
UPDATE message SET speaker = ?1 WHERE scope = ?2 AND speaker = ?3;

-- item_numbers: the numbers of the items that are left
SELECT number FROM item WHERE scope = ?1;

-- move_item: give an item another number
UPDATE item SET number = ?1 WHERE scope = ?2 AND number = ?3;

-- move_deeds: what was done with an item goes with it
UPDATE interaction SET item = ?1 WHERE scope = ?2 AND item = ?3;

-- drop_replies: replies that may repeat what was asked
DELETE FROM reply WHERE scope = ?;

-- drop_lease: whoever does the scope's work does it for what is no more
DELETE FROM lease WHERE scope = ?;

-- silence: errors that may tell what was asked
UPDATE job SET error = NULL WHERE scope = ? AND error IS NOT NULL;

-- raise_epoch: no writer in flight brings anything back, no cache stands
UPDATE scope SET epoch = epoch + 1, changes = changes + 1, upheavals = upheavals + 1 WHERE key = ? RETURNING epoch;

-- log_erasure: that something was erased, and not what
INSERT INTO operation (scope, number, id, kind, cause, known_at, recorded_at)
SELECT ?1, coalesce(max(number), 0) + 1, ?2, 'erasure', '', ?3, ?3 FROM operation WHERE scope = ?1;

-- unname: what somebody did to what is left is in the log, but not who did it
UPDATE operation SET cause = '' WHERE scope = ? AND cause = ?;

-- first_telling: the first revision of each note that rests on some messages
SELECT note, min(number) FROM (
    SELECT s.note, s.revision AS number FROM json_each(?2) AS wanted
    JOIN source s ON s.scope = ?1 AND s.message = wanted.value
    UNION ALL
    SELECT n.number, 1 FROM json_each(?2) AS wanted
    JOIN note n ON n.scope = ?1 AND n.event = wanted.value
)
GROUP BY note;

-- taking_in: the revisions that take in some messages, and whether each says what was not said before
SELECT wanted.note, wanted.number, b.number IS NULL OR b.text != r.text OR b.context != r.context
    OR b.keywords != r.keywords OR b.tags != r.tags
FROM (
    SELECT s.note, s.revision AS number FROM json_each(?2) AS wanted
    JOIN source s ON s.scope = ?1 AND s.message = wanted.value
    UNION
    SELECT n.number, 1 FROM json_each(?2) AS wanted
    JOIN note n ON n.scope = ?1 AND n.event = wanted.value
) AS wanted
JOIN revision r ON r.scope = ?1 AND r.note = wanted.note AND r.number = wanted.number
LEFT JOIN revision b ON b.scope = r.scope AND b.note = r.note AND b.number = (
    SELECT max(number) FROM revision WHERE scope = r.scope AND note = r.note AND number < r.number
)
ORDER BY wanted.note, wanted.number;

-- wake_parts: the parts that some notes lose are to be taken in again
UPDATE message SET progress = 'pending'
WHERE scope = ?1 AND progress = 'bound' AND position IN (
    SELECT s.message FROM json_each(?2) AS wanted
    JOIN source s ON s.scope = ?1 AND s.note = wanted.value ->> 0
        AND s.revision BETWEEN wanted.value ->> 1 AND wanted.value ->> 2
);

-- telling_too: the first revision of each note that was formed from one by an operation after another
SELECT p.note, min(p.revision) FROM parent p
JOIN revision r ON r.scope = p.scope AND r.note = p.note AND r.number = p.revision
WHERE p.scope = ? AND p.parent = ? AND r.operation > ? GROUP BY p.note;

-- changed_beside: what an operation changed in notes that were there before
SELECT note, number FROM revision WHERE scope = ? AND operation = ? AND number > 1;

-- writer: the operation that wrote a revision
SELECT operation FROM revision WHERE scope = ? AND note = ? AND number = ?;

-- items_of: the items that some notes tell of for all
SELECT DISTINCT i.item FROM json_each(?2) AS wanted
JOIN note n ON n.scope = ?1 AND n.number = wanted.value AND n.kind = 4
JOIN interaction i ON i.scope = n.scope AND i.position = n.event AND i.item IS NOT NULL;

-- wake_events: what was done and some notes were written for is to be written again
UPDATE message SET progress = 'pending'
WHERE scope = ?1 AND progress = 'bound' AND position IN (
    SELECT n.event FROM json_each(?2) AS wanted
    JOIN note n ON n.scope = ?1 AND n.number = wanted.value
    JOIN interaction i ON i.scope = n.scope AND i.position = n.event
    WHERE i.item IS NOT NULL AND i.action IS NOT 'describe'
);

-- wake_items: and what was done first with each of some items that lack a note, unless something waits
UPDATE message SET progress = 'pending'
WHERE scope = ?1 AND position IN (
    SELECT (
        SELECT m.position FROM interaction i
        JOIN message m ON m.scope = i.scope AND m.position = i.position
        WHERE i.scope = ?1 AND i.item = wanted.value AND i.action IS NOT 'describe'
            AND m.withdrawn_by IS NULL AND m.progress = 'bound'
        ORDER BY m.said_at, m.position LIMIT 1
    )
    FROM json_each(?2) AS wanted
    WHERE NOT EXISTS (
        SELECT 1 FROM interaction i
        JOIN note n ON n.scope = i.scope AND n.event = i.position AND n.kind = 4
        WHERE i.scope = ?1 AND i.item = wanted.value
    ) AND NOT EXISTS (
        SELECT 1 FROM interaction i
        JOIN message m ON m.scope = i.scope AND m.position = i.position
        WHERE i.scope = ?1 AND i.item = wanted.value AND i.action IS NOT 'describe'
            AND m.withdrawn_by IS NULL AND m.progress = 'pending'
    )
);
