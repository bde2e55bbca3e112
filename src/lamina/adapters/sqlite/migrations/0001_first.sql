-- The first schema, whole.
--
-- `scope` (a small integer) comes first in every key, so that what belongs to one scope lies together
-- and can be read, and erased, as one range. Callers' words are declared ANY: they are TEXT, or a BLOB
-- of their UTF-8 where a lone surrogate keeps them from being text. Times are microseconds since 1970 UTC.

CREATE TABLE meta (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE scope (
    key INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used again, so caches of an erased scope are stale
    tenant ANY NOT NULL,
    kind TEXT NOT NULL,
    id ANY NOT NULL,
    epoch INTEGER NOT NULL,                 -- how often it was erased
    fence INTEGER NOT NULL,                 -- of the latest lease; it only rises
    messages INTEGER NOT NULL DEFAULT 0,    -- the last position given to a message
    documents INTEGER NOT NULL DEFAULT 0,   -- the last id given to a document: the log of what was added
    changes INTEGER NOT NULL DEFAULT 0,     -- rises when a document is changed or goes: the log of the rest
    UNIQUE (tenant, kind, id)
) STRICT;

-- What is left of an erased scope: a digest of its name, so that a writer in flight is told.
CREATE TABLE erased (
    name TEXT NOT NULL PRIMARY KEY,
    epoch INTEGER NOT NULL,
    fence INTEGER NOT NULL,
    erased_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE session (
    scope INTEGER NOT NULL,
    number INTEGER NOT NULL,
    name ANY NOT NULL,
    closed_at INTEGER,
    PRIMARY KEY (scope, number),
    UNIQUE (scope, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE participant (
    scope INTEGER NOT NULL,
    number INTEGER NOT NULL,
    name ANY NOT NULL,
    PRIMARY KEY (scope, number),
    UNIQUE (scope, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE message (
    scope INTEGER NOT NULL,
    position INTEGER NOT NULL,
    id TEXT NOT NULL,
    session INTEGER NOT NULL,
    speaker INTEGER NOT NULL,
    role TEXT NOT NULL,
    said_at INTEGER NOT NULL,
    said_offset INTEGER NOT NULL,           -- minutes east of UTC, as the speaker's clock showed
    recorded_at INTEGER NOT NULL,
    progress TEXT NOT NULL,
    consolidated INTEGER NOT NULL DEFAULT 0,
    withdrawn_by INTEGER,                   -- the operation that hid it
    exchange_due INTEGER NOT NULL DEFAULT 1,-- 0 while its exchange shows the message before it
    key ANY,
    text ANY NOT NULL,
    metadata TEXT NOT NULL,
    PRIMARY KEY (scope, position),
    UNIQUE (scope, id),
    FOREIGN KEY (scope, session) REFERENCES session,
    FOREIGN KEY (scope, speaker) REFERENCES participant
) STRICT, WITHOUT ROWID;

CREATE INDEX message_recorded ON message (scope, session, position);
CREATE INDEX message_said ON message (scope, said_at, position) WHERE withdrawn_by IS NULL;
CREATE INDEX message_of_session ON message (scope, session, said_at, position)
    WHERE withdrawn_by IS NULL;
CREATE INDEX message_waiting ON message (scope, session, said_at, position)
    WHERE withdrawn_by IS NULL AND progress IN ('pending', 'unextracted');
CREATE INDEX message_exchange_due ON message (scope, session, said_at, position)
    WHERE withdrawn_by IS NULL AND exchange_due = 1;
CREATE INDEX message_buffered ON message (scope, session, said_at, position)
    WHERE withdrawn_by IS NULL AND progress IN ('bound', 'unextracted') AND consolidated = 0;

-- Messages as they are read, with the names in place of the numbers.
CREATE VIEW spoken AS
SELECT m.scope, m.position, m.id, s.name AS session, m.role, p.name AS speaker, m.text, m.said_at,
    m.said_offset, m.recorded_at, m.key, m.metadata, m.progress, m.consolidated, m.withdrawn_by
FROM message m
JOIN session s ON s.scope = m.scope AND s.number = m.session
JOIN participant p ON p.scope = m.scope AND p.number = m.speaker;

CREATE TABLE operation (
    scope INTEGER NOT NULL,
    number INTEGER NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    strategy TEXT,
    model TEXT,
    prompt_digest TEXT,
    cause ANY NOT NULL,
    known_at INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL,
    PRIMARY KEY (scope, number),
    UNIQUE (scope, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE note (
    scope INTEGER NOT NULL,
    number INTEGER NOT NULL,
    id TEXT NOT NULL,
    kind INTEGER NOT NULL,                  -- index into NOTE_KINDS
    event INTEGER,                          -- the position of a message
    latest INTEGER NOT NULL,                -- the number of its latest revision
    said_at INTEGER NOT NULL,               -- of that revision
    withdrawn_by INTEGER,
    PRIMARY KEY (scope, number),
    UNIQUE (scope, id),
    FOREIGN KEY (scope, event) REFERENCES message
) STRICT, WITHOUT ROWID;

CREATE INDEX note_of_event ON note (scope, event, kind, number)
    WHERE event IS NOT NULL AND withdrawn_by IS NULL;
CREATE INDEX note_said ON note (scope, said_at, number) WHERE withdrawn_by IS NULL;

CREATE TABLE revision (
    scope INTEGER NOT NULL,
    note INTEGER NOT NULL,
    number INTEGER NOT NULL,
    operation INTEGER NOT NULL,
    role TEXT NOT NULL,
    about ANY,
    said_by ANY,
    certainty TEXT NOT NULL,
    supported INTEGER NOT NULL,
    indexed INTEGER NOT NULL,
    by_person INTEGER NOT NULL,
    began_at INTEGER NOT NULL,
    said_at INTEGER NOT NULL,
    valid_at INTEGER,
    invalid_at INTEGER,
    known_at INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL,
    offset_minutes INTEGER NOT NULL,
    text ANY NOT NULL,
    PRIMARY KEY (scope, note, number),
    FOREIGN KEY (scope, note) REFERENCES note,
    FOREIGN KEY (scope, operation) REFERENCES operation
) STRICT, WITHOUT ROWID;

-- Notes as they are read, each as its latest revision says.
CREATE VIEW remembered AS
SELECT n.scope, n.number, n.id, n.kind, n.event, n.said_at, n.withdrawn_by, n.latest, m.id AS heard,
    o.id AS operation, r.role, r.about, r.said_by, r.certainty, r.supported, r.indexed, r.by_person,
    r.began_at, r.valid_at, r.invalid_at, r.known_at, r.recorded_at, r.offset_minutes, r.text
FROM note n
JOIN revision r ON r.scope = n.scope AND r.note = n.number AND r.number = n.latest
JOIN operation o ON o.scope = r.scope AND o.number = r.operation
LEFT JOIN message m ON m.scope = n.scope AND m.position = n.event;

-- The messages that a revision rests on.
CREATE TABLE source (
    scope INTEGER NOT NULL,
    note INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    message INTEGER NOT NULL,
    operation INTEGER NOT NULL,             -- which may be a later one than the revision's
    PRIMARY KEY (scope, note, revision, message),
    FOREIGN KEY (scope, note, revision) REFERENCES revision,
    FOREIGN KEY (scope, message) REFERENCES message
) STRICT, WITHOUT ROWID;

CREATE INDEX source_message ON source (scope, message);

-- The notes that a revision was formed from.
CREATE TABLE parent (
    scope INTEGER NOT NULL,
    note INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    parent INTEGER NOT NULL,
    PRIMARY KEY (scope, note, revision, ordinal),
    FOREIGN KEY (scope, note, revision) REFERENCES revision,
    FOREIGN KEY (scope, parent) REFERENCES note
) STRICT, WITHOUT ROWID;

CREATE INDEX parent_of ON parent (scope, parent);

CREATE TABLE link (
    scope INTEGER NOT NULL,
    source INTEGER NOT NULL,
    target INTEGER NOT NULL,
    relation ANY NOT NULL,
    operation INTEGER NOT NULL,
    PRIMARY KEY (scope, source, target, relation),
    FOREIGN KEY (scope, source) REFERENCES note,
    FOREIGN KEY (scope, target) REFERENCES note
) STRICT, WITHOUT ROWID;

CREATE INDEX link_target ON link (scope, target);

CREATE TABLE document (
    scope INTEGER NOT NULL,
    id INTEGER NOT NULL,
    view INTEGER NOT NULL,                  -- index into VIEWS
    subject INTEGER NOT NULL,               -- the position of a message, or the number of a note
    previous INTEGER,                       -- of an exchange: the message that it shows before its own
    hidden INTEGER NOT NULL DEFAULT 0,      -- its subject is withdrawn
    length INTEGER NOT NULL,                -- the sum of its counts
    refers_from INTEGER NOT NULL,
    refers_until INTEGER NOT NULL,
    terms TEXT NOT NULL,                    -- JSON, term to count: the postings that go when it goes
    PRIMARY KEY (scope, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX document_shows ON document (scope, view, subject, previous);

CREATE TABLE posting (
    scope INTEGER NOT NULL,
    term ANY NOT NULL,
    document INTEGER NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (scope, term, document)
) STRICT, WITHOUT ROWID;

CREATE TABLE space (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    dim INTEGER NOT NULL,
    max_tokens INTEGER NOT NULL,
    languages TEXT NOT NULL,                -- JSON list
    present INTEGER NOT NULL                -- 1 for the one that search uses
) STRICT;

CREATE TABLE vector (
    scope INTEGER NOT NULL,
    space INTEGER NOT NULL,
    document INTEGER NOT NULL,
    value BLOB NOT NULL,                    -- dim float32, little endian
    PRIMARY KEY (scope, space, document)
) STRICT, WITHOUT ROWID;

CREATE TABLE job (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    scope INTEGER NOT NULL,
    kind TEXT NOT NULL,
    subject ANY NOT NULL,
    version INTEGER NOT NULL DEFAULT 1,
    attempts INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER NOT NULL,
    error ANY,
    UNIQUE (scope, kind, subject)
) STRICT;

CREATE INDEX job_due ON job (due_at);       -- the one question that is asked across scopes

CREATE TABLE lease (
    scope INTEGER NOT NULL PRIMARY KEY,
    fence INTEGER NOT NULL,
    holder ANY NOT NULL,
    until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The ledger of model calls. What an erased scope cost is kept as scope 0, without its operations.
CREATE TABLE call (
    scope INTEGER NOT NULL,
    number INTEGER NOT NULL,
    operation TEXT NOT NULL,
    role TEXT NOT NULL,
    model TEXT NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cost_usd REAL,
    seconds REAL NOT NULL,
    outcome TEXT NOT NULL,
    recorded_at INTEGER NOT NULL,
    PRIMARY KEY (scope, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE reply (
    scope INTEGER NOT NULL,
    digest TEXT NOT NULL,
    model TEXT NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cost_usd REAL,
    truncated INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL,
    text ANY NOT NULL,
    PRIMARY KEY (scope, digest)
) STRICT, WITHOUT ROWID;

-- Places kept for what comes later.

CREATE TABLE grant (
    scope INTEGER NOT NULL,                 -- who lets read
    reader INTEGER NOT NULL,                -- the scope that may
    given_at INTEGER NOT NULL,
    PRIMARY KEY (scope, reader)
) STRICT, WITHOUT ROWID;

CREATE TABLE item (
    scope INTEGER NOT NULL,
    number INTEGER NOT NULL,
    id ANY NOT NULL,
    recorded_at INTEGER NOT NULL,
    withdrawn_by INTEGER,
    text ANY NOT NULL,
    metadata TEXT NOT NULL,
    PRIMARY KEY (scope, number),
    UNIQUE (scope, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE interaction (
    scope INTEGER NOT NULL,
    position INTEGER NOT NULL,
    id TEXT NOT NULL,
    item ANY NOT NULL,
    kind TEXT NOT NULL,
    weight REAL NOT NULL,
    said_at INTEGER NOT NULL,
    said_offset INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL,
    withdrawn_by INTEGER,
    metadata TEXT NOT NULL,
    PRIMARY KEY (scope, position),
    UNIQUE (scope, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX interaction_said ON interaction (scope, said_at, position) WHERE withdrawn_by IS NULL;

-- What the planner is to take for true of every file, so that it chooses the same way in all: a scope
-- holds many rows, and few share what is looked up. Without it, a scope counts as ten rows, and
-- looking up one id would walk through all of its scope.
ANALYZE;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('session', 'session', '10000 100 1'),
    ('session', 'sqlite_autoindex_session_2', '10000 100 1'),
    ('participant', 'participant', '1000 10 1'),
    ('participant', 'sqlite_autoindex_participant_2', '1000 10 1'),
    ('message', 'message', '1000000 10000 1'),
    ('message', 'sqlite_autoindex_message_2', '1000000 10000 1'),
    ('message', 'message_recorded', '1000000 10000 100 1'),
    ('message', 'message_said', '1000000 10000 1 1'),
    ('message', 'message_of_session', '1000000 10000 100 1 1'),
    ('message', 'message_waiting', '10000 100 10 1 1'),
    ('message', 'message_exchange_due', '10000 100 10 1 1'),
    ('message', 'message_buffered', '10000 100 1 1'),
    ('operation', 'operation', '100000 1000 1'),
    ('operation', 'sqlite_autoindex_operation_2', '100000 1000 1'),
    ('note', 'note', '1000000 10000 1'),
    ('note', 'sqlite_autoindex_note_2', '1000000 10000 1'),
    ('note', 'note_of_event', '1000000 10000 2 1 1'),
    ('note', 'note_said', '1000000 10000 1 1'),
    ('revision', 'revision', '1000000 10000 1 1'),
    ('source', 'source', '1000000 10000 2 2 1'),
    ('source', 'source_message', '1000000 10000 2'),
    ('parent', 'parent', '100000 1000 2 2 1'),
    ('parent', 'parent_of', '100000 1000 2'),
    ('link', 'link', '100000 1000 2 1 1'),
    ('link', 'link_target', '100000 1000 2'),
    ('document', 'document', '2000000 20000 1'),
    ('document', 'document_shows', '2000000 20000 10000 1 1'),
    ('posting', 'posting', '30000000 300000 20 1'),
    ('vector', 'vector', '2000000 20000 20000 1'),
    ('job', 'sqlite_autoindex_job_1', '1000 10 5 1'),
    ('job', 'job_due', '1000 2'),
    ('call', 'call', '100000 1000 1'),
    ('reply', 'reply', '100000 1000 1');
ANALYZE sqlite_schema;
