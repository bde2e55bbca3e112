-- Items and what was done with them, notes that evolve beyond their text, and what recommenders keep to.
--
-- A message about an item has a row in `interaction`, whether it says what the item is or what a user
-- did with it. `upheavals` rises when something of a scope that was written before changed or went,
-- but not when a revision is added: what is kept in memory of a recommender stands as long as it does.
-- `message.exchange_due` is 2 for what is about an item: it is in no exchange.

DROP VIEW spoken;
DROP VIEW remembered;
DROP VIEW said;

DROP TABLE interaction;
DROP TABLE item;

CREATE TABLE item (
    scope INTEGER NOT NULL,
    number INTEGER NOT NULL,
    name ANY NOT NULL,
    PRIMARY KEY (scope, number),
    UNIQUE (scope, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE interaction (
    scope INTEGER NOT NULL,
    position INTEGER NOT NULL,              -- of the message
    item INTEGER,
    action ANY,
    rating REAL,
    PRIMARY KEY (scope, position),
    FOREIGN KEY (scope, position) REFERENCES message,
    FOREIGN KEY (scope, item) REFERENCES item
) STRICT, WITHOUT ROWID;

CREATE INDEX interaction_of_item ON interaction (scope, item, action, position);
CREATE INDEX message_pending ON message (scope, said_at, position)
    WHERE withdrawn_by IS NULL AND progress = 'pending';
CREATE INDEX link_made ON link (scope, operation, source, target);

CREATE TABLE configuration (
    scope INTEGER NOT NULL PRIMARY KEY,
    text TEXT NOT NULL                      -- JSON
) STRICT, WITHOUT ROWID;

ALTER TABLE scope ADD COLUMN upheavals INTEGER NOT NULL DEFAULT 0;

ALTER TABLE revision ADD COLUMN keywords TEXT NOT NULL DEFAULT '[]';    -- JSON list
ALTER TABLE revision ADD COLUMN tags TEXT NOT NULL DEFAULT '[]';        -- JSON list
ALTER TABLE revision ADD COLUMN context ANY NOT NULL DEFAULT '';
ALTER TABLE revision ADD COLUMN sureness REAL;
ALTER TABLE revision ADD COLUMN narrower INTEGER NOT NULL DEFAULT 0;

-- Messages as they are read, with the names in place of the numbers.
CREATE VIEW spoken AS
SELECT m.scope, m.position, m.id, s.name AS session, m.role, p.name AS speaker, m.text, m.said_at,
    m.said_offset, m.recorded_at, m.key, m.metadata, m.progress, m.consolidated, m.withdrawn_by,
    m.reopened, m.author, o.id AS operation, t.name AS item, i.action, i.rating
FROM message m
JOIN session s ON s.scope = m.scope AND s.number = m.session
JOIN participant p ON p.scope = m.scope AND p.number = m.speaker
LEFT JOIN operation o ON o.scope = m.scope AND o.number = m.operation
LEFT JOIN interaction i ON i.scope = m.scope AND i.position = m.position
LEFT JOIN item t ON t.scope = i.scope AND t.number = i.item;

-- Notes as they are read, each as its latest revision says.
CREATE VIEW remembered AS
SELECT n.scope, n.number, n.id, n.kind, n.event, n.said_at, n.withdrawn_by, n.latest, m.id AS heard,
    o.id AS operation, r.role, r.about, r.said_by, r.certainty, r.supported, r.indexed, r.by_person,
    r.began_at, r.valid_at, r.invalid_at, r.known_at, r.recorded_at, r.offset_minutes, r.text,
    h.id AS superseded_by, r.keywords, r.tags, r.context, r.sureness, r.narrower, t.name AS item
FROM note n
JOIN revision r ON r.scope = n.scope AND r.note = n.number AND r.number = n.latest
JOIN operation o ON o.scope = r.scope AND o.number = r.operation
LEFT JOIN message m ON m.scope = n.scope AND m.position = n.event
LEFT JOIN note h ON h.scope = r.scope AND h.number = r.superseded_by
LEFT JOIN interaction i ON i.scope = n.scope AND i.position = n.event
LEFT JOIN item t ON t.scope = i.scope AND t.number = i.item;

-- The same with each revision, whatever counts.
CREATE VIEW said AS
SELECT n.scope, n.number, n.id, n.kind, n.event, r.said_at, r.withdrawn_by, r.number AS latest,
    m.id AS heard, o.id AS operation, r.role, r.about, r.said_by, r.certainty, r.supported,
    r.indexed, r.by_person, r.began_at, r.valid_at, r.invalid_at, r.known_at, r.recorded_at,
    r.offset_minutes, r.text, h.id AS superseded_by, r.keywords, r.tags, r.context, r.sureness,
    r.narrower, t.name AS item, r.operation AS made_by, r.ordinal
FROM note n
JOIN revision r ON r.scope = n.scope AND r.note = n.number
JOIN operation o ON o.scope = r.scope AND o.number = r.operation
LEFT JOIN message m ON m.scope = n.scope AND m.position = n.event
LEFT JOIN note h ON h.scope = r.scope AND h.number = r.superseded_by
LEFT JOIN interaction i ON i.scope = n.scope AND i.position = n.event
LEFT JOIN item t ON t.scope = i.scope AND t.number = i.item;

-- What the planner is to take for true of the new tables and indexes.
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('item', 'item', '100000 1000 1'),
    ('item', 'sqlite_autoindex_item_2', '100000 1000 1'),
    ('interaction', 'interaction', '1000000 10000 1'),
    ('interaction', 'interaction_of_item', '1000000 10000 10 5 1'),
    ('message', 'message_pending', '10000 100 1 1'),
    ('link', 'link_made', '100000 1000 2 1 1');
ANALYZE sqlite_schema;
