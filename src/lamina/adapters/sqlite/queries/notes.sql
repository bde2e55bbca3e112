-- message_places: the positions of messages by their ids, and whether they are withdrawn
SELECT id, position, withdrawn_by IS NOT NULL FROM message
WHERE scope = ? AND id IN (SELECT value FROM json_each(?));

-- note_places: the numbers of notes by their ids, their revisions, and whether withdrawn
SELECT id, number, latest, last, withdrawn_by IS NOT NULL FROM note
WHERE scope = ? AND id IN (SELECT value FROM json_each(?));

-- operation_place: an operation that is recorded already, and whether it is undone
SELECT number, undone_by IS NOT NULL FROM operation WHERE scope = ? AND id = ?;

-- changed_since: whether anything was formed or changed after an operation, not only added
SELECT EXISTS (
    SELECT 1 FROM operation
    WHERE scope = ? AND number > ? AND kind NOT IN (SELECT value FROM json_each(?))
);

-- add_operation: a new operation
INSERT INTO operation (scope, number, id, kind, strategy, model, prompt_digest, cause, known_at,
    recorded_at)
SELECT ?1, coalesce(max(number), 0) + 1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9
FROM operation WHERE scope = ?1
RETURNING number;

-- revisions_written: how many revisions an operation has written so far
SELECT count(*) FROM revision WHERE scope = ? AND operation = ?;

-- last_note: the number that was given last to a note
SELECT coalesce(max(number), 0) FROM note WHERE scope = ?;

-- add_note: a new note, as its first revision says
INSERT INTO note (scope, number, id, kind, event, latest, last, said_at)
VALUES (?, ?, ?, ?, ?, 1, 1, ?);

-- revise_note: let a note be as its new revision says
UPDATE note SET latest = ?3, last = ?3, said_at = (
    SELECT said_at FROM revision WHERE scope = ?1 AND note = ?2 AND number = ?3
)
WHERE scope = ?1 AND number = ?2;

-- add_revision: a new revision
INSERT INTO revision (scope, note, number, operation, ordinal, role, about, said_by, certainty,
    supported, indexed, by_person, began_at, said_at, valid_at, invalid_at, known_at, recorded_at,
    offset_minutes, keywords, tags, context, sureness, narrower, superseded_by, text)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- share_document: let a revision be shown by the document of one that says the same, if it has one
UPDATE revision SET document = b.document FROM revision b
WHERE revision.scope = :scope AND revision.note = :note AND revision.number = :number
    AND revision.document IS NULL
    AND b.scope = :scope AND b.note = :note AND b.number = :base AND b.text = revision.text
    AND b.keywords = revision.keywords AND b.tags = revision.tags AND b.context = revision.context;

-- repeat_revision: a revision that says the same as one before, known when the later was
INSERT INTO revision (scope, note, number, operation, ordinal, role, about, said_by, certainty,
    supported, indexed, by_person, began_at, said_at, valid_at, invalid_at, known_at, recorded_at,
    offset_minutes, superseded_by, document, text, keywords, tags, context, sureness, narrower)
SELECT scope, note, :number, :operation, :ordinal, role, about, said_by, certainty, supported,
    indexed, by_person, min(began_at, :began_at), max(said_at, :said_at), valid_at, invalid_at,
    max(known_at, :known_at), :recorded_at, offset_minutes, superseded_by, document, text,
    keywords, tags, context, sureness, narrower
FROM revision WHERE scope = :scope AND note = :note AND number = :base;

-- repeat_parents: and it was formed from the same
INSERT INTO parent (scope, note, revision, ordinal, parent)
SELECT scope, note, :number, ordinal, parent FROM parent
WHERE scope = :scope AND note = :note AND revision = :base;

-- sources_of_revision: the positions of the messages that a revision rests on
SELECT message FROM source WHERE scope = ? AND note = ? AND revision = ?;

-- add_source: a message that a revision rests on
INSERT OR IGNORE INTO source (scope, note, revision, message, operation) VALUES (?, ?, ?, ?, ?);

-- add_parent: a note that a revision was formed from
INSERT INTO parent (scope, note, revision, ordinal, parent) VALUES (?, ?, ?, ?, ?);

-- document_of: the document that shows a revision, and the first that it shows
SELECT d.id, d.revision FROM revision r
JOIN document d ON d.scope = r.scope AND d.id = r.document
WHERE r.scope = ? AND r.note = ? AND r.number = ?;

-- show: let a revision be shown by a document
UPDATE revision SET document = ?1 WHERE scope = ?2 AND note = ?3 AND number = ?4;

-- show_instead: let what a document showed be shown by another one
UPDATE revision SET document = ?1 WHERE scope = ?2 AND note = ?3 AND document = ?4;

-- replaced_exchanges: the exchanges of a message that one with another before it takes the place of
SELECT d.id FROM document d
JOIN message p ON p.scope = d.scope AND p.position = d.previous
WHERE d.scope = ? AND d.view = 1 AND d.subject = ? AND (d.previous = ? OR p.withdrawn_by IS NULL);

-- add_link: a link, once for each operation that makes it
INSERT OR IGNORE INTO link (scope, source, target, relation, operation) VALUES (?, ?, ?, ?, ?);

-- set_progress: how far a message has come
UPDATE message SET progress = ? WHERE scope = ? AND position = ?;

-- set_consolidated: a message that has left the buffer, by an operation
UPDATE message SET consolidated = ? WHERE scope = ? AND position = ?;

-- by_id: live notes by their ids
SELECT * FROM remembered
WHERE scope = :scope AND id IN (SELECT value FROM json_each(:ids)) AND withdrawn_by IS NULL;

-- of_messages: live notes read from some messages, facts before relations, in order of writing
SELECT * FROM remembered
WHERE scope = :scope AND withdrawn_by IS NULL AND event IS NOT NULL AND event IN (
    SELECT position FROM message WHERE scope = :scope AND id IN (SELECT value FROM json_each(:ids))
)
ORDER BY kind, number;

-- resting_on: live notes of which some revision rests on one of some messages, in order of writing
SELECT * FROM remembered
WHERE scope = :scope AND withdrawn_by IS NULL AND number IN (
    SELECT s.note FROM message m
    JOIN source s ON s.scope = m.scope AND s.message = m.position
    WHERE m.scope = :scope AND m.id IN (SELECT value FROM json_each(:ids))
)
ORDER BY number;

-- list: live notes, of one kind or all, latest said first; those that hold on a day, if one is given
SELECT * FROM remembered
WHERE scope = :scope AND withdrawn_by IS NULL AND (:kind IS NULL OR kind = :kind)
    AND CASE WHEN :valid_on IS NULL THEN :superseded OR superseded_by IS NULL
        ELSE coalesce(valid_at, began_at) <= :valid_on
            AND (invalid_at IS NULL OR :valid_on < invalid_at) END
ORDER BY said_at DESC, number DESC LIMIT :limit OFFSET :offset;

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

-- history: every revision of a note with what made it and what hides it, first to last
SELECT n.number, r.number, r.text, o.id, o.kind, o.model, o.prompt_digest, r.known_at,
    r.recorded_at, r.valid_at, r.invalid_at, r.offset_minutes, h.id, r.by_person, w.id,
    r.keywords, r.tags, r.context, r.sureness, r.narrower
FROM note n
JOIN revision r ON r.scope = n.scope AND r.note = n.number
JOIN operation o ON o.scope = r.scope AND o.number = r.operation
LEFT JOIN note h ON h.scope = r.scope AND h.number = r.superseded_by
LEFT JOIN operation w ON w.scope = r.scope
    AND w.number = coalesce(r.withdrawn_by, iif(n.gone_at IS NULL, NULL, n.withdrawn_by))
WHERE n.scope = :scope AND n.id = :id
ORDER BY r.number;

-- revisions: a note as each of its revisions says, first to last
SELECT * FROM said WHERE scope = :scope AND id = :id ORDER BY latest;

-- written_by: the revisions of an operation, as written
SELECT * FROM said
WHERE scope = :scope AND made_by = (
    SELECT number FROM operation WHERE scope = :scope AND id = :id
)
ORDER BY ordinal, number, latest;

-- formed_from: the revisions that count and have one of some notes as parent, as written
SELECT * FROM said
WHERE scope = :scope AND withdrawn_by IS NULL AND (number, latest) IN (
    SELECT p.note, p.revision FROM note n
    JOIN parent p ON p.scope = n.scope AND p.parent = n.number
    WHERE n.scope = :scope AND n.id IN (SELECT value FROM json_each(:ids))
)
ORDER BY made_by, ordinal, number, latest;

-- operations: operations by their ids
SELECT * FROM logged WHERE scope = ? AND id IN (SELECT value FROM json_each(?));

-- log: the log of a scope, latest first
SELECT * FROM logged WHERE scope = ? ORDER BY number DESC LIMIT ? OFFSET ?;

-- log_of_kinds: of some kinds only
SELECT * FROM logged WHERE scope = ? AND kind IN (SELECT value FROM json_each(?))
ORDER BY number DESC LIMIT ? OFFSET ?;

-- links: the links from or to some notes, between live ones
SELECT s.id, t.id, l.relation FROM (
    SELECT scope, source, target, relation FROM linked WHERE scope = :scope AND source IN (
        SELECT number FROM note
        WHERE scope = :scope AND id IN (SELECT value FROM json_each(:ids))
    )
    UNION
    SELECT scope, source, target, relation FROM linked WHERE scope = :scope AND target IN (
        SELECT number FROM note
        WHERE scope = :scope AND id IN (SELECT value FROM json_each(:ids))
    )
) l
JOIN remembered s ON s.scope = l.scope AND s.number = l.source AND s.withdrawn_by IS NULL
JOIN remembered t ON t.scope = l.scope AND t.number = l.target AND t.withdrawn_by IS NULL
ORDER BY l.source, l.target, l.relation;
