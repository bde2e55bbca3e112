-- last_operation: the last operation in the log of a scope
SELECT coalesce(max(number), 0) FROM operation WHERE scope = ?;

-- new_interactions: what was said of items after a position, but for what is hidden at every moment
SELECT m.position, m.id, m.speaker, i.item, m.said_at, coalesce(m.gone_at, 9223372036854775807),
    i.rating, i.action
FROM interaction i
JOIN message m ON m.scope = i.scope AND m.position = i.position
WHERE i.scope = ? AND i.position > ? AND i.item IS NOT NULL
    AND m.gone_at IS NOT -9223372036854775808
ORDER BY i.position;

-- new_users: the names of speakers after a number
SELECT number, name FROM participant WHERE scope = ? AND number > ? ORDER BY number;

-- new_items: the ids of items after a number
SELECT number, name FROM item WHERE scope = ? AND number > ? ORDER BY number;

-- new_descriptions: the documents after an id that show what an item is, but for what was hidden
SELECT d.id, m.id, i.item, m.said_at, coalesce(m.gone_at, 9223372036854775807) FROM document d
JOIN interaction i ON i.scope = d.scope AND i.position = d.subject AND i.item IS NOT NULL
JOIN message m ON m.scope = d.scope AND m.position = d.subject
WHERE d.scope = ? AND d.id > ? AND d.view = 0 AND m.gone_at IS NOT -9223372036854775808
ORDER BY d.id;

-- new_revisions: what operations after one have written, with whose and about what it is, and when
SELECT r.note, coalesce(r.document, 0), r.known_at, coalesce(r.gone_at, 9223372036854775807), n.id,
    n.kind, coalesce(n.gone_at, 9223372036854775807),
    iif(i.item IS NOT NULL AND i.action IS 'describe', NULL, m.speaker),
    coalesce(m.said_at, r.said_at), iif(n.event IS NULL, NULL, i.item), r.number, m.id
FROM revision r INDEXED BY revision_of_operation
JOIN note n ON n.scope = r.scope AND n.number = r.note
LEFT JOIN message m ON m.scope = n.scope AND m.position = coalesce(n.event, (
    SELECT s.message FROM source s JOIN message t ON t.scope = s.scope AND t.position = s.message
    WHERE s.scope = r.scope AND s.note = r.note AND s.revision = r.number
    ORDER BY t.said_at DESC, t.position DESC LIMIT 1
))
LEFT JOIN interaction i ON i.scope = m.scope AND i.position = m.position
WHERE r.scope = ? AND r.operation > ? AND r.gone_at IS NOT -9223372036854775808
    AND n.gone_at IS NOT -9223372036854775808
ORDER BY r.operation, r.ordinal;

-- new_links: what operations after one have linked, but for what is undone
SELECT l.source, l.target, o.known_at FROM operation o
JOIN link l INDEXED BY link_made ON l.scope = o.scope AND l.operation = o.number
WHERE o.scope = ? AND o.number > ? AND o.undone_by IS NULL
ORDER BY o.number, l.source, l.target;
