-- What the first version held of one scope: three messages, of which the second was withdrawn and
-- the first two were consolidated; a note in two revisions, a withdrawn one, and a link.
INSERT INTO space VALUES (1, 'tests/1', 8, 64, '["en"]', 1);
INSERT INTO scope VALUES (1, '', 'user', 'alice', 0, 0, 3, 6, 4);
INSERT INTO session VALUES (1, 1, 's1', NULL);
INSERT INTO participant VALUES (1, 1, 'alice');
INSERT INTO message (scope, position, id, session, speaker, role, said_at, said_offset, recorded_at,
    progress, consolidated, withdrawn_by, exchange_due, text, metadata)
VALUES
    (1, 1, 'a', 1, 1, 'user', 1000, 60, 1500, 'bound', 1, NULL, 1, 'one', '{}'),
    (1, 2, 'b', 1, 1, 'user', 2000, 60, 2500, 'bound', 1, 4, 1, 'two', '{"x": 1}'),
    (1, 3, 'c', 1, 1, 'user', 3000, 60, 3500, 'bound', 0, NULL, 0, 'three', '{}');
INSERT INTO operation VALUES
    (1, 1, 'op1', 'bind', 'structmem', NULL, NULL, '', 4000, 4500),
    (1, 2, 'op2', 'consolidate', 'structmem', 'm', 'd', '', 5000, 5500),
    (1, 3, 'op3', 'update', NULL, NULL, NULL, '', 6000, 6500),
    (1, 4, 'op4', 'delete', NULL, NULL, NULL, '', 7000, 7500);
INSERT INTO note VALUES
    (1, 1, 'n', 0, 1, 2, 1000, NULL),
    (1, 2, 's', 2, NULL, 1, 2000, 4);
INSERT INTO revision VALUES
    (1, 1, 1, 1, 'user', 'alice', 'alice', 'stated', 1, 1, 0, 1000, 1000, NULL, NULL, 4000, 4500, 60, 'here'),
    (1, 1, 2, 3, 'user', 'alice', 'alice', 'stated', 1, 1, 1, 1000, 1000, NULL, NULL, 6000, 6500, 60, 'there'),
    (1, 2, 1, 2, 'user', NULL, NULL, 'stated', 1, 1, 0, 1000, 2000, NULL, NULL, 5000, 5500, 60, 'all');
INSERT INTO source VALUES
    (1, 1, 1, 1, 1), (1, 1, 2, 1, 3), (1, 2, 1, 1, 2), (1, 2, 1, 2, 2);
INSERT INTO parent VALUES (1, 2, 1, 0, 1);
INSERT INTO link VALUES (1, 1, 1, 'self', 1);
INSERT INTO document (scope, id, view, subject, previous, hidden, length, refers_from, refers_until, terms)
VALUES
    (1, 1, 0, 1, NULL, 0, 1, 0, 0, '{"one": 1}'),
    (1, 2, 0, 2, NULL, 1, 1, 0, 0, '{"two": 1}'),
    (1, 3, 0, 3, NULL, 0, 1, 0, 0, '{"three": 1}'),
    (1, 4, 1, 3, 1, 0, 2, 0, 0, '{"one": 1, "three": 1}'),
    (1, 5, 2, 1, NULL, 0, 1, 0, 0, '{"there": 1}'),
    (1, 6, 2, 2, NULL, 1, 1, 0, 0, '{"all": 1}');
INSERT INTO posting
SELECT d.scope, t.key, d.id, t.value FROM document d, json_each(d.terms) t;
INSERT INTO vector SELECT scope, 1, id, zeroblob(32) FROM document;
