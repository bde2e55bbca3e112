-- ask: put a step in the queue, or raise the version of the one that waits
INSERT INTO job (scope, kind, subject, due_at) VALUES (?, ?, ?, ?)
ON CONFLICT (scope, kind, subject) DO UPDATE SET version = version + 1;

-- finish: take out a job that nobody asked for again
DELETE FROM job WHERE id = ? AND scope = ? AND version = ?;

-- begin_again: let one that was asked for again wait as if it were new
UPDATE job SET attempts = 0, due_at = ?, error = NULL WHERE id = ? AND scope = ?;

-- postpone: put a failed job back
UPDATE job SET attempts = attempts + 1, due_at = ?, error = ? WHERE id = ? AND scope = ?;

-- jobs: the jobs from one scope's key to another, in the order to be done
SELECT id, tenant, scope_kind, scope_id, kind, subject, version, attempts, due_at, error FROM (
    SELECT j.*, c.tenant, c.kind AS scope_kind, c.id AS scope_id, s.number AS session, (
        SELECT min(said_at) FROM message
        WHERE scope = s.scope AND session = s.number AND withdrawn_by IS NULL
    ) AS began_at
    FROM job j
    JOIN scope c ON c.key = j.scope
    LEFT JOIN session s ON s.scope = j.scope AND s.name = j.subject
    WHERE j.scope BETWEEN ? AND ?
)
ORDER BY
    began_at NULLS FIRST, scope, iif(began_at IS NULL, 0, session), subject,
    CASE kind WHEN 'index' THEN 0 WHEN 'bind' THEN 1 WHEN 'supersede' THEN 2
        WHEN 'consolidate' THEN 3 ELSE 4 END;

-- longest_waiting: the scope without a lease whose job has been due for longest
SELECT j.scope, c.tenant, c.kind, c.id FROM job j
JOIN scope c ON c.key = j.scope
WHERE j.due_at <= :due_by AND (:scope IS NULL OR j.scope = :scope)
    AND NOT EXISTS (SELECT 1 FROM lease l WHERE l.scope = j.scope AND l.until > :now)
ORDER BY j.due_at, j.id LIMIT 1;

-- next_fence: a number that rises with every lease of a scope
UPDATE scope SET fence = fence + 1 WHERE key = ? RETURNING fence;

-- lease: who may do a scope's work, and until when
INSERT OR REPLACE INTO lease (scope, fence, holder, until) VALUES (?, ?, ?, ?);

-- renew: prolong a lease
UPDATE lease SET until = ? WHERE scope = ? AND fence = ?;

-- release: give a lease back
DELETE FROM lease WHERE scope = ? AND fence = ?;

-- leases: the leases that were not given back
SELECT c.tenant, c.kind, c.id, l.holder, l.fence, l.until FROM lease l
JOIN scope c ON c.key = l.scope ORDER BY l.scope;
