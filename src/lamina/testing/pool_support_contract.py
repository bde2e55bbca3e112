"""The promises of `lamina.ports.Support` about what patterns rest on, as tests."""

from __future__ import annotations

import numpy as np

from lamina.ports import NEVER, Store
from lamina.testing.factories import (
    at,
    gone,
    link,
    part,
    pattern,
    scope,
    shown,
    undo,
    vector,
    write,
)
from lamina.testing.graphs import (
    live,
    micros,
    rounded,
    supported,
    supporting,
    told,
)
from lamina.testing.pool_contract import (
    ELSEWHERE,
    POOL,
    RELATED,
    contribute,
    fill,
    take_in,
    taking_in,
)
from lamina.testing.store_contract import StoreContract


class PoolSupportContract(StoreContract):
    """What `Graph.support` promises; see `StoreContract`."""

    def test_each_revision_takes_in_one_part(self, store: Store) -> None:
        ann, bo, cy = contribute(
            store, part(said_at=at(1)), part("bo", said_at=at(2)), part("cy", said_at=at(3))
        )
        take_in(store, ann, pattern("p", ann), minute=4)
        take_in(store, bo, pattern("p", bo, "Turns from comedy.", revision=2), minute=5)
        second = pattern("q", cy, "Goes back.")
        third = pattern("p", cy, "Turns from comedy.", revision=3)
        take_in(store, cy, second, third, minute=6, links=(link("q", "p", RELATED),))

        assert [r.sources for r in store.history(POOL, "p")] == [(ann,), (bo,), (cy,)]
        assert store.links(POOL, ["p"]) == [link("q", "p", RELATED)]
        graph = store.graph(POOL)
        assert supported(graph) == [
            ("p", 1, ann, "ann", micros(1), micros(4), NEVER),
            ("p", 2, bo, "bo", micros(2), micros(5), NEVER),
            ("q", 1, cy, "cy", micros(3), micros(6), NEVER),
            ("p", 3, cy, "cy", micros(3), micros(6), NEVER),
        ]
        assert told(graph)[4] == [("q", "p", micros(6))]

    def test_support_is_aligned_and_of_its_types(self, store: Store) -> None:
        fill(store)

        for where, length in ((POOL, 7), (ELSEWHERE, 0), (scope("films", "recommender"), 0)):
            support = store.graph(where).support
            assert len(support.parts) == length
            for names, dtype in (("of revisions by", "i4"), ("at known_from known_until", "i8")):
                for name in names.split():
                    column = getattr(support, name)
                    assert (name, column.shape, column.dtype) == (
                        name, (length,), np.dtype(dtype),
                    )  # fmt: skip

    def test_who_says_nothing_new_keeps_the_words_and_their_document(self, store: Store) -> None:
        ann, bo, cy = contribute(store, part(), part("bo"), part("cy"))
        take_in(store, ann, pattern("p", ann), minute=1)
        take_in(store, bo, pattern("p", bo, revision=2), minute=2, silent=("p",))
        [before] = live(store.graph(POOL), "ref", "since", "until", "vector")
        take_in(store, cy, pattern("p", cy, revision=3), minute=3, silent=("p",))

        assert store.counts(POOL)["documents"] == 1
        assert live(store.graph(POOL), "ref", "since", "until", "vector") == {before}
        assert before[1:3] == (micros(1), NEVER)
        assert supporting(store.graph(POOL), 99) == {
            ("p", 1, "ann"),
            ("p", 2, "bo"),
            ("p", 3, "cy"),
        }
        with store.snapshot(POOL) as snapshot:
            assert snapshot.documents.refs == ("p",)
        assert store.check() == []

    def test_new_words_end_the_row_of_the_old_ones_but_not_their_support(
        self, store: Store
    ) -> None:
        ann, bo = contribute(store, part(), part("bo"))
        take_in(store, ann, pattern("p", ann), minute=1)
        new = pattern("p", bo, "Turns to horror, slowly.", revision=2)
        take_in(store, bo, new, minute=2)

        rows = sorted(row[5:] for row in told(store.graph(POOL))[3])
        assert [row[:2] for row in rows] == [(micros(1), micros(2)), (micros(2), NEVER)]
        assert rows[1][2] == rounded(vector(shown(new)))
        assert [row[5:] for row in supported(store.graph(POOL))] == [
            (micros(1), NEVER), (micros(2), NEVER),
        ]  # fmt: skip

    def test_at_a_moment_that_supports_which_was_known(self, store: Store) -> None:
        fill(store)
        graph = store.graph(POOL)

        known = [(minute, supporting(graph, minute)) for minute in (1, 1.5, 2.5, 3.5, 4.5)]
        ann, bo, cy = ("p", 1, "ann"), ("p", 2, "bo"), ("p", 3, "cy")
        assert known == [
            (1, set()),
            (1.5, {ann}),
            (2.5, {ann, bo}),
            (3.5, {ann, bo, cy, ("q", 1, "cy")}),
            (4.5, {ann, bo, cy, ("q", 1, "cy"), ("q", 2, "di"), ("r", 1, "di")}),
        ]

    def test_one_revision_that_is_put_out_supports_no_more(self, store: Store) -> None:
        fill(store)

        mark = gone("revision", "p", revision=2, always=False)
        write(store, POOL, id_="op8", minute=8, gone=mark)
        assert ("p", 2, "bo") in supporting(store.graph(POOL), 8)
        assert ("p", 2, "bo") not in supporting(store.graph(POOL), 8.5)
        assert ("p", 3, "cy") in supporting(store.graph(POOL), 8.5)
        write(store, POOL, id_="op9", minute=9, gone=gone("revision", "p", revision=1))
        assert supporting(store.graph(POOL), 1.5) == set()
        assert ("p", 1, "ann") not in supporting(store.graph(POOL), 99)
        assert store.notes(POOL, ["p"])[0].revision == 3

    def test_what_is_quarantined_never_supported(self, store: Store) -> None:
        fill(store)

        write(store, POOL, id_="op8", minute=8, gone=gone("note", "p"))

        graph = store.graph(POOL)
        assert "p" not in {row[0] for row in supported(graph)}
        assert supporting(graph, 3.5) == {("q", 1, "cy")}
        undo(store, POOL, "op8", by="op9", minute=9)
        assert ("p", 1, "ann") in supporting(store.graph(POOL), 3.5)

    def test_a_pattern_that_is_deleted_is_supported_until_then(self, store: Store) -> None:
        fill(store)

        write(store, POOL, id_="op8", minute=8, gone=gone("note", "q", always=False))

        graph = store.graph(POOL)
        assert {("q", 1, "cy"), ("q", 2, "di")} <= supporting(graph, 8)
        assert "q" not in {row[0] for row in supporting(graph, 8.5)}

    def test_what_an_operation_took_in_is_rolled_back_with_it(self, store: Store) -> None:
        ids = fill(store)
        before = supported(store.graph(POOL)), told(store.graph(POOL))

        undo(store, POOL, f"take-{ids['cy']}", by="op8", minute=8)

        graph = store.graph(POOL)
        assert "cy" not in {row[3] for row in supported(graph)}
        assert store.links(POOL, ["p"]) == []
        assert store.notes(POOL, ["p"])[0].revision == 2
        assert store.counts(POOL)["patterns"] == 2  # q lives by what di brought
        undo(store, POOL, "op8", by="op9", minute=9)
        assert (supported(store.graph(POOL)), told(store.graph(POOL))) == before

    def test_a_revision_after_one_that_was_undone_builds_on_what_counts(self, store: Store) -> None:
        ann, bo, cy = contribute(store, part(), part("bo"), part("cy"))
        take_in(store, ann, pattern("p", ann), minute=1)
        take_in(store, bo, pattern("p", bo, "Other words.", revision=2), minute=2)
        undo(store, POOL, f"take-{bo}", by="op3", minute=3)

        take_in(store, cy, pattern("p", cy, revision=2), minute=4, silent=("p",))

        assert supporting(store.graph(POOL), 99) == {("p", 1, "ann"), ("p", 3, "cy")}
        assert store.notes(POOL, ["p"])[0].text == "Turns to horror."
        assert live(store.graph(POOL), "ref", "since") == {("p", micros(1))}
        assert store.check() == []

    def test_who_supports_is_told_once_their_part_is_withdrawn(self, store: Store) -> None:
        ann, bo = contribute(store, part(), part("bo"))
        take_in(store, ann, pattern("p", ann), minute=1)
        take_in(store, bo, pattern("p", bo, revision=2), minute=2, silent=("p",))

        write(store, POOL, id_="op3", minute=3, gone=gone("message", ann, bo))

        graph = store.graph(POOL)
        assert graph.messages == ()
        assert supporting(graph, 99) == {("p", 1, "ann"), ("p", 2, "bo")}

    def test_a_part_may_be_taken_in_by_several_patterns(self, store: Store) -> None:
        ann, bo = contribute(store, part(), part("bo"))
        take_in(store, ann, pattern("p", ann), pattern("q", ann, "Other words."), minute=1)
        take_in(store, bo, pattern("p", bo, revision=2), pattern("q", bo, "More.", revision=2),
                minute=2)  # fmt: skip

        assert supporting(store.graph(POOL), 99) == {
            ("p", 1, "ann"), ("q", 1, "ann"), ("p", 2, "bo"), ("q", 2, "bo"),
        }  # fmt: skip

    def test_several_parts_are_taken_in_at_once_in_order(self, store: Store) -> None:
        ann, bo, cy = contribute(store, part(), part("bo"), part("cy"))
        writings = [
            taking_in(ann, pattern("p", ann), minute=1),
            taking_in(bo, pattern("p", bo, "New words.", revision=2), minute=2),
            taking_in(cy, pattern("p", cy, "New words.", revision=3), minute=3, silent=("p",)),
        ]

        store.apply_all(POOL, writings, now=at(9))

        assert [row[1:4] for row in supported(store.graph(POOL))] == [
            (1, ann, "ann"), (2, bo, "bo"), (3, cy, "cy"),
        ]  # fmt: skip
        assert store.counts(POOL)["documents"] == 1
        assert store.waiting(POOL, 9) == []
