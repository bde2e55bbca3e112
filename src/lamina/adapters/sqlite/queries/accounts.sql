-- record: a model call, for the ledger
INSERT INTO call (scope, number, operation, role, model, input_tokens, output_tokens, cost_usd,
    seconds, outcome, recorded_at)
SELECT ?1, coalesce(max(number), 0) + 1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10
FROM call WHERE scope = ?1;

-- usage: the sums of the ledger from one scope's key to another, of an operation if one is given
SELECT coalesce(sum(outcome != 'cached'), 0), coalesce(sum(outcome = 'cached'), 0),
    coalesce(sum(outcome NOT IN ('ok', 'cached')), 0), coalesce(sum(input_tokens), 0),
    coalesce(sum(output_tokens), 0), coalesce(sum(cost_usd), 0.0), coalesce(sum(cost_usd IS NULL), 0)
FROM call
WHERE scope BETWEEN ?1 AND ?2 AND (?3 IS NULL OR operation = ?3);

-- replies: kept replies by the digest of their request
SELECT digest, text, model, input_tokens, output_tokens, cost_usd, truncated FROM reply
WHERE scope = ? AND digest IN (SELECT value FROM json_each(?));

-- keep_reply: a reply, so that it need not be paid again
INSERT OR REPLACE INTO reply (scope, digest, text, model, input_tokens, output_tokens, cost_usd,
    truncated, recorded_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?);
