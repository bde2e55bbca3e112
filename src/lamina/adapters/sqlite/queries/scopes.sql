-- find: a scope by its name
SELECT key, epoch, fence, messages, documents, changes, upheavals FROM scope
WHERE tenant = ? AND kind = ? AND id = ?;

-- make: a new scope
INSERT INTO scope (tenant, kind, id, epoch, fence) VALUES (?, ?, ?, ?, ?) RETURNING key;

-- erased: how often a scope that has no row was erased, and its last lease
SELECT epoch, fence FROM erased WHERE name = ?;

-- advance: what was given out, and whether documents, or what was written before, changed
UPDATE scope SET messages = ?, documents = ?, changes = changes + ?, upheavals = upheavals + ?
WHERE key = ?;

-- lease: who may do a scope's work
SELECT fence FROM lease WHERE scope = ?;

-- with_messages: every scope that has messages, withdrawn or not
SELECT tenant, kind, id FROM scope
WHERE EXISTS (SELECT 1 FROM message WHERE scope = scope.key)
ORDER BY key;
