-- What an operation puts out of force, two time axes on every row, authors, and grants.
--
-- `gone_at` says from which `known_at` on something is hidden: NULL for what is live, the least
-- integer for what is hidden at every moment. It is worked out from `gone` and kept beside each row,
-- so that reads need not ask. A document is visible from `known_from` to `known_until`, half open;
-- `hidden` stays what plain search asks: 0 while `known_until` is the greatest integer.

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

ALTER TABLE operation ADD COLUMN undone_by INTEGER;

ALTER TABLE message ADD COLUMN author ANY;
ALTER TABLE message ADD COLUMN operation INTEGER;   -- which added it
ALTER TABLE message ADD COLUMN gone_at INTEGER;
ALTER TABLE message ADD COLUMN reopened INTEGER NOT NULL DEFAULT 0;
-- `consolidated` and `reopened` are the operations that did so last; 0 for none.

CREATE INDEX message_added ON message (scope, operation) WHERE operation IS NOT NULL;
DROP INDEX message_buffered;
CREATE INDEX message_buffered ON message (scope, session, said_at, position)
    WHERE withdrawn_by IS NULL AND progress IN ('bound', 'unextracted') AND consolidated <= reopened;

ALTER TABLE note ADD COLUMN last INTEGER NOT NULL DEFAULT 1;    -- the number of its last revision
ALTER TABLE note ADD COLUMN gone_at INTEGER;
-- `latest` is the last revision that counts: what the note says; 0 if none does.
UPDATE note SET last = latest;

ALTER TABLE revision ADD COLUMN superseded_by INTEGER;          -- the number of a note
ALTER TABLE revision ADD COLUMN gone_at INTEGER;
ALTER TABLE revision ADD COLUMN document INTEGER;               -- which shows it, if one does
CREATE INDEX revision_of_operation ON revision (scope, operation);

ALTER TABLE document ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;    -- the first that it shows
ALTER TABLE document ADD COLUMN known_from INTEGER NOT NULL DEFAULT -9223372036854775808;
ALTER TABLE document ADD COLUMN known_until INTEGER NOT NULL DEFAULT 9223372036854775807;

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
