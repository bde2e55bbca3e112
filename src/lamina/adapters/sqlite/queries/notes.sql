-- message_places: the positions of messages by their ids, and whether they are withdrawn
SELECT id, position, withdrawn_by IS NOT NULL FROM message
WHERE scope = ? AND id IN (SELECT value FROM json_each(?));

-- note_places: the numbers of notes by their ids, their latest revision, and whether withdrawn
SELECT id, number, latest, withdrawn_by IS NOT NULL FROM note
WHERE scope = ? AND id IN (SELECT value FROM json_each(?));

-- operation_number: an operation that is recorded already
SELECT number FROM operation WHERE scope = ? AND id = ?;

-- add_operation: a new operation
INSERT INTO operation (scope, number, id, kind, strategy, model, prompt_digest, cause, known_at,
    recorded_at)
SELECT :scope, coalesce(max(number), 0) + 1, :id, :kind, :strategy, :model, :prompt_digest, :cause,
    :known_at, :recorded_at
FROM operation WHERE scope = :scope
RETURNING number;

-- add_note: a new note
INSERT INTO note (scope, number, id, kind, event, latest, said_at)
SELECT ?1, coalesce(max(number), 0) + 1, ?2, ?3, ?4, 1, ?5 FROM note WHERE scope = ?1
RETURNING number;

-- revise_note: let a note be as its new revision says
UPDATE note SET kind = ?, event = ?, latest = ?, said_at = ? WHERE scope = ? AND number = ?;

-- add_revision: a new revision
INSERT INTO revision (scope, note, number, operation, role, about, said_by, certainty, supported,
    indexed, by_person, began_at, said_at, valid_at, invalid_at, known_at, recorded_at,
    offset_minutes, text)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- add_source: a message that a revision rests on
INSERT OR IGNORE INTO source (scope, note, revision, message, operation) VALUES (?, ?, ?, ?, ?);

-- widen_revision: let the times of a revision span those of a source it gained
UPDATE revision SET began_at = min(began_at, ?), said_at = max(said_at, ?)
WHERE scope = ? AND note = ? AND number = ?;

-- widen_note: the same for the note
UPDATE note SET said_at = max(said_at, ?) WHERE scope = ? AND number = ?;

-- add_parent: a note that a revision was formed from
INSERT INTO parent (scope, note, revision, ordinal, parent) VALUES (?, ?, ?, ?, ?);

-- add_link: a link, once
INSERT OR IGNORE INTO link (scope, source, target, relation, operation) VALUES (?, ?, ?, ?, ?);

-- set_progress: how far a message has come
UPDATE message SET progress = ? WHERE scope = ? AND position = ?;

-- set_consolidated: a message that has left the buffer
UPDATE message SET consolidated = 1 WHERE scope = ? AND position = ?;

-- mark_message: withdraw a message, or restore it
UPDATE message SET withdrawn_by = ? WHERE scope = ? AND position = ?;

-- mark_note: withdraw a note, or restore it
UPDATE note SET withdrawn_by = ? WHERE scope = ? AND number = ?;

-- by_id: live notes by their ids
SELECT * FROM remembered
WHERE scope = ? AND id IN (SELECT value FROM json_each(?)) AND withdrawn_by IS NULL;

-- of_messages: live notes read from some messages, facts before relations, in order of writing
SELECT * FROM remembered
WHERE scope = ?1 AND withdrawn_by IS NULL AND event IS NOT NULL AND event IN (
    SELECT position FROM message WHERE scope = ?1 AND id IN (SELECT value FROM json_each(?2))
)
ORDER BY kind, number;

-- resting_on: live notes that rest on one of some messages, in order of writing
SELECT * FROM remembered
WHERE scope = ?1 AND withdrawn_by IS NULL AND number IN (
    SELECT s.note FROM message m
    JOIN source s ON s.scope = m.scope AND s.message = m.position
    WHERE m.scope = ?1 AND m.id IN (SELECT value FROM json_each(?2))
)
ORDER BY number;

-- list: live notes, latest said first
SELECT * FROM remembered WHERE scope = ? AND withdrawn_by IS NULL
ORDER BY said_at DESC, number DESC LIMIT ? OFFSET ?;

-- list_kind: live notes of one kind, latest said first
SELECT * FROM remembered WHERE scope = ? AND withdrawn_by IS NULL AND kind = ?
ORDER BY said_at DESC, number DESC LIMIT ? OFFSET ?;

-- sources: the messages that revisions rest on, oldest first
SELECT s.note, s.revision, m.id FROM json_each(?2) AS wanted
JOIN source s ON s.scope = ?1 AND s.note = wanted.value
JOIN message m ON m.scope = s.scope AND m.position = s.message
ORDER BY m.said_at, m.position;

-- parents: the notes that revisions were formed from
SELECT p.note, p.revision, n.id FROM json_each(?2) AS wanted
JOIN parent p ON p.scope = ?1 AND p.note = wanted.value
JOIN note n ON n.scope = p.scope AND n.number = p.parent
ORDER BY p.note, p.revision, p.ordinal;

-- history: every revision of a note with what made it, first to last
SELECT n.number, r.number, r.text, o.id, o.kind, o.model, o.prompt_digest, r.known_at,
    r.recorded_at, n.withdrawn_by
FROM note n
JOIN revision r ON r.scope = n.scope AND r.note = n.number
JOIN operation o ON o.scope = r.scope AND o.number = r.operation
WHERE n.scope = ? AND n.id = ?
ORDER BY r.number;

-- operations: operations by their ids
SELECT id, kind, strategy, model, prompt_digest, cause, known_at, recorded_at FROM operation
WHERE scope = ? AND id IN (SELECT value FROM json_each(?));

-- links: the links from or to some notes, between live ones
SELECT s.id, t.id, l.relation FROM (
    SELECT scope, source, target, relation FROM link WHERE scope = ?1 AND source IN (
        SELECT number FROM note WHERE scope = ?1 AND id IN (SELECT value FROM json_each(?2))
    )
    UNION
    SELECT scope, source, target, relation FROM link WHERE scope = ?1 AND target IN (
        SELECT number FROM note WHERE scope = ?1 AND id IN (SELECT value FROM json_each(?2))
    )
) l
JOIN note s ON s.scope = l.scope AND s.number = l.source AND s.withdrawn_by IS NULL
JOIN note t ON t.scope = l.scope AND t.number = l.target AND t.withdrawn_by IS NULL
ORDER BY l.source, l.target, l.relation;
