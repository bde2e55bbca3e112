-- messages_without_a_turn: every message can be recalled; what was done with an item by its note
SELECT count(*) FROM message m WHERE NOT EXISTS (
    SELECT 1 FROM document WHERE scope = m.scope AND view = 0 AND subject = m.position
) AND NOT EXISTS (
    SELECT 1 FROM interaction
    WHERE scope = m.scope AND position = m.position AND item IS NOT NULL
        AND action IS NOT 'describe'
);

-- documents_of_nothing: every document shows a message, two of them, or a revision of a note
SELECT count(*) FROM document d
LEFT JOIN revision r ON d.view = 2 AND r.scope = d.scope AND r.note = d.subject
    AND r.number = d.revision
LEFT JOIN message m ON d.view < 2 AND m.scope = d.scope AND m.position = d.subject
LEFT JOIN message p ON d.view = 1 AND p.scope = d.scope AND p.position = d.previous
WHERE r.number IS NULL AND m.position IS NULL OR d.view = 1 AND p.position IS NULL;

-- documents_shown_although_withdrawn_or_the_reverse: only what a message or note says now is found
SELECT count(*) FROM document d
LEFT JOIN message m ON d.view < 2 AND m.scope = d.scope AND m.position = d.subject
LEFT JOIN message p ON d.view = 1 AND p.scope = d.scope AND p.position = d.previous
LEFT JOIN note n ON d.view = 2 AND n.scope = d.scope AND n.number = d.subject
LEFT JOIN revision r ON r.scope = n.scope AND r.note = n.number AND r.number = n.latest
WHERE CASE d.view
    WHEN 0 THEN d.hidden != (m.withdrawn_by IS NOT NULL)
    WHEN 1 THEN d.hidden = 0 AND (m.withdrawn_by IS NOT NULL OR p.withdrawn_by IS NOT NULL)
    ELSE d.hidden != (n.withdrawn_by IS NOT NULL OR r.document IS NULL OR r.document != d.id)
END;

-- exchanges_that_nobody_would_make: where none shows a message and the one before it, one is due
SELECT count(*) FROM (
    SELECT scope, position, exchange_due,
        lag(position) OVER (PARTITION BY scope, session ORDER BY said_at, position) AS previous
    FROM message WHERE withdrawn_by IS NULL AND exchange_due < 2
) m
WHERE m.exchange_due = 0 AND m.previous IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM document
    WHERE scope = m.scope AND view = 1 AND subject = m.position AND previous = m.previous
        AND hidden = 0
);

-- messages_that_would_be_in_no_exchange_or_the_reverse: what is about an item is in none
SELECT count(*) FROM message m WHERE (m.exchange_due = 2) != EXISTS (
    SELECT 1 FROM interaction
    WHERE scope = m.scope AND position = m.position AND item IS NOT NULL
);

-- documents_that_show_the_same: each view of something has one document
SELECT count(*) FROM (
    SELECT 1 FROM document GROUP BY scope, view, subject, previous, revision HAVING count(*) > 1
    UNION ALL
    SELECT 1 FROM document WHERE hidden = 0 GROUP BY scope, view, subject HAVING count(*) > 1
);

-- documents_that_differ_from_their_revisions: a document tells the first revision that it shows
SELECT count(*) FROM document d
WHERE d.view = 2 AND d.revision IS NOT (
    SELECT min(number) FROM revision
    WHERE scope = d.scope AND note = d.subject AND document = d.id
);

-- revisions_shown_by_another_document: a revision names a document of its note
SELECT count(*) FROM revision r
LEFT JOIN document d ON d.scope = r.scope AND d.id = r.document AND d.view = 2
    AND d.subject = r.note
WHERE r.document IS NOT NULL AND d.id IS NULL;

-- vectors_of_another_dimension_or_space: a vector is as long as its space says
SELECT count(*) FROM vector v LEFT JOIN space s ON s.number = v.space
WHERE s.number IS NULL OR length(v.value) != 4 * s.dim;

-- notes_whose_revisions_do_not_follow_each_other: 1, 2, ... up to the last; patterns may have gaps
SELECT count(*) FROM note n WHERE NOT EXISTS (
    SELECT 1 FROM revision WHERE scope = n.scope AND note = n.number GROUP BY note
    HAVING min(number) = 1 AND max(number) = n.last AND (count(*) = n.last OR n.kind = 6)
);

-- notes_that_differ_from_their_latest_revision: what is kept twice agrees
SELECT count(*) FROM note n
LEFT JOIN revision r ON r.scope = n.scope AND r.note = n.number AND r.number = n.latest
WHERE r.said_at != n.said_at OR n.latest != (
    SELECT coalesce(max(number), 0) FROM revision
    WHERE scope = n.scope AND note = n.number AND withdrawn_by IS NULL
);

-- operations_undone_by_none_or_the_reverse: undone is what an operation in force undoes
SELECT count(*) FROM operation o WHERE (o.undone_by IS NOT NULL) != EXISTS (
    SELECT 1 FROM gone g
    JOIN operation u ON u.scope = g.scope AND u.number = g.operation AND u.undone_by IS NULL
    WHERE g.scope = o.scope AND g.what = 3 AND g.subject = o.number
);

-- messages_withdrawn_by_none_or_the_reverse: withdrawn is what an operation in force withdraws
SELECT count(*) FROM message m
LEFT JOIN operation a ON a.scope = m.scope AND a.number = m.operation
WHERE m.gone_at IS NOT (
    SELECT min(t.gone_at) FROM (
        SELECT iif(g.always, -9223372036854775808, o.known_at) AS gone_at FROM gone g
        JOIN operation o ON o.scope = g.scope AND o.number = g.operation AND o.undone_by IS NULL
        WHERE g.scope = m.scope AND g.what = 0 AND g.subject = m.position
        UNION ALL
        SELECT -9223372036854775808 WHERE a.undone_by IS NOT NULL
    ) t
) OR (m.withdrawn_by IS NULL) != (m.gone_at IS NULL);

-- messages_back_in_the_buffer_by_none_or_the_reverse: the same of what was consolidated
SELECT count(*) FROM message m WHERE m.reopened != (
    SELECT coalesce(max(g.operation), 0) FROM gone g
    JOIN operation o ON o.scope = g.scope AND o.number = g.operation AND o.undone_by IS NULL
    WHERE g.scope = m.scope AND g.what = 4 AND g.subject = m.position
);

-- revisions_withdrawn_by_none_or_the_reverse: the same of single revisions
SELECT count(*) FROM revision r
JOIN operation a ON a.scope = r.scope AND a.number = r.operation
WHERE r.gone_at IS NOT (
    SELECT min(t.gone_at) FROM (
        SELECT iif(g.always, -9223372036854775808, o.known_at) AS gone_at FROM gone g
        JOIN operation o ON o.scope = g.scope AND o.number = g.operation AND o.undone_by IS NULL
        WHERE g.scope = r.scope AND g.what = 2 AND g.subject = r.note AND g.revision = r.number
        UNION ALL
        SELECT -9223372036854775808 WHERE a.undone_by IS NOT NULL
    ) t
) OR (r.withdrawn_by IS NULL) != (r.gone_at IS NULL);

-- notes_withdrawn_by_none_or_the_reverse: the same of notes; one of which no revision counts is too
SELECT count(*) FROM note n WHERE n.gone_at IS NOT (
    SELECT min(iif(g.always, -9223372036854775808, o.known_at)) FROM gone g
    JOIN operation o ON o.scope = g.scope AND o.number = g.operation AND o.undone_by IS NULL
    WHERE g.scope = n.scope AND g.what = 1 AND g.subject = n.number
) OR (n.withdrawn_by IS NULL) != (n.gone_at IS NULL AND n.latest > 0);

-- marks_on_nothing: what is put out of force is there, and was before what puts it out of force
SELECT count(*) FROM gone g WHERE CASE
    WHEN g.what IN (0, 4) THEN NOT EXISTS (
        SELECT 1 FROM message WHERE scope = g.scope AND position = g.subject
    )
    WHEN g.what = 1 THEN NOT EXISTS (
        SELECT 1 FROM note WHERE scope = g.scope AND number = g.subject
    )
    WHEN g.what = 2 THEN NOT EXISTS (
        SELECT 1 FROM revision
        WHERE scope = g.scope AND note = g.subject AND number = g.revision
    )
    ELSE g.subject >= g.operation OR NOT EXISTS (
        SELECT 1 FROM operation WHERE scope = g.scope AND number = g.subject
    )
END;

-- revisions_superseded_by_nothing: what took the place of a note is there
SELECT count(*) FROM revision r
LEFT JOIN note n ON n.scope = r.scope AND n.number = r.superseded_by
WHERE r.superseded_by IS NOT NULL AND n.number IS NULL;

-- messages_added_by_no_operation: what is said to have added a message is there
SELECT count(*) FROM message m
LEFT JOIN operation o ON o.scope = m.scope AND o.number = m.operation
WHERE m.operation IS NOT NULL AND o.number IS NULL;

-- links_of_no_operation: and what made a link
SELECT count(*) FROM link l
LEFT JOIN operation o ON o.scope = l.scope AND o.number = l.operation
WHERE o.number IS NULL;

-- sources_of_no_operation: and what found that a revision rests on a message
SELECT count(*) FROM source s
LEFT JOIN operation o ON o.scope = s.scope AND o.number = s.operation
WHERE o.number IS NULL;

-- scopes_that_would_give_a_number_twice: positions and ids only rise
SELECT count(*) FROM scope c
WHERE c.messages < coalesce((SELECT max(position) FROM message WHERE scope = c.key), 0)
    OR c.documents < coalesce((SELECT max(id) FROM document WHERE scope = c.key), 0);

-- names_that_are_not_numbered_from_one: whoever reads sessions, speakers and items counts on it
SELECT count(*) FROM scope c
WHERE (SELECT count(*) FROM session WHERE scope = c.key)
    != (SELECT coalesce(max(number), 0) FROM session WHERE scope = c.key)
OR (SELECT count(*) FROM participant WHERE scope = c.key)
    != (SELECT coalesce(max(number), 0) FROM participant WHERE scope = c.key)
OR (SELECT count(*) FROM item WHERE scope = c.key)
    != (SELECT coalesce(max(number), 0) FROM item WHERE scope = c.key);

-- items_that_nothing_is_about: a name goes with the last message that uses it
SELECT count(*) FROM item t WHERE NOT EXISTS (
    SELECT 1 FROM interaction WHERE scope = t.scope AND item = t.number
);

-- leases_newer_than_their_scope: fences only rise
SELECT count(*) FROM lease l JOIN scope c ON c.key = l.scope WHERE l.fence > c.fence;
