-- What an operation puts out of force, two time axes on every row, authors, and grants.
--
-- `gone_at` says from which moment of knowledge on something is hidden: NULL for what is live, the
-- least integer for what is hidden at every moment. `withdrawn_by` is the operation that hid it, and
-- NULL just where it is live now. Both are worked out from `gone` and kept beside each row, so that
-- reads need not ask. Documents stay when what they show is hidden or says something else by now:
-- `hidden` is 0 for what is found now, and what is found at a moment follows from what it shows.

CREATE TABLE gone (
    scope INTEGER NOT NULL,
    operation INTEGER NOT NULL,             -- which says so
    ordinal INTEGER NOT NULL,
    what INTEGER NOT NULL,                  -- index into the kinds of matter
    subject INTEGER NOT NULL,               -- position of a message, number of a note or operation
    revision INTEGER NOT NULL,              -- 0 unless a revision is meant
    always INTEGER NOT NULL,
    PRIMARY KEY (scope, operation, ordinal),
    FOREIGN KEY (scope, operation) REFERENCES operation
) STRICT, WITHOUT ROWID;

CREATE INDEX gone_subject ON gone (scope, what, subject, revision);

DROP VIEW spoken;
DROP VIEW remembered;

ALTER TABLE operation ADD COLUMN undone_by INTEGER;

ALTER TABLE message ADD COLUMN author ANY;
ALTER TABLE message ADD COLUMN operation INTEGER;   -- which added it
ALTER TABLE message ADD COLUMN gone_at INTEGER;
ALTER TABLE message ADD COLUMN reopened INTEGER NOT NULL DEFAULT 0;
-- `consolidated` and `reopened` are the operations that did so last; 0 for none. Which one it was of
-- those until now is told by what they wrote; if they wrote nothing, any will do.
UPDATE message SET consolidated = coalesce((
    SELECT max(s.operation) FROM source s
    JOIN operation o ON o.scope = s.scope AND o.number = s.operation AND o.kind = 'consolidate'
    WHERE s.scope = message.scope AND s.message = message.position
), (
    SELECT max(number) FROM operation WHERE scope = message.scope AND kind = 'consolidate'
), 1)
WHERE consolidated = 1;
CREATE INDEX message_consolidated ON message (scope, consolidated) WHERE consolidated > 0;

CREATE INDEX message_added ON message (scope, operation) WHERE operation IS NOT NULL;
CREATE INDEX message_gone ON message (scope, session, said_at, position)
    WHERE withdrawn_by IS NOT NULL;
DROP INDEX message_buffered;
CREATE INDEX message_buffered ON message (scope, session, said_at, position)
    WHERE withdrawn_by IS NULL AND progress IN ('bound', 'unextracted') AND consolidated <= reopened;

ALTER TABLE note ADD COLUMN last INTEGER NOT NULL DEFAULT 1;    -- the number of its last revision
ALTER TABLE note ADD COLUMN gone_at INTEGER;                    -- by what hides all of the note
-- `latest` is the last revision that counts: what the note says; 0 if none does.
UPDATE note SET last = latest;

-- Of hidden notes too: what was known at some moment may be hidden now.
DROP INDEX note_of_event;
CREATE INDEX note_of_event ON note (scope, event, kind, number) WHERE event IS NOT NULL;

ALTER TABLE revision ADD COLUMN ordinal INTEGER NOT NULL DEFAULT 0; -- among those of its operation
ALTER TABLE revision ADD COLUMN superseded_by INTEGER;          -- the number of a note
ALTER TABLE revision ADD COLUMN withdrawn_by INTEGER;
ALTER TABLE revision ADD COLUMN gone_at INTEGER;
ALTER TABLE revision ADD COLUMN document INTEGER;               -- which shows it, if one does
CREATE INDEX revision_of_operation ON revision (scope, operation, ordinal, note, number);

ALTER TABLE document ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;    -- the first that it shows
CREATE INDEX document_previous ON document (scope, previous) WHERE previous IS NOT NULL;

-- What was withdrawn counts as deleted by the operation that did so.
INSERT INTO gone (scope, operation, ordinal, what, subject, revision, always)
SELECT scope, withdrawn_by, row_number() OVER (
    PARTITION BY scope, withdrawn_by ORDER BY what, subject
), what, subject, 0, 0
FROM (
    SELECT scope, withdrawn_by, 0 AS what, position AS subject FROM message
    WHERE withdrawn_by IS NOT NULL
    UNION ALL
    SELECT scope, withdrawn_by, 1, number FROM note WHERE withdrawn_by IS NOT NULL
);
UPDATE message SET gone_at = (
    SELECT known_at FROM operation WHERE scope = message.scope AND number = message.withdrawn_by
)
WHERE withdrawn_by IS NOT NULL;
UPDATE note SET gone_at = (
    SELECT known_at FROM operation WHERE scope = note.scope AND number = note.withdrawn_by
)
WHERE withdrawn_by IS NOT NULL;

UPDATE revision SET document = (
    SELECT d.id FROM document d JOIN note n ON n.scope = d.scope AND n.number = d.subject
    WHERE d.scope = revision.scope AND d.view = 2 AND d.subject = revision.note
        AND n.latest = revision.number
);
UPDATE document SET revision = (
    SELECT latest FROM note WHERE scope = document.scope AND number = document.subject
)
WHERE view = 2;

-- The same link may be made by several operations, of which some are undone.
CREATE TABLE tie (
    scope INTEGER NOT NULL,
    source INTEGER NOT NULL,
    target INTEGER NOT NULL,
    relation ANY NOT NULL,
    operation INTEGER NOT NULL,
    PRIMARY KEY (scope, source, target, relation, operation),
    FOREIGN KEY (scope, source) REFERENCES note,
    FOREIGN KEY (scope, target) REFERENCES note
) STRICT, WITHOUT ROWID;
INSERT INTO tie SELECT scope, source, target, relation, operation FROM link;
DROP TABLE link;
ALTER TABLE tie RENAME TO link;
CREATE INDEX link_target ON link (scope, target);

-- Messages as they are read, with the names in place of the numbers.
CREATE VIEW spoken AS
SELECT m.scope, m.position, m.id, s.name AS session, m.role, p.name AS speaker, m.text, m.said_at,
    m.said_offset, m.recorded_at, m.key, m.metadata, m.progress, m.consolidated, m.withdrawn_by,
    m.reopened, m.author, o.id AS operation
FROM message m
JOIN session s ON s.scope = m.scope AND s.number = m.session
JOIN participant p ON p.scope = m.scope AND p.number = m.speaker
LEFT JOIN operation o ON o.scope = m.scope AND o.number = m.operation;

-- Notes as they are read, each as its latest revision says.
CREATE VIEW remembered AS
SELECT n.scope, n.number, n.id, n.kind, n.event, n.said_at, n.withdrawn_by, n.latest, m.id AS heard,
    o.id AS operation, r.role, r.about, r.said_by, r.certainty, r.supported, r.indexed, r.by_person,
    r.began_at, r.valid_at, r.invalid_at, r.known_at, r.recorded_at, r.offset_minutes, r.text,
    h.id AS superseded_by
FROM note n
JOIN revision r ON r.scope = n.scope AND r.note = n.number AND r.number = n.latest
JOIN operation o ON o.scope = r.scope AND o.number = r.operation
LEFT JOIN message m ON m.scope = n.scope AND m.position = n.event
LEFT JOIN note h ON h.scope = r.scope AND h.number = r.superseded_by;

-- The same with each revision, whatever counts.
CREATE VIEW said AS
SELECT n.scope, n.number, n.id, n.kind, n.event, r.said_at, r.withdrawn_by, r.number AS latest,
    m.id AS heard, o.id AS operation, r.role, r.about, r.said_by, r.certainty, r.supported,
    r.indexed, r.by_person, r.began_at, r.valid_at, r.invalid_at, r.known_at, r.recorded_at,
    r.offset_minutes, r.text, h.id AS superseded_by, r.operation AS made_by, r.ordinal
FROM note n
JOIN revision r ON r.scope = n.scope AND r.note = n.number
JOIN operation o ON o.scope = r.scope AND o.number = r.operation
LEFT JOIN message m ON m.scope = n.scope AND m.position = n.event
LEFT JOIN note h ON h.scope = r.scope AND h.number = r.superseded_by;

-- Operations as they are read.
CREATE VIEW logged AS
SELECT o.scope, o.number, o.id, o.kind, o.strategy, o.model, o.prompt_digest, o.cause, o.known_at,
    o.recorded_at, u.id AS undone_by
FROM operation o
LEFT JOIN operation u ON u.scope = o.scope AND u.number = o.undone_by;

-- Links as they are read: those that operations in force have made.
CREATE VIEW linked AS
SELECT l.scope, l.source, l.target, l.relation FROM link l
JOIN operation o ON o.scope = l.scope AND o.number = l.operation
WHERE o.undone_by IS NULL;

ALTER TABLE erased ADD COLUMN purged INTEGER NOT NULL DEFAULT 0;

DROP TABLE "grant";
CREATE TABLE "grant" (
    scope INTEGER NOT NULL,
    principal ANY NOT NULL,                 -- such as user:alice
    may_read INTEGER NOT NULL,
    may_write INTEGER NOT NULL,
    given_at INTEGER NOT NULL,
    PRIMARY KEY (scope, principal)
) STRICT, WITHOUT ROWID;

-- What the planner is to take for true of the new indexes, and of those made anew.
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('gone', 'gone', '100000 1000 10 1'),
    ('gone', 'gone_subject', '100000 1000 300 1 1'),
    ('message', 'message_added', '100000 1000 100'),
    ('message', 'message_consolidated', '1000000 10000 20'),
    ('message', 'message_gone', '10000 100 10 1 1'),
    ('message', 'message_buffered', '10000 100 10 1 1'),
    ('note', 'note_of_event', '1000000 10000 2 1 1'),
    ('revision', 'revision_of_operation', '1000000 10000 10 1 1 1'),
    ('document', 'document_previous', '1000000 10000 1'),
    ('link', 'link', '100000 1000 2 1 1 1'),
    ('link', 'link_target', '100000 1000 2');
ANALYZE sqlite_schema;
