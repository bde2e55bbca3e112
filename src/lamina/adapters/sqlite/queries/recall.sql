-- present_space: the space that search uses
SELECT number, id, dim, max_tokens, languages FROM space WHERE present = 1;

-- space: a space by its id
SELECT number FROM space WHERE id = ?;

-- add_space: a space, present or to become so
INSERT INTO space (id, dim, max_tokens, languages, present) VALUES (?, ?, ?, ?, ?)
RETURNING number;

-- add_document: a new document
INSERT INTO document (scope, id, view, subject, previous, revision, hidden, length,
    refers_from, refers_until, terms)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- add_posting: where a term occurs
INSERT INTO posting (scope, term, document, count) VALUES (?, ?, ?, ?);

-- add_vector: a document's vector in one space
INSERT OR REPLACE INTO vector (scope, space, document, value) VALUES (?, ?, ?, ?);

-- showing: the documents of a view of something, of the past too
SELECT id FROM document WHERE scope = ? AND view = ? AND subject = ? ORDER BY id;

-- document_terms: the terms whose postings a document has
SELECT terms FROM document WHERE scope = ? AND id = ?;

-- remove_document: a document that is replaced or whose words must go
DELETE FROM document WHERE scope = ? AND id = ?;

-- remove_posting: one of its postings
DELETE FROM posting WHERE scope = ? AND term = ? AND document = ?;

-- remove_vectors: its vectors, in every space
DELETE FROM vector
WHERE scope = :scope AND space IN (SELECT number FROM space) AND document = :document;

-- new_messages: live messages after a position, for turns
SELECT position, session, speaker, said_at, id FROM message
WHERE scope = ? AND position > ? AND withdrawn_by IS NULL ORDER BY position;

-- session_names: a scope's sessions by number
SELECT name FROM session WHERE scope = ? ORDER BY number;

-- speaker_names: a scope's speakers by number
SELECT name FROM participant WHERE scope = ? ORDER BY number;

-- new_documents: live documents after an id
SELECT id, view, subject, length, refers_from, refers_until FROM document
WHERE scope = ? AND id > ? AND hidden = 0 ORDER BY id;

-- new_vectors: the vectors of documents after an id, of hidden ones too
SELECT document, value FROM vector WHERE scope = ? AND space = ? AND document > ?
ORDER BY document;

-- new_notes: the notes that live documents after an id show
SELECT d.id, n.id, n.kind, coalesce(n.event, 0), n.said_at FROM document d
JOIN note n ON n.scope = d.scope AND n.number = d.subject
WHERE d.scope = ? AND d.id > ? AND d.view = 2 AND d.hidden = 0 ORDER BY d.id;

-- new_rests: the messages that those notes rest on
SELECT d.id, s.message FROM document d
JOIN note n ON n.scope = d.scope AND n.number = d.subject
JOIN source s ON s.scope = n.scope AND s.note = n.number AND s.revision = n.latest
WHERE d.scope = ? AND d.id > ? AND d.view = 2 AND d.hidden = 0 ORDER BY d.id, s.message;

-- past_messages: all messages after a position, with their two times
SELECT position, session, speaker, said_at, coalesce(gone_at, 9223372036854775807), recorded_at,
    coalesce(operation, 0), id
FROM message WHERE scope = ? AND position > ? ORDER BY position;

-- past_documents: all documents after an id
SELECT id, view, subject, coalesce(previous, 0), length, refers_from, refers_until FROM document
WHERE scope = ? AND id > ? ORDER BY id;

-- past_notes: the notes that documents after an id show
SELECT d.id, n.kind, coalesce(n.event, 0), n.id FROM document d
JOIN note n ON n.scope = d.scope AND n.number = d.subject
WHERE d.scope = ? AND d.id > ? AND d.view = 2 ORDER BY d.id;

-- past_revisions: all revisions of those notes, with their two times
SELECT r.note, r.number, coalesce(r.document, 0), r.said_at, r.known_at,
    coalesce(r.gone_at, 9223372036854775807), coalesce(n.gone_at, 9223372036854775807),
    r.recorded_at, r.operation
FROM note n
JOIN revision r ON r.scope = n.scope AND r.note = n.number
WHERE n.scope = ?1 AND n.number IN (
    SELECT subject FROM document WHERE scope = ?1 AND id > ?2 AND view = 2
);

-- past_rests: the messages that those revisions rest on
SELECT s.note, s.revision, s.message FROM source s
WHERE s.scope = ?1 AND s.note IN (
    SELECT subject FROM document WHERE scope = ?1 AND id > ?2 AND view = 2
);

-- marks_recorded: what was put out of force by what had been recorded, the latest first
SELECT g.operation, g.what, g.subject, g.revision, g.always, o.known_at FROM gone g
JOIN operation o ON o.scope = g.scope AND o.number = g.operation
WHERE g.scope = ? AND o.recorded_at < ? ORDER BY g.operation DESC;

-- postings: the documents in which a term occurs, after an id
SELECT document, count FROM posting WHERE scope = ? AND term = ? AND document > ?
ORDER BY document;

-- stale_exchanges: live messages of a session and the ones before them, where no exchange shows both
SELECT m.position, m.previous FROM (
    SELECT m.position, m.said_at, (
        SELECT p.position FROM message p INDEXED BY message_of_session
        WHERE p.scope = m.scope AND p.session = m.session AND p.withdrawn_by IS NULL
            AND p.exchange_due < 2
            AND (p.said_at, p.position) < (m.said_at, m.position)
        ORDER BY p.said_at DESC, p.position DESC LIMIT 1
    ) AS previous
    FROM message m INDEXED BY message_exchange_due
    WHERE m.scope = ?1 AND m.withdrawn_by IS NULL AND m.exchange_due = 1
        AND m.session = (SELECT number FROM session WHERE scope = ?1 AND name = ?2)
) m
WHERE m.previous IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM document
    WHERE scope = ?1 AND view = 1 AND subject = m.position AND previous = m.previous
)
ORDER BY m.said_at, m.position LIMIT ?3;

-- exchange_done: note that an exchange shows the message before its own, if it does
UPDATE message AS m SET exchange_due = 0
WHERE m.scope = ?1 AND m.position = ?2 AND ?3 = (
    SELECT p.position FROM message p INDEXED BY message_of_session
    WHERE p.scope = m.scope AND p.session = m.session AND p.withdrawn_by IS NULL
        AND p.exchange_due < 2
        AND (p.said_at, p.position) < (m.said_at, m.position)
    ORDER BY p.said_at DESC, p.position DESC LIMIT 1
);

-- exchange_due: let the exchanges of a message and of the one after it be looked at again
UPDATE message SET exchange_due = 1
WHERE scope = ?1 AND exchange_due = 0 AND position IN (?2, (
    SELECT n.position FROM message m
    JOIN message n INDEXED BY message_of_session ON n.scope = m.scope AND n.session = m.session
    WHERE m.scope = ?1 AND m.position = ?2 AND n.withdrawn_by IS NULL AND n.exchange_due < 2
        AND (n.said_at, n.position) > (m.said_at, m.position)
    ORDER BY n.said_at, n.position LIMIT 1
));

-- by_position: messages by their positions
SELECT * FROM spoken WHERE scope = ? AND position IN (SELECT value FROM json_each(?));

-- documents_after: documents after an id, of the past too, and what they show
SELECT d.id, d.view, coalesce(n.id, m.id), d.revision, p.id FROM document d
LEFT JOIN note n ON d.view = 2 AND n.scope = d.scope AND n.number = d.subject
LEFT JOIN message m ON d.view < 2 AND m.scope = d.scope AND m.position = d.subject
LEFT JOIN message p ON d.previous IS NOT NULL AND p.scope = d.scope AND p.position = d.previous
WHERE d.scope = ? AND d.id > ? ORDER BY d.id LIMIT ?;

-- documents_known: those of some documents that exist
SELECT id FROM document WHERE scope = ? AND id IN (SELECT value FROM json_each(?));

-- vectors_lacking: how many documents have no vector in a space
SELECT count(*) FROM document d WHERE NOT EXISTS (
    SELECT 1 FROM vector v WHERE v.scope = d.scope AND v.space = ? AND v.document = d.id
);

-- make_present: the space that search uses from now on
UPDATE space SET present = (number = ?);

-- drop_other_vectors: the vectors of all other spaces
DELETE FROM vector WHERE space != ?;

-- drop_other_spaces: all other spaces
DELETE FROM space WHERE number != ?;

-- changed: a scope's vectors were written anew
UPDATE scope SET changes = changes + 1, upheavals = upheavals + 1 WHERE key = ?;
