-- messages_without_a_turn: every message can be recalled
SELECT count(*) FROM message m WHERE NOT EXISTS (
    SELECT 1 FROM document WHERE scope = m.scope AND view = 0 AND subject = m.position
);

-- documents_of_nothing: every document shows a message or a note
SELECT count(*) FROM document d
LEFT JOIN note n ON d.view = 2 AND n.scope = d.scope AND n.number = d.subject
LEFT JOIN message m ON d.view < 2 AND m.scope = d.scope AND m.position = d.subject
WHERE n.number IS NULL AND m.position IS NULL;

-- documents_shown_although_withdrawn_or_the_reverse: what is withdrawn is not found
SELECT count(*) FROM document d
LEFT JOIN note n ON d.view = 2 AND n.scope = d.scope AND n.number = d.subject
LEFT JOIN message m ON d.view < 2 AND m.scope = d.scope AND m.position = d.subject
WHERE d.hidden != (coalesce(n.withdrawn_by, m.withdrawn_by) IS NOT NULL);

-- exchanges_that_show_a_withdrawn_message: nor before another message
SELECT count(*) FROM document d JOIN message m ON m.scope = d.scope AND m.position = d.previous
WHERE d.hidden = 0 AND m.withdrawn_by IS NOT NULL;

-- exchanges_that_nobody_would_make: where none shows a message and the one before it, one is due
SELECT count(*) FROM (
    SELECT scope, position, exchange_due,
        lag(position) OVER (PARTITION BY scope, session ORDER BY said_at, position) AS previous
    FROM message WHERE withdrawn_by IS NULL
) m
LEFT JOIN document d ON d.scope = m.scope AND d.view = 1 AND d.subject = m.position
WHERE m.exchange_due = 0 AND m.previous IS NOT NULL
    AND (d.previous IS NULL OR d.previous != m.previous);

-- documents_that_show_the_same: each view of something has one document
SELECT count(*) FROM (
    SELECT 1 FROM document GROUP BY scope, view, subject HAVING count(*) > 1
);

-- documents_whose_postings_do_not_add_up: the index holds what the text does
SELECT count(*) FROM (
    SELECT scope, id, length, (SELECT count(*) FROM json_each(terms)) AS terms FROM document
) d
LEFT JOIN (
    SELECT scope, document, sum(count) AS length, count(*) AS terms FROM posting
    GROUP BY scope, document
) p ON p.scope = d.scope AND p.document = d.id
WHERE d.length != coalesce(p.length, 0) OR d.terms != coalesce(p.terms, 0);

-- postings_without_a_document: and nothing else
SELECT count(*) FROM posting p
WHERE NOT EXISTS (SELECT 1 FROM document WHERE scope = p.scope AND id = p.document);

-- documents_without_a_vector: each live one has one in the present space
SELECT count(*) FROM document d, space s WHERE s.present = 1 AND d.hidden = 0 AND NOT EXISTS (
    SELECT 1 FROM vector WHERE scope = d.scope AND space = s.number AND document = d.id
);

-- vectors_without_a_document: nothing else has one
SELECT count(*) FROM vector v
WHERE NOT EXISTS (SELECT 1 FROM document WHERE scope = v.scope AND id = v.document);

-- vectors_of_another_dimension_or_space: and it is as long as its space says
SELECT count(*) FROM vector v LEFT JOIN space s ON s.number = v.space
WHERE s.number IS NULL OR length(v.value) != 4 * s.dim;

-- notes_whose_revisions_do_not_follow_each_other: 1, 2, ... up to the latest
SELECT count(*) FROM note n WHERE n.latest != (
    SELECT count(*) FROM revision
    WHERE scope = n.scope AND note = n.number AND number BETWEEN 1 AND n.latest
) OR EXISTS (
    SELECT 1 FROM revision WHERE scope = n.scope AND note = n.number AND number > n.latest
);

-- notes_that_differ_from_their_latest_revision: what is kept twice agrees
SELECT count(*) FROM note n
JOIN revision r ON r.scope = n.scope AND r.note = n.number AND r.number = n.latest
WHERE r.said_at != n.said_at;

-- scopes_that_would_give_a_number_twice: positions and ids only rise
SELECT count(*) FROM scope c
WHERE c.messages < coalesce((SELECT max(position) FROM message WHERE scope = c.key), 0)
    OR c.documents < coalesce((SELECT max(id) FROM document WHERE scope = c.key), 0);

-- leases_newer_than_their_scope: fences only rise
SELECT count(*) FROM lease l JOIN scope c ON c.key = l.scope WHERE l.fence > c.fence;
