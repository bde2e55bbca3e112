"""The promises of `lamina.ports.Erasure` about a pool that somebody has left, as tests."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lamina.errors import LeaseLost, StaleEpoch
from lamina.ports import Reply, Store
from lamina.testing.clock import NOON
from lamina.testing.factories import (
    part,
    pattern,
    undo,
)
from lamina.testing.graphs import live, supported, supporting, told
from lamina.testing.pool_contract import (
    ELSEWHERE,
    POOL,
    STEP,
    contribute,
    fill,
    take_in,
    taking_in,
)
from lamina.testing.pool_parts_contract import assert_nothing_is_forgotten, forget, waiting
from lamina.testing.store_contract import StoreContract
from lamina.testing.transfer_contract import shown_by


class LeftPoolContract(StoreContract):
    """What `Erasure` promises of what is left of a pool; see `StoreContract`."""

    def test_erasing_again_erases_nothing_more(self, store: Store) -> None:
        fill(store)
        forget(store, "bo")

        assert_nothing_is_forgotten(store, "bo")

    def test_whoever_works_there_is_told_that_it_changed(self, store: Store) -> None:
        ids = fill(store)
        store.configure(POOL, {"k": 3})
        lease = store.lease("worker", 999, now=NOON, scope=POOL)
        assert lease is not None
        store.keep_replies(POOL, {"d": Reply(text="x", model="m")}, now=NOON)

        receipt = forget(store, "di")

        assert (receipt.author, receipt.epoch, store.epoch(POOL)) == ("user:di", 1, 1)
        assert store.configuration(POOL) == {"k": 3}
        assert [job.step for job in store.jobs(POOL)] == list(STEP)
        with pytest.raises(LeaseLost):
            store.apply(POOL, taking_in(ids["bo"], id_="late"), now=NOON, lease=lease)
        with pytest.raises(StaleEpoch):
            store.keep_replies(POOL, {"e": Reply(text="x", model="m")}, now=NOON, epoch=0)

    def test_evolution_goes_on_afterwards(self, store: Store) -> None:
        bo, ann, cy, di = contribute(store, part("bo"), part(), part("cy"), part("di"))
        take_in(store, bo, pattern("p", bo), minute=1)
        take_in(store, ann, pattern("p", ann, revision=2), minute=2, silent=("p",))
        take_in(store, cy, pattern("p", cy, revision=3), minute=3, silent=("p",))
        before = store.graph(POOL)
        forget(store)

        take_in(store, di, pattern("p", di, "Newer words.", revision=4), minute=5)
        [eve] = contribute(store, part("eve"))
        take_in(store, eve, pattern("p", eve, "Newer words.", revision=5), minute=6,
                silent=("p",))  # fmt: skip

        assert supporting(store.graph(POOL), 99) == {
            ("p", 1, "bo"), ("p", 3, "cy"), ("p", 4, "di"), ("p", 5, "eve"),
        }  # fmt: skip
        assert store.notes(POOL, ["p"])[0].text == "Newer words."
        assert len(live(store.graph(POOL), "ref")) == 1
        assert ("p", 2, "ann") in supporting(before, 99)  # what was handed out stays what it was
        undo(store, POOL, f"take-{di}", by="op9", minute=9)
        assert supporting(store.graph(POOL), 99) >= {("p", 1, "bo"), ("p", 3, "cy")}
        assert store.check() == []

    def test_who_returns_begins_anew(self, store: Store) -> None:
        [ann] = contribute(store, part(key="k"))
        take_in(store, ann, pattern("p", ann), minute=1)
        forget(store)

        [again] = contribute(store, part(key="k"))

        assert waiting(store) == [again]
        take_in(store, again, pattern("p", again), minute=2)
        assert supporting(store.graph(POOL), 99) == {("p", 1, "ann")}
        assert store.check() == []

    @pytest.mark.parametrize("user", ["ann", "bo", "cy", "di"])
    def test_what_is_left_is_read_alike_from_a_copy(self, store: Store, user: str) -> None:
        fill(store)
        [eve] = contribute(store, part("eve"))
        [told_of] = store.notes(POOL, ["q"])
        new = replace(told_of, revision=told_of.revision + 1, sources=(eve,))
        take_in(store, eve, new, minute=8, silent=("q",))
        forget(store, user)
        archive = store.dump(POOL)

        store.load(ELSEWHERE, archive, shown_by(archive), steps=(), now=NOON)

        assert store.dump(ELSEWHERE) == archive
        assert told(store.graph(ELSEWHERE)) == told(store.graph(POOL))
        assert supported(store.graph(ELSEWHERE)) == supported(store.graph(POOL))
        assert store.list_notes(ELSEWHERE) == store.list_notes(POOL)
        assert [job.step for job in store.jobs(ELSEWHERE)] == []
        assert store.check() == []
