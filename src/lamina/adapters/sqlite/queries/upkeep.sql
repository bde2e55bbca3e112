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
    (SELECT count(*) FROM note WHERE scope BETWEEN ?1 AND ?2 AND withdrawn_by IS NULL AND kind = 3),
    (SELECT count(*) FROM note WHERE scope BETWEEN ?1 AND ?2 AND withdrawn_by IS NULL AND kind = 4),
    (SELECT count(*) FROM note WHERE scope BETWEEN ?1 AND ?2 AND withdrawn_by IS NULL AND kind = 6),
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
            AND progress IN ('bound', 'unextracted') AND consolidated <= reopened
            AND exchange_due <> 2
    ),
    (SELECT count(*) FROM job WHERE scope BETWEEN ?1 AND ?2);

-- unpurged: the erasures whose bytes may still be in the files
SELECT name, epoch FROM erased WHERE purged = 0;

-- scopes: every scope
SELECT key FROM scope ORDER BY key;

-- documents: what each document says of its postings; one that says nothing sound has -1 terms
SELECT id, length, iif(json_valid(terms), (SELECT count(*) FROM json_each(terms)), -1)
FROM document WHERE scope = ? ORDER BY id;

-- postings: where each term occurs and how often, a row a term
SELECT group_concat(document), group_concat(count) FROM posting WHERE scope = ? GROUP BY term;

-- vectors: the documents that have a vector, a row a space
SELECT space, group_concat(document) FROM vector WHERE scope = ? GROUP BY space;

-- own_words: what the file holds of itself: its mark, its schema, and what it knows of its encoder
SELECT 'SQLite format 3'
UNION ALL SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_master
UNION ALL SELECT stat FROM sqlite_stat1
UNION ALL SELECT name || ' ' || value FROM meta;
