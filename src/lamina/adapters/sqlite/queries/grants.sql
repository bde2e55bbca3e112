-- grant: what somebody may do in a shared space, in place of what they could
INSERT OR REPLACE INTO "grant" (scope, principal, may_read, may_write, given_at)
VALUES (?, ?, ?, ?, ?);

-- revoke: that somebody may do nothing there any more
DELETE FROM "grant" WHERE scope = ? AND principal = ?;

-- grants: what was granted in a space, by principal
SELECT principal, may_read, may_write, given_at FROM "grant" WHERE scope = ?;

-- granted: the spaces of a tenant in which somebody was granted anything
SELECT tenant, kind, id FROM scope
WHERE tenant = ?1 AND kind = 'space' AND EXISTS (
    SELECT 1 FROM "grant" WHERE scope = scope.key AND principal = ?2
)
ORDER BY key;
