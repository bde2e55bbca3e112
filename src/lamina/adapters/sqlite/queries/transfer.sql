-- all_messages: every message, in the order recorded
SELECT * FROM spoken WHERE scope = ? ORDER BY position;

-- closed: the sessions that are over
SELECT name FROM session WHERE scope = ? AND closed_at IS NOT NULL ORDER BY number;

-- log: every operation, in the order of the log
SELECT * FROM logged WHERE scope = ? ORDER BY number;

-- all_revisions: every revision of every note, in the order written
SELECT * FROM said WHERE scope = ? ORDER BY made_by, ordinal, number, latest;

-- all_sources: the messages that revisions rest on, oldest first
SELECT s.note, s.revision, m.id FROM source s
JOIN message m ON m.scope = s.scope AND m.position = s.message
WHERE s.scope = ? ORDER BY m.said_at, m.position;

-- all_parents: the notes that revisions were formed from
SELECT p.note, p.revision, n.id FROM parent p
JOIN note n ON n.scope = p.scope AND n.number = p.parent
WHERE p.scope = ? ORDER BY p.note, p.revision, p.ordinal;

-- all_links: every link with what made it, in the order made
SELECT s.id, t.id, l.relation, o.id FROM link l
JOIN note s ON s.scope = l.scope AND s.number = l.source
JOIN note t ON t.scope = l.scope AND t.number = l.target
JOIN operation o ON o.scope = l.scope AND o.number = l.operation
WHERE l.scope = ? ORDER BY l.operation, l.source, l.target, l.relation;

-- all_marks: what operations put out of force, in the order said
SELECT g.what, coalesce(m.id, n.id, u.id), g.revision, g.always, o.id FROM gone g
JOIN operation o ON o.scope = g.scope AND o.number = g.operation
LEFT JOIN message m ON g.what IN (0, 4) AND m.scope = g.scope AND m.position = g.subject
LEFT JOIN note n ON g.what IN (1, 2) AND n.scope = g.scope AND n.number = g.subject
LEFT JOIN operation u ON g.what = 3 AND u.scope = g.scope AND u.number = g.subject
WHERE g.scope = ? ORDER BY g.operation, g.ordinal;

-- consolidated: the messages that were ever consolidated, each with what did so last
SELECT m.id, o.id FROM message m
JOIN operation o ON o.scope = m.scope AND o.number = m.consolidated
WHERE m.scope = ? ORDER BY m.position;

-- grants: what was granted
SELECT principal, may_read, may_write, given_at FROM "grant" WHERE scope = ? ORDER BY principal;

-- holds: whether a scope holds anything that an archive would
SELECT EXISTS (SELECT 1 FROM message WHERE scope = ?1)
    OR EXISTS (SELECT 1 FROM operation WHERE scope = ?1);

-- put_operation: an operation, with its place in the log
INSERT INTO operation (scope, number, id, kind, strategy, model, prompt_digest, cause, known_at,
    recorded_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- put_session: a session, over or not
INSERT INTO session (scope, number, name, closed_at) VALUES (?, ?, ?, ?);

-- put_participant: a speaker
INSERT INTO participant (scope, number, name) VALUES (?, ?, ?);

-- put_message: a message with how far it has come
INSERT INTO message (scope, position, id, session, speaker, role, said_at, said_offset, key, text,
    metadata, author, recorded_at, progress, operation, consolidated, exchange_due)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- put_note: a note; its latest revision is worked out when all are there
INSERT INTO note (scope, number, id, kind, event, latest, last, said_at)
VALUES (?, ?, ?, ?, ?, 0, ?, ?);

-- put_revision: a revision
INSERT INTO revision (scope, note, number, operation, ordinal, role, about, said_by, certainty,
    supported, indexed, by_person, began_at, said_at, valid_at, invalid_at, known_at, recorded_at,
    offset_minutes, keywords, tags, context, sureness, narrower, superseded_by, document, text)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- put_source: a message that a revision rests on
INSERT OR IGNORE INTO source (scope, note, revision, message, operation) VALUES (?, ?, ?, ?, ?);

-- put_parent: a note that a revision was formed from
INSERT INTO parent (scope, note, revision, ordinal, parent) VALUES (?, ?, ?, ?, ?);

-- put_link: a link and what made it
INSERT OR IGNORE INTO link (scope, source, target, relation, operation) VALUES (?, ?, ?, ?, ?);

-- put_mark: what an operation put out of force
INSERT INTO gone (scope, operation, ordinal, what, subject, revision, always)
VALUES (?, ?, ?, ?, ?, ?, ?);

-- put_grant: a grant
INSERT OR REPLACE INTO "grant" (scope, principal, may_read, may_write, given_at)
VALUES (?, ?, ?, ?, ?);

-- put_counts: the last position and document that were given out
UPDATE scope SET messages = ?, documents = ?, changes = changes + 1,
    upheavals = upheavals + 1
WHERE key = ?;
