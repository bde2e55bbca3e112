"""The promises of `lamina.ports.Erasure`, as tests."""

from __future__ import annotations

from lamina.model import Scope
from lamina.ports import Archive, Call, Receipt, Reply, Store
from lamina.testing.clock import NOON
from lamina.testing.factories import (
    at,
    draft,
    gone,
    known,
    link,
    note,
    recorded,
    say,
    scope,
    undo,
    write,
    writing,
)
from lamina.testing.store_contract import StoreContract

ALICE = scope("alice")


def fill(store: Store, owner: Scope, canary: str) -> None:
    """Put `canary` wherever a scope can hold words."""
    given = draft(f"My code is {canary}.", session=canary, speaker=canary, metadata={"x": canary})
    one, two = say(store, owner, given, draft("And more.", said_at=at(1), key=canary))
    notes = [
        note("n", f"The code is {canary}.", event=one, about=canary, said_by=canary),
        note("m", f"Somebody said {canary}.", sources=(one, two), kind="summary", parents=("n",)),
    ]
    store.apply(owner, writing(*notes, links=(link("m", "n", canary),)), now=NOON)
    store.keep_replies(owner, {"d": Reply(text=canary, model="m")}, now=NOON)
    store.record(owner, [Call(operation=canary, role="memory", model="m", input_tokens=1,
                              output_tokens=1, cost_usd=None, seconds=0.1, outcome="ok",
                              recorded_at=NOON)])  # fmt: skip


class ErasureContract(StoreContract):
    """What `Erasure` promises; see `StoreContract`."""

    def test_nothing_of_an_erased_scope_is_left(self, store: Store) -> None:
        fill(store, ALICE, "canary")
        ids = [m.id for m in store.latest(ALICE, 9)]

        store.forget(ALICE, now=NOON)

        assert store.latest(ALICE, 9) == []
        assert store.known(ALICE, ids) == set()
        assert not store.sessions(ALICE)
        assert not store.participants(ALICE)
        assert not store.list_notes(ALICE)
        assert not store.history(ALICE, "n")
        assert not store.operations(ALICE, ["op1"])
        assert not store.links(ALICE, ["n", "m"])
        assert store.jobs() == []
        assert store.replies(ALICE, ["d"]) == {}
        assert store.scopes() == []
        with store.snapshot(ALICE) as snapshot:
            assert snapshot.documents.refs == ()
            assert len(snapshot.postings(["code", "canary"]).rows) == 0
        assert store.list_operations(ALICE) == []
        assert store.dump(ALICE) == Archive()
        left = store.counts()
        assert not any(count for name, count in left.items() if name != "unpurged")
        assert store.check() == []

    def test_the_receipt_counts_what_was_removed(self, store: Store) -> None:
        fill(store, ALICE, "canary")

        receipt = store.forget(ALICE, now=at(5))

        assert receipt == Receipt(
            scope=ALICE, stage="logical", epoch=1, messages=2, notes=2, documents=4,
            recorded_at=at(5),
        )  # fmt: skip
        assert "canary" not in str(receipt.to_dict())

    def test_others_are_untouched(self, store: Store) -> None:
        owners = [scope(id_) for id_ in ("a", "ab", "a%", "A", "_", "*")]
        for owner in owners:
            fill(store, owner, f"canary of {owner.id}")
        before = {owner: (store.latest(owner, 9), store.list_notes(owner)) for owner in owners[1:]}

        store.forget(owners[0], now=NOON)

        for owner, (messages, notes) in before.items():
            assert store.latest(owner, 9) == messages
            assert store.list_notes(owner) == notes
            assert store.counts(owner)["documents"] == 4
            assert store.epoch(owner) == 0
        assert store.check() == []

    def test_the_epoch_rises_with_each_erasure(self, store: Store) -> None:
        assert store.epoch(ALICE) == 0

        assert store.forget(ALICE, now=NOON).epoch == 1
        fill(store, ALICE, "canary")
        assert store.epoch(ALICE) == 1
        assert store.forget(ALICE, now=NOON).epoch == 2

        assert store.epoch(ALICE) == 2

    def test_who_returns_begins_anew(self, store: Store) -> None:
        fill(store, ALICE, "canary")
        with store.snapshot(ALICE):
            pass
        store.forget(ALICE, now=NOON)

        [id_] = say(store, ALICE, "Hello again.")

        [message] = store.latest(ALICE, 9)
        assert (message.id, message.position) == (id_, 1)
        with store.snapshot(ALICE) as snapshot:
            assert snapshot.documents.refs == (id_,)
            assert len(snapshot.postings(["canary"]).rows) == 0

    def test_a_search_that_is_under_way_ends_in_peace(self, store: Store) -> None:
        fill(store, ALICE, "canary")

        with store.snapshot(ALICE) as snapshot:
            store.forget(ALICE, now=NOON)
            assert len(snapshot.documents.refs) == 4
            assert len(snapshot.postings(["canary"]).rows) == 3

    def test_a_purge_rids_the_files_of_what_was_erased(self, store: Store) -> None:
        fill(store, ALICE, "canary-4711")
        store.forget(ALICE, now=NOON)

        assert store.purge()

        assert store.occurrences([b"canary-4711", "canary-4711".encode("utf-16-le")]) == [0, 0]
        assert store.counts()["unpurged"] == 0
        assert store.purge()
        assert store.check() == []

    def test_what_was_put_out_of_force_is_erased_too(self, store: Store) -> None:
        fill(store, ALICE, "canary-4711")
        [one, _] = store.latest(ALICE, 9)
        write(store, ALICE, id_="op2", gone=(*gone("message", one.id), *gone("note", "n", "m")))
        undo(store, ALICE, "op1", by="op3")

        receipt = store.forget(ALICE, now=NOON)
        assert store.purge()

        assert (receipt.messages, receipt.notes) == (2, 2)
        assert store.occurrences([b"canary-4711"]) == [0]
        assert store.dump(ALICE) == Archive()

    def test_no_moment_of_the_past_shows_what_was_erased(self, store: Store) -> None:
        fill(store, ALICE, "canary")
        store.forget(ALICE, now=NOON)

        for moment in (known(9999), recorded(9999)):
            assert store.latest(ALICE, 9, at=moment) == []
            assert store.list_notes(ALICE, at=moment) == []
            with store.snapshot(ALICE, at=moment) as snapshot:
                assert snapshot.documents.refs == ()

    def test_what_files_hold_of_themselves_is_nobodys(self, store: Store) -> None:
        before = store.own_words()
        fill(store, ALICE, "canary")

        assert store.own_words() == before
        assert "canary" not in " ".join(before)
