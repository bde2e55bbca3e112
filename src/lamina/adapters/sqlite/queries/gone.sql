-- undone_by: the last operation in force that undoes another one
SELECT max(g.operation) FROM gone g
JOIN operation o ON o.scope = g.scope AND o.number = g.operation AND o.undone_by IS NULL
WHERE g.scope = ? AND g.what = 3 AND g.subject = ?;

-- undone_now: by what an operation is undone, as it was worked out last
SELECT undone_by FROM operation WHERE scope = ? AND number = ?;

-- set_undone: note by what an operation is undone
UPDATE operation SET undone_by = ? WHERE scope = ? AND number = ?;

-- add_gone: a mark, after those that its operation made before
INSERT INTO gone (scope, operation, ordinal, what, subject, revision, always)
SELECT :scope, :operation, coalesce(max(ordinal), 0) + 1, :what, :subject, :revision, :always
FROM gone WHERE scope = :scope AND operation = :operation;

-- marks_of: what some operations put out of force, as they said so
SELECT what, subject, revision, always FROM gone
WHERE scope = ?1 AND operation IN (SELECT value FROM json_each(?2))
ORDER BY operation, ordinal;

-- gone_by: the same of one, with ids in place of numbers
SELECT g.what, coalesce(m.id, n.id, u.id), g.revision, g.always, :id FROM gone g
LEFT JOIN message m ON g.what IN (0, 4) AND m.scope = g.scope AND m.position = g.subject
LEFT JOIN note n ON g.what IN (1, 2) AND n.scope = g.scope AND n.number = g.subject
LEFT JOIN operation u ON g.what = 3 AND u.scope = g.scope AND u.number = g.subject
WHERE g.scope = :scope AND g.operation = (
    SELECT number FROM operation WHERE scope = :scope AND id = :id
)
ORDER BY g.ordinal;

-- marks_on: the marks on some messages, notes or operations by their ids, in the order of the log
SELECT g.what, wanted.id, g.revision, g.always, o.id FROM (
    SELECT id, position AS subject FROM message
    WHERE :what IN (0, 4) AND scope = :scope AND id IN (SELECT value FROM json_each(:ids))
    UNION ALL
    SELECT id, number FROM note
    WHERE :what IN (1, 2) AND scope = :scope AND id IN (SELECT value FROM json_each(:ids))
    UNION ALL
    SELECT id, number FROM operation
    WHERE :what = 3 AND scope = :scope AND id IN (SELECT value FROM json_each(:ids))
) AS wanted
CROSS JOIN gone g ON g.scope = :scope AND g.what = :what AND g.subject = wanted.subject
JOIN operation o ON o.scope = g.scope AND o.number = g.operation
ORDER BY g.operation, g.ordinal;

-- messages_added_by: the messages that some operations added
SELECT m.position FROM json_each(?2) AS wanted
CROSS JOIN message m ON m.scope = ?1 AND m.operation = wanted.value;

-- notes_written_by: the notes that have a revision by some operations
SELECT DISTINCT note FROM revision
WHERE scope = ?1 AND operation IN (SELECT value FROM json_each(?2));

-- settle_messages: work out anew by what some messages are hidden, and from when on
UPDATE message SET
    (withdrawn_by, gone_at) = (
        SELECT min(hider), min(hidden_at) FROM (
            SELECT g.operation AS hider,
                iif(g.always, -9223372036854775808, o.known_at) AS hidden_at
            FROM gone g
            JOIN operation o ON o.scope = g.scope AND o.number = g.operation
                AND o.undone_by IS NULL
            WHERE g.scope = message.scope AND g.what = 0 AND g.subject = message.position
            UNION ALL
            SELECT undone_by, -9223372036854775808 FROM operation
            WHERE scope = message.scope AND number = message.operation AND undone_by IS NOT NULL
        )
    ),
    reopened = (
        SELECT coalesce(max(g.operation), 0) FROM gone g
        JOIN operation o ON o.scope = g.scope AND o.number = g.operation AND o.undone_by IS NULL
        WHERE g.scope = message.scope AND g.what = 4 AND g.subject = message.position
    )
WHERE scope = ?1 AND position IN (SELECT value FROM json_each(?2));

-- settle_revisions: the same of all revisions of some notes
UPDATE revision SET (withdrawn_by, gone_at) = (
    SELECT coalesce(max(undoer), min(hider)), min(hidden_at) FROM (
        SELECT g.operation AS hider, NULL AS undoer,
            iif(g.always, -9223372036854775808, o.known_at) AS hidden_at
        FROM gone g
        JOIN operation o ON o.scope = g.scope AND o.number = g.operation AND o.undone_by IS NULL
        WHERE g.scope = revision.scope AND g.what = 2 AND g.subject = revision.note
            AND g.revision = revision.number
        UNION ALL
        SELECT NULL, undone_by, -9223372036854775808 FROM operation
        WHERE scope = revision.scope AND number = revision.operation AND undone_by IS NOT NULL
    )
)
WHERE scope = ?1 AND note IN (SELECT value FROM json_each(?2));

-- settle_notes: the same of notes as a whole, and which of their revisions count
UPDATE note SET
    latest = (
        SELECT coalesce(max(number), 0) FROM revision
        WHERE scope = note.scope AND note = note.number AND withdrawn_by IS NULL
    ),
    (withdrawn_by, gone_at) = (
        SELECT min(g.operation), min(iif(g.always, -9223372036854775808, o.known_at)) FROM gone g
        JOIN operation o ON o.scope = g.scope AND o.number = g.operation AND o.undone_by IS NULL
        WHERE g.scope = note.scope AND g.what = 1 AND g.subject = note.number
    )
WHERE scope = ?1 AND number IN (SELECT value FROM json_each(?2));

-- settle_as_latest: let notes be as the last revision that counts says, and hidden if none does
UPDATE note SET
    said_at = coalesce((
        SELECT said_at FROM revision
        WHERE scope = note.scope AND note = note.number AND number = note.latest
    ), said_at),
    withdrawn_by = CASE latest WHEN 0 THEN coalesce(withdrawn_by, (
        SELECT withdrawn_by FROM revision
        WHERE scope = note.scope AND note = note.number AND number = note.last
    )) ELSE withdrawn_by END
WHERE scope = ?1 AND number IN (SELECT value FROM json_each(?2));

-- settle_turns: turns are found while their messages are live
UPDATE document SET hidden = (
    SELECT withdrawn_by IS NOT NULL FROM message
    WHERE scope = document.scope AND position = document.subject
)
WHERE scope = ?1 AND view = 0 AND subject IN (SELECT value FROM json_each(?2));

-- shown_after: the messages whose exchanges show some messages before their own
SELECT subject FROM document
WHERE scope = ?1 AND previous IS NOT NULL AND previous IN (SELECT value FROM json_each(?2));

-- settle_exchanges: of a message's exchanges that with the last live message before it is found
UPDATE document SET hidden = settled.hidden FROM (
    SELECT d.id, m.withdrawn_by IS NOT NULL OR p.withdrawn_by IS NOT NULL OR row_number() OVER (
        PARTITION BY d.subject
        ORDER BY p.withdrawn_by IS NOT NULL, p.said_at DESC, p.position DESC
    ) > 1 AS hidden
    FROM json_each(?2) AS wanted
    JOIN document d ON d.scope = ?1 AND d.view = 1 AND d.subject = wanted.value
    JOIN message m ON m.scope = d.scope AND m.position = d.subject
    JOIN message p ON p.scope = d.scope AND p.position = d.previous
) settled
WHERE document.scope = ?1 AND document.id = settled.id AND document.hidden != settled.hidden;

-- next_live: the live messages that come next after some messages in their sessions
SELECT DISTINCT (
    SELECT n.position FROM message n INDEXED BY message_of_session
    WHERE n.scope = m.scope AND n.session = m.session AND n.withdrawn_by IS NULL
        AND n.exchange_due < 2
        AND (n.said_at, n.position) > (m.said_at, m.position)
    ORDER BY n.said_at, n.position LIMIT 1
)
FROM message m WHERE m.scope = ?1 AND m.position IN (SELECT value FROM json_each(?2));

-- settle_due: messages whose exchange with the live message before them is missing are looked at
UPDATE message SET exchange_due = NOT EXISTS (
    SELECT 1 FROM document
    WHERE scope = message.scope AND view = 1 AND subject = message.position AND previous = (
        SELECT p.position FROM message p INDEXED BY message_of_session
        WHERE p.scope = message.scope AND p.session = message.session AND p.withdrawn_by IS NULL
            AND p.exchange_due < 2
            AND (p.said_at, p.position) < (message.said_at, message.position)
        ORDER BY p.said_at DESC, p.position DESC LIMIT 1
    )
)
WHERE scope = ?1 AND exchange_due < 2 AND position IN (SELECT value FROM json_each(?2));

-- settle_note_documents: of a note's documents that of its latest revision is found
UPDATE document SET hidden = settled.hidden FROM (
    SELECT d.id, n.withdrawn_by IS NOT NULL OR r.document IS NOT d.id AS hidden
    FROM json_each(?2) AS wanted
    JOIN note n ON n.scope = ?1 AND n.number = wanted.value
    JOIN document d ON d.scope = n.scope AND d.view = 2 AND d.subject = n.number
    LEFT JOIN revision r ON r.scope = n.scope AND r.note = n.number AND r.number = n.latest
) settled
WHERE document.scope = ?1 AND document.id = settled.id AND document.hidden != settled.hidden;
