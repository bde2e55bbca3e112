-- owned: the tables whose rows belong to scopes
SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c ON c.name = 'scope'
WHERE m.type = 'table' ORDER BY m.name;

-- held: how much a scope holds, withdrawn or not
SELECT (SELECT count(*) FROM message WHERE scope = ?1), (SELECT count(*) FROM note WHERE scope = ?1),
    (SELECT count(*) FROM document WHERE scope = ?1);

-- keep_costs: put what a scope's model calls took down to nobody
INSERT INTO call (scope, number, operation, role, model, input_tokens, output_tokens, cost_usd,
    seconds, outcome, recorded_at)
SELECT 0, (SELECT coalesce(max(number), 0) FROM call WHERE scope = 0) + number, '', role, model,
    input_tokens, output_tokens, cost_usd, seconds, outcome, recorded_at
FROM call WHERE scope = ?;

-- remember_erasure: raise a scope's epoch
INSERT INTO erased (name, epoch, fence, erased_at) VALUES (?, ?, ?, ?)
ON CONFLICT (name) DO UPDATE SET epoch = excluded.epoch, fence = excluded.fence,
    erased_at = excluded.erased_at;

-- remove_scope: the scope itself
DELETE FROM scope WHERE key = ?;
