-- last: a session's last messages in the order recorded, latest first, withdrawn or not
SELECT * FROM spoken WHERE scope = ? AND session = ? ORDER BY position DESC LIMIT ?;

-- known: whether there is a message with an id, withdrawn or not
SELECT 1 FROM message WHERE scope = ? AND id = ?;

-- session: a session by its name
SELECT number, closed_at FROM session WHERE scope = ? AND name = ?;

-- add_session: a new session
INSERT INTO session (scope, number, name)
SELECT ?1, coalesce(max(number), 0) + 1, ?2 FROM session WHERE scope = ?1
RETURNING number, closed_at;

-- mark_session: when a session was closed, or that it is open
UPDATE session SET closed_at = ? WHERE scope = ? AND number = ?;

-- participant: a speaker by name
SELECT number FROM participant WHERE scope = ? AND name = ?;

-- add_participant: a new speaker
INSERT INTO participant (scope, number, name)
SELECT ?1, coalesce(max(number), 0) + 1, ?2 FROM participant WHERE scope = ?1
RETURNING number;

-- add_message: a new message
INSERT INTO message (scope, position, id, session, speaker, role, said_at, said_offset, key, text,
    metadata, author, recorded_at, progress, exchange_due, operation)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- by_id: live messages by their ids
SELECT * FROM spoken
WHERE scope = :scope AND id IN (SELECT value FROM json_each(:ids)) AND withdrawn_by IS NULL;

-- recorded: messages by their ids, withdrawn or not
SELECT * FROM spoken
WHERE scope = :scope AND id IN (SELECT value FROM json_each(:ids));

-- added_by: the messages that an operation added, as recorded
SELECT m.id FROM operation o
JOIN message m ON m.scope = o.scope AND m.operation = o.number
WHERE o.scope = ? AND o.id = ? ORDER BY m.position;

-- consolidated_by: the messages that an operation was the last to consolidate, as recorded
SELECT m.id FROM operation o JOIN message m ON m.scope = o.scope AND m.consolidated = o.number
WHERE o.scope = ?1 AND o.id = ?2 AND m.consolidated > 0 ORDER BY m.position;

-- in_session: a session's live messages, oldest first
SELECT * FROM spoken WHERE scope = :scope AND session = :session AND withdrawn_by IS NULL
ORDER BY said_at, position;

-- in_session_of: those of some kinds of progress, oldest first
SELECT * FROM spoken
WHERE scope = :scope AND session = :session AND withdrawn_by IS NULL
    AND progress IN (SELECT value FROM json_each(:progress))
ORDER BY said_at, position;

-- waiting_in_session: a session's live messages that are pending or unextracted, oldest first
SELECT * FROM spoken
WHERE scope = :scope AND session = :session AND withdrawn_by IS NULL
    AND progress IN ('pending', 'unextracted')
    AND progress IN (SELECT value FROM json_each(:progress))
ORDER BY said_at, position;

-- latest: the last live messages of a scope by when they were said, latest first
SELECT * FROM spoken WHERE scope = :scope AND withdrawn_by IS NULL
ORDER BY said_at DESC, position DESC LIMIT :limit;

-- latest_in_session: the last live messages of a session by when they were said, latest first
SELECT * FROM spoken WHERE scope = :scope AND session = :session AND withdrawn_by IS NULL
ORDER BY said_at DESC, position DESC LIMIT :limit;

-- buffer: live messages that no consolidation has taken up, oldest first
SELECT * FROM spoken
WHERE scope = :scope AND withdrawn_by IS NULL
    AND progress IN ('bound', 'unextracted') AND consolidated <= reopened
ORDER BY said_at, position;

-- buffer_of_session: the same of one session
SELECT * FROM spoken
WHERE scope = :scope AND session = :session AND withdrawn_by IS NULL
    AND progress IN ('bound', 'unextracted') AND consolidated <= reopened
ORDER BY said_at, position;

-- sessions: a scope's sessions with live messages, by their first message's time
SELECT s.name, m.began_at, m.ended_at, m.messages, coalesce(w.pending, 0), s.closed_at
FROM session s
JOIN (
    SELECT session, min(said_at) AS began_at, max(said_at) AS ended_at, count(*) AS messages
    FROM message INDEXED BY message_of_session
    WHERE scope = ?1 AND withdrawn_by IS NULL GROUP BY session
) m ON m.session = s.number
LEFT JOIN (
    SELECT session, count(*) AS pending FROM message INDEXED BY message_waiting
    WHERE scope = ?1 AND withdrawn_by IS NULL AND progress IN ('pending', 'unextracted')
    GROUP BY session
) w ON w.session = s.number
WHERE s.scope = ?1
ORDER BY m.began_at, s.number;

-- participants: who has spoken, in order of first appearance
SELECT name FROM (
    SELECT name, (
        SELECT position FROM message
        WHERE scope = p.scope AND speaker = p.number AND withdrawn_by IS NULL
        ORDER BY position LIMIT 1
    ) AS first
    FROM participant p WHERE scope = ?
) WHERE first IS NOT NULL ORDER BY first;
