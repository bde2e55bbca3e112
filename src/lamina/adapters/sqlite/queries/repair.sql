-- drop_marks: marks on nothing
DELETE FROM gone
WHERE scope = ?1 AND CASE
    WHEN what IN (0, 4) THEN NOT EXISTS (
        SELECT 1 FROM message WHERE scope = gone.scope AND position = subject
    )
    WHEN what = 1 THEN NOT EXISTS (
        SELECT 1 FROM note WHERE scope = gone.scope AND number = subject
    )
    WHEN what = 2 THEN NOT EXISTS (
        SELECT 1 FROM revision
        WHERE scope = gone.scope AND note = subject AND number = gone.revision
    )
    ELSE subject >= gone.operation OR NOT EXISTS (
        SELECT 1 FROM operation WHERE scope = gone.scope AND number = subject
    )
END;

-- fix_heirs: nothing took the place of a note where what did is not there
UPDATE revision SET superseded_by = NULL
WHERE scope = ?1 AND superseded_by IS NOT NULL
    AND superseded_by NOT IN (SELECT number FROM note WHERE scope = ?1);

-- fix_adders: nothing is said to have added a message where it is not there
UPDATE message SET operation = NULL
WHERE scope = ?1 AND operation IS NOT NULL
    AND operation NOT IN (SELECT number FROM operation WHERE scope = ?1);

-- drop_links: links that nothing made, or of nothing
DELETE FROM link
WHERE scope = ?1 AND (
    operation NOT IN (SELECT number FROM operation WHERE scope = ?1)
    OR source NOT IN (SELECT number FROM note WHERE scope = ?1)
    OR target NOT IN (SELECT number FROM note WHERE scope = ?1)
);

-- drop_sources: a revision does not rest on a message that is not there
DELETE FROM source
WHERE scope = ?1 AND message NOT IN (SELECT position FROM message WHERE scope = ?1);

-- drop_parents: and was not formed from a note that is not there
DELETE FROM parent
WHERE scope = ?1 AND parent NOT IN (SELECT number FROM note WHERE scope = ?1);

-- fix_sources: a revision rests on a message by the operation that wrote it, if by no other
UPDATE source SET operation = (
    SELECT operation FROM revision
    WHERE scope = source.scope AND note = source.note AND number = source.revision
)
WHERE scope = ?1 AND operation NOT IN (SELECT number FROM operation WHERE scope = ?1);

-- fix_undone: which operations are undone; again until none changes, for they undo each other
UPDATE operation AS o SET undone_by = (
    SELECT min(g.operation) FROM gone g
    JOIN operation u ON u.scope = g.scope AND u.number = g.operation AND u.undone_by IS NULL
    WHERE g.scope = o.scope AND g.what = 3 AND g.subject = o.number
)
WHERE o.scope = ?1 AND (o.undone_by IS NOT NULL) != EXISTS (
    SELECT 1 FROM gone g
    JOIN operation u ON u.scope = g.scope AND u.number = g.operation AND u.undone_by IS NULL
    WHERE g.scope = o.scope AND g.what = 3 AND g.subject = o.number
);

-- fix_last: the number of a note's last revision
UPDATE note AS n SET last = (SELECT max(number) FROM revision WHERE scope = ?1 AND note = n.number)
WHERE n.scope = ?1
    AND n.last != (SELECT max(number) FROM revision WHERE scope = ?1 AND note = n.number);

-- fix_messages: let a scope go on counting after its last message
UPDATE scope SET messages = coalesce((SELECT max(position) FROM message WHERE scope = ?1), 0)
WHERE key = ?1
    AND messages < coalesce((SELECT max(position) FROM message WHERE scope = ?1), 0);

-- fix_documents: and after its last document
UPDATE scope SET documents = coalesce((SELECT max(id) FROM document WHERE scope = ?1), 0)
WHERE key = ?1
    AND documents < coalesce((SELECT max(id) FROM document WHERE scope = ?1), 0);

-- drop_interactions: nothing is said of an item by a message that is not there
DELETE FROM interaction
WHERE scope = ?1 AND position NOT IN (SELECT position FROM message WHERE scope = ?1);

-- fix_items: nor of an item that is not there
UPDATE interaction SET item = NULL
WHERE scope = ?1 AND item IS NOT NULL
    AND item NOT IN (SELECT number FROM item WHERE scope = ?1);

-- drop_items: the items that no message is about
DELETE FROM item WHERE scope = ?1
    AND NOT EXISTS (SELECT 1 FROM interaction WHERE scope = item.scope AND item = item.number);

-- fix_exchanges: what is about an item is in no exchange, and everything else may be
UPDATE message SET exchange_due = CASE exchange_due WHEN 2 THEN 1 ELSE 2 END
WHERE scope = ?1 AND (exchange_due = 2) != EXISTS (
    SELECT 1 FROM interaction
    WHERE scope = message.scope AND position = message.position AND item IS NOT NULL
);

-- fix_fence: let a scope go on after its last lease
UPDATE scope SET fence = (SELECT fence FROM lease WHERE scope = ?1)
WHERE key = ?1 AND fence < (SELECT fence FROM lease WHERE scope = ?1);

-- of_nothing: documents of nothing
SELECT d.id FROM document d
LEFT JOIN revision r ON d.view = 2 AND r.scope = d.scope AND r.note = d.subject
    AND r.number = d.revision
LEFT JOIN message m ON d.view < 2 AND m.scope = d.scope AND m.position = d.subject
LEFT JOIN message p ON d.view = 1 AND p.scope = d.scope AND p.position = d.previous
WHERE d.scope = ?1 AND (
    r.number IS NULL AND m.position IS NULL OR d.view = 1 AND p.position IS NULL
    OR d.view = 2 AND NOT EXISTS (
        SELECT 1 FROM revision
        WHERE scope = d.scope AND note = d.subject AND document = d.id
    )
);

-- doubled: documents that show what another one does: which of them is right is not known
SELECT d.id FROM document d
WHERE d.scope = ?1 AND d.view < 2 AND EXISTS (
    SELECT 1 FROM document
    WHERE scope = d.scope AND view = d.view AND subject = d.subject AND previous IS d.previous
        AND id != d.id
);

-- of_another_space: documents with a vector of another dimension, or of no space
SELECT v.document FROM vector v LEFT JOIN space s ON s.number = v.space
WHERE v.scope = ?1 AND (s.number IS NULL OR length(v.value) != 4 * s.dim);

-- drop_postings: the postings of some documents, whatever they say of their terms
DELETE FROM posting WHERE scope = ?1 AND document IN (SELECT value FROM json_each(?2));

-- drop_loose_postings: postings of no document
DELETE FROM posting
WHERE scope = ?1 AND document NOT IN (SELECT id FROM document WHERE scope = ?1);

-- drop_vectors: the vectors of some documents
DELETE FROM vector WHERE scope = ?1 AND document IN (SELECT value FROM json_each(?2));

-- drop_loose_vectors: vectors of no document
DELETE FROM vector
WHERE scope = ?1 AND document NOT IN (SELECT id FROM document WHERE scope = ?1);

-- drop_documents: some documents
DELETE FROM document WHERE scope = ?1 AND id IN (SELECT value FROM json_each(?2));

-- unshow: revisions are shown by no document that is not there, nor by another note's
UPDATE revision SET document = NULL
WHERE scope = ?1 AND document IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM document
    WHERE scope = revision.scope AND id = revision.document AND view = 2 AND subject = note
);

-- fix_first: a document tells the first revision that it shows
UPDATE document SET revision = (
    SELECT min(number) FROM revision
    WHERE scope = document.scope AND note = document.subject AND document = document.id
)
WHERE scope = ?1 AND view = 2 AND revision IS NOT (
    SELECT min(number) FROM revision
    WHERE scope = document.scope AND note = document.subject AND document = document.id
);

-- messages: every message
SELECT position FROM message WHERE scope = ?1;

-- notes: every note
SELECT number FROM note WHERE scope = ?1;

-- flags: all that is worked out of what is out of force, to be compared
SELECT 'messages', position, gone_at, withdrawn_by IS NULL, reopened, 0 FROM message
WHERE scope = ?1
UNION ALL
SELECT 'notes', number, gone_at, withdrawn_by IS NULL, latest, said_at FROM note WHERE scope = ?1
UNION ALL
SELECT 'revisions', note, gone_at, withdrawn_by IS NULL, number, 0 FROM revision WHERE scope = ?1
UNION ALL
SELECT 'documents', id, NULL, hidden, 0, 0 FROM document WHERE scope = ?1;

-- due: the live messages whose exchange is to be looked at
SELECT position FROM message INDEXED BY message_exchange_due
WHERE scope = ?1 AND withdrawn_by IS NULL AND exchange_due = 1;

-- exchanges: the messages that some exchanges show
SELECT DISTINCT m.id FROM json_each(?2) AS wanted
JOIN document d ON d.scope = ?1 AND d.id = wanted.value AND d.view = 1
JOIN message m ON m.scope = d.scope AND m.position = d.subject;

-- lacking: messages without a turn, and revisions that are to be found but have no document
SELECT 0, id, 0 FROM message m WHERE scope = ?1 AND NOT EXISTS (
    SELECT 1 FROM document WHERE scope = ?1 AND view = 0 AND subject = m.position
) AND NOT EXISTS (
    SELECT 1 FROM interaction
    WHERE scope = ?1 AND position = m.position AND item IS NOT NULL AND action IS NOT 'describe'
)
UNION ALL
SELECT 2, n.id, r.number FROM revision r
JOIN note n ON n.scope = r.scope AND n.number = r.note
WHERE r.scope = ?1 AND r.indexed AND r.document IS NULL;

-- waiting: sessions with live messages that are to be bound, and no job that would
SELECT s.name FROM session s
WHERE s.scope = ?1 AND EXISTS (
    SELECT 1 FROM message
    WHERE scope = ?1 AND session = s.number AND withdrawn_by IS NULL
        AND progress IN ('pending', 'unextracted') AND progress = 'pending' AND exchange_due < 2
) AND NOT EXISTS (
    SELECT 1 FROM job WHERE scope = ?1 AND kind = 'bind' AND subject = s.name
)
ORDER BY s.number;

-- unwritten: whether interactions wait, and no job would write their notes
SELECT '' WHERE EXISTS (
    SELECT 1 FROM message
    WHERE scope = ?1 AND withdrawn_by IS NULL AND progress = 'pending' AND exchange_due = 2
) AND NOT EXISTS (SELECT 1 FROM job WHERE scope = ?1 AND kind = 'write');

-- unindexed: sessions with live messages that lack their exchange, and no job that would make it
SELECT s.name FROM session s
WHERE s.scope = ?1 AND EXISTS (
    SELECT 1 FROM message m INDEXED BY message_exchange_due
    WHERE m.scope = ?1 AND m.session = s.number AND m.withdrawn_by IS NULL AND m.exchange_due = 1
        AND EXISTS (
            SELECT 1 FROM message p INDEXED BY message_of_session
            WHERE p.scope = ?1 AND p.session = s.number AND p.withdrawn_by IS NULL
                AND p.exchange_due < 2
                AND (p.said_at, p.position) < (m.said_at, m.position)
        )
) AND NOT EXISTS (
    SELECT 1 FROM job WHERE scope = ?1 AND kind = 'index' AND subject = s.name
)
ORDER BY s.number;

-- unconsolidated: closed sessions with live messages in the buffer, and no job that would take them
SELECT s.name FROM session s
WHERE s.scope = ?1 AND s.closed_at IS NOT NULL AND EXISTS (
    SELECT 1 FROM message INDEXED BY message_buffered
    WHERE scope = ?1 AND session = s.number AND withdrawn_by IS NULL
        AND progress IN ('bound', 'unextracted') AND consolidated <= reopened
) AND NOT EXISTS (
    SELECT 1 FROM job WHERE scope = ?1 AND kind = 'consolidate' AND subject = s.name
)
ORDER BY s.number;

-- name: what a scope is called
SELECT tenant, kind, id FROM scope WHERE key = ?1;

-- changed: no cache of a scope stands
UPDATE scope SET changes = changes + 1, upheavals = upheavals + 1 WHERE key = ?1;
