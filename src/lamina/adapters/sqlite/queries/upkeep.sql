-- tenancy: whether the store's scopes have tenants
SELECT value FROM meta WHERE name = 'tenancy';

-- settle_tenancy: the same, once and for all
INSERT OR IGNORE INTO meta (name, value) VALUES ('tenancy', ?);

-- counts: how many there are, in the scopes from one key to another
SELECT
    (SELECT count(*) FROM message WHERE scope BETWEEN ?1 AND ?2 AND withdrawn_by IS NULL),
    (
        SELECT count(*) FROM session s WHERE scope BETWEEN ?1 AND ?2 AND EXISTS (
            SELECT 1 FROM message
            WHERE scope = s.scope AND session = s.number AND withdrawn_by IS NULL
        )
    ),
    (SELECT count(*) FROM note WHERE scope BETWEEN ?1 AND ?2 AND withdrawn_by IS NULL AND kind = 0),
    (SELECT count(*) FROM note WHERE scope BETWEEN ?1 AND ?2 AND withdrawn_by IS NULL AND kind = 1),
    (SELECT count(*) FROM note WHERE scope BETWEEN ?1 AND ?2 AND withdrawn_by IS NULL AND kind = 2),
    (SELECT count(*) FROM document WHERE scope BETWEEN ?1 AND ?2 AND hidden = 0),
    (
        SELECT count(*) FROM message WHERE scope BETWEEN ?1 AND ?2 AND withdrawn_by IS NULL
            AND progress IN ('pending', 'unextracted') AND progress = 'pending'
    ),
    (
        SELECT count(*) FROM message WHERE scope BETWEEN ?1 AND ?2 AND withdrawn_by IS NULL
            AND progress IN ('pending', 'unextracted') AND progress = 'unextracted'
    ),
    (
        SELECT count(*) FROM message WHERE scope BETWEEN ?1 AND ?2 AND withdrawn_by IS NULL
            AND progress IN ('bound', 'unextracted') AND consolidated = 0
    ),
    (SELECT count(*) FROM job WHERE scope BETWEEN ?1 AND ?2);
