"""The promises of `lamina.ports.Upkeep`, as tests."""

from __future__ import annotations

from lamina.ports import Repaired, Store
from lamina.testing.clock import NOON
from lamina.testing.factories import at, draft, gone, note, say, scope, write, writing
from lamina.testing.store_contract import StoreContract

ALICE, BO = scope("alice"), scope("bo")


class UpkeepContract(StoreContract):
    """What `Upkeep` promises; see `StoreContract`."""

    def test_everything_is_counted(self, store: Store) -> None:
        ids = say(store, ALICE, "a", "b", "c", draft("d", session="s2", said_at=at(9)))
        say(store, BO, "e")
        notes = [
            note("f", event=ids[0]),
            note("g", event=ids[0]),
            note("r", kind="relation", event=ids[0], indexed=False),
            note("s", kind="summary", sources=(ids[0],)),
        ]
        progress = {ids[0]: "bound", ids[1]: "unextracted", ids[2]: "verbatim"}
        store.apply(ALICE, writing(*notes, progress=progress), now=NOON)

        assert store.counts(ALICE) == {
            "messages": 4, "sessions": 2, "facts": 2, "relations": 1, "summaries": 1,
            "user_notes": 0, "item_notes": 0, "patterns": 0,
            "documents": 7, "pending": 1, "unextracted": 1, "unconsolidated": 2, "jobs": 2,
        }  # fmt: skip
        assert store.counts()["messages"] == 5
        assert store.counts()["scopes"] == 2

    def test_what_is_withdrawn_is_not_counted(self, store: Store) -> None:
        [id_] = say(store, ALICE, "a", steps=())
        store.apply(ALICE, writing(note("f", event=id_)), now=NOON)

        marks = (*gone("message", id_), *gone("note", "f", always=False))
        write(store, ALICE, id_="op2", gone=marks)

        assert not any(store.counts(ALICE).values())

    def test_an_empty_store_counts_nothing(self, store: Store) -> None:
        assert not any(store.counts().values())
        assert not any(store.counts(ALICE).values())
        assert set(store.counts()) == {*store.counts(ALICE), "scopes", "unpurged"}

    def test_a_store_that_was_used_agrees_with_itself(self, store: Store) -> None:
        ids = say(store, ALICE, "a", "b")
        store.apply(ALICE, writing(note("f", event=ids[0])), now=NOON)
        write(store, ALICE, id_="op2", gone=gone("message", ids[1]))

        assert store.check() == []

    def test_where_all_agrees_there_is_nothing_to_repair(self, store: Store) -> None:
        ids = say(store, ALICE, "a", "b")
        store.apply(ALICE, writing(note("f", event=ids[0])), now=NOON)
        write(store, ALICE, id_="op2", gone=gone("message", ids[1]))
        before = store.dump(ALICE), store.counts(), store.jobs()

        assert store.repair(now=NOON) == Repaired()

        assert (store.dump(ALICE), store.counts(), store.jobs()) == before

    def test_closing_again_changes_nothing(self, store: Store) -> None:
        store.close()
        store.close()
