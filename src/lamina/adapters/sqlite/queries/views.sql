-- spoken_as_of: what `spoken` shows at a moment; those that stand and those that went, each by its index
SELECT m.scope, m.position, m.id, s.name AS session, m.role, p.name AS speaker, m.text, m.said_at,
    m.said_offset, m.recorded_at, m.key, m.metadata, m.progress, m.consolidated,
    NULL AS withdrawn_by, m.reopened, m.author, o.id AS operation, t.name AS item, i.action,
    i.rating
FROM message m
JOIN session s ON s.scope = m.scope AND s.number = m.session
JOIN participant p ON p.scope = m.scope AND p.number = m.speaker
LEFT JOIN operation o ON o.scope = m.scope AND o.number = m.operation
LEFT JOIN interaction i ON i.scope = m.scope AND i.position = m.position
LEFT JOIN item t ON t.scope = i.scope AND t.number = i.item
WHERE m.withdrawn_by IS NULL AND m.said_at < :as_of
UNION ALL
SELECT m.scope, m.position, m.id, s.name, m.role, p.name, m.text, m.said_at, m.said_offset,
    m.recorded_at, m.key, m.metadata, m.progress, m.consolidated, NULL, m.reopened, m.author, o.id,
    t.name, i.action, i.rating
FROM message m
JOIN session s ON s.scope = m.scope AND s.number = m.session
JOIN participant p ON p.scope = m.scope AND p.number = m.speaker
LEFT JOIN operation o ON o.scope = m.scope AND o.number = m.operation
LEFT JOIN interaction i ON i.scope = m.scope AND i.position = m.position
LEFT JOIN item t ON t.scope = i.scope AND t.number = i.item
WHERE m.withdrawn_by IS NOT NULL AND m.said_at < :as_of AND m.gone_at >= :as_of;

-- spoken_recorded: what `spoken` showed of what had been recorded by then
SELECT m.scope, m.position, m.id, s.name AS session, m.role, p.name AS speaker, m.text, m.said_at,
    m.said_offset, m.recorded_at, m.key, m.metadata, m.progress, m.consolidated,
    NULL AS withdrawn_by, m.reopened, m.author, o.id AS operation, t.name AS item, i.action,
    i.rating
FROM message m
JOIN session s ON s.scope = m.scope AND s.number = m.session
JOIN participant p ON p.scope = m.scope AND p.number = m.speaker
LEFT JOIN operation o ON o.scope = m.scope AND o.number = m.operation
LEFT JOIN interaction i ON i.scope = m.scope AND i.position = m.position
LEFT JOIN item t ON t.scope = i.scope AND t.number = i.item
WHERE m.said_at < :as_of AND m.recorded_at < :recorded_as_of
    AND m.position NOT IN (SELECT value FROM json_each(:messages))
    AND coalesce(m.operation, 0) NOT IN (SELECT value FROM json_each(:undone));

-- remembered_as_of: what `remembered` shows at a moment
SELECT n.scope, n.number, n.id, n.kind, n.event, r.said_at, NULL AS withdrawn_by,
    r.number AS latest, m.id AS heard, o.id AS operation, r.role, r.about, r.said_by, r.certainty,
    r.supported, r.indexed, r.by_person, r.began_at, r.valid_at, r.invalid_at, r.known_at,
    r.recorded_at, r.offset_minutes, r.text, h.id AS superseded_by, r.keywords, r.tags, r.context,
    r.sureness, r.narrower, t.name AS item
FROM note n
JOIN revision r ON r.scope = n.scope AND r.note = n.number AND r.number = (
    SELECT max(c.number) FROM revision c
    WHERE c.scope = n.scope AND c.note = n.number AND c.known_at < :as_of
        AND (c.gone_at IS NULL OR c.gone_at >= :as_of)
)
JOIN operation o ON o.scope = r.scope AND o.number = r.operation
LEFT JOIN message m ON m.scope = n.scope AND m.position = n.event
LEFT JOIN note h ON h.scope = r.scope AND h.number = r.superseded_by
LEFT JOIN interaction i ON i.scope = n.scope AND i.position = n.event
LEFT JOIN item t ON t.scope = i.scope AND t.number = i.item
WHERE n.gone_at IS NULL OR n.gone_at >= :as_of;

-- remembered_recorded: what `remembered` showed of what had been recorded by then
SELECT n.scope, n.number, n.id, n.kind, n.event, r.said_at, NULL AS withdrawn_by,
    r.number AS latest, m.id AS heard, o.id AS operation, r.role, r.about, r.said_by, r.certainty,
    r.supported, r.indexed, r.by_person, r.began_at, r.valid_at, r.invalid_at, r.known_at,
    r.recorded_at, r.offset_minutes, r.text, h.id AS superseded_by, r.keywords, r.tags, r.context,
    r.sureness, r.narrower, t.name AS item
FROM note n
JOIN revision r ON r.scope = n.scope AND r.note = n.number AND r.number = (
    SELECT max(c.number) FROM revision c
    WHERE c.scope = n.scope AND c.note = n.number AND c.known_at < :as_of
        AND c.recorded_at < :recorded_as_of
        AND c.operation NOT IN (SELECT value FROM json_each(:undone))
        AND (c.note, c.number) NOT IN (SELECT value ->> 0, value ->> 1 FROM json_each(:revisions))
)
JOIN operation o ON o.scope = r.scope AND o.number = r.operation
LEFT JOIN message m ON m.scope = n.scope AND m.position = n.event
LEFT JOIN note h ON h.scope = r.scope AND h.number = r.superseded_by
LEFT JOIN interaction i ON i.scope = n.scope AND i.position = n.event
LEFT JOIN item t ON t.scope = i.scope AND t.number = i.item
WHERE n.number NOT IN (SELECT value FROM json_each(:notes));

-- linked_as_of: the links that operations in force had made by a moment
SELECT l.scope, l.source, l.target, l.relation FROM link l
JOIN operation o ON o.scope = l.scope AND o.number = l.operation
WHERE o.undone_by IS NULL AND o.known_at < :as_of;

-- linked_recorded: those of what had been recorded by then
SELECT l.scope, l.source, l.target, l.relation FROM link l
JOIN operation o ON o.scope = l.scope AND o.number = l.operation
WHERE o.known_at < :as_of AND o.recorded_at < :recorded_as_of
    AND o.number NOT IN (SELECT value FROM json_each(:undone));

-- marks: every mark of a scope that was recorded by then, those of the last operation first
SELECT g.operation, g.what, g.subject, g.revision, g.always, o.known_at FROM gone g
JOIN operation o ON o.scope = g.scope AND o.number = g.operation
WHERE g.scope = ? AND o.recorded_at < ?
ORDER BY g.operation DESC;
