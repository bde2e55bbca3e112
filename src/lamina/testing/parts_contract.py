"""The promises of `lamina.ports.Erasure` about one person's part, as tests."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lamina.errors import LeaseLost, StaleEpoch
from lamina.model import Scope, Step
from lamina.ports import Receipt, Reply, Store
from lamina.testing.clock import NOON
from lamina.testing.factories import append, at, draft, gone, known, note, say, scope, undo, write
from lamina.testing.factories import link as tie
from lamina.testing.store_contract import StoreContract

PAIR, SPACE = scope("ann-and-bo", "conversation"), scope("team", "space")
ANEW = (Step(kind="bind", subject="s1"),)


def forget_ann(store: Store, where: Scope = PAIR) -> Receipt:
    """Erase ann's part."""
    return store.forget_part(where, author="user:ann", speaker="ann", now=at(9), steps=ANEW)


class PartsContract(StoreContract):
    """What `Erasure` promises of parts; see `StoreContract`."""

    @pytest.fixture
    def said(self, store: Store) -> tuple[str, str, str]:
        """Messages of ann, bo and ann."""
        ann, bo, again = say(
            store,
            PAIR,
            draft("The code is 4711.", speaker="ann"),
            draft("Good.", speaker="bo", said_at=at(1)),
            draft("Keep the code.", speaker="ann", said_at=at(2)),
            steps=(),
        )
        return ann, bo, again

    def test_who_has_a_part_where_is_told(self, store: Store) -> None:
        say(store, PAIR, draft(speaker="ann"), draft("x", speaker="bo"))
        say(store, scope("only-bo", "conversation"), draft(speaker="bo"))
        say(store, scope("ann"), draft(speaker="ann"))
        say(store, scope("p", "conversation", tenant="t"), draft(speaker="ann"))
        append(store, SPACE, [draft(author="user:ann", speaker="somebody")])
        append(store, scope("other", "space"), [draft(author="user:annabel", speaker="ann")])

        assert set(store.parts("", "user:ann", "ann")) == {PAIR, SPACE}
        assert store.parts("t", "user:ann", "ann") == [scope("p", "conversation", tenant="t")]
        assert store.parts("", "user:%", "a%") == []

    def test_in_a_conversation_a_speakers_messages_go(
        self, store: Store, said: tuple[str, str, str]
    ) -> None:
        receipt = forget_ann(store)

        assert (receipt.scope, receipt.stage, receipt.messages) == (PAIR, "logical", 2)
        assert (receipt.epoch, receipt.recorded_at) == (1, at(9))
        assert [m.text for m in store.latest(PAIR, 9)] == ["Good."]
        assert [m.text for m in store.latest(PAIR, 9, at=known(99))] == ["Good."]
        assert store.known(PAIR, said) == {said[1]}
        assert store.participants(PAIR) == ["bo"]
        with store.snapshot(PAIR) as snapshot:
            assert snapshot.documents.refs == (said[1],)
            assert len(snapshot.postings(["code", "4711"]).rows) == 0
        assert store.purge()
        assert store.occurrences([b"4711"]) == [0]
        assert store.check() == []

    def test_in_a_space_an_authors_messages_go(self, store: Store) -> None:
        given = [
            draft("one", author="user:ann", speaker="bo"),
            draft("two", author="user:bo", speaker="ann"),
            draft("three", speaker="ann"),
        ]
        append(store, SPACE, given)

        receipt = forget_ann(store, SPACE)

        assert (receipt.author, receipt.messages) == ("user:ann", 1)
        assert [m.text for m in store.latest(SPACE, 9)] == ["two", "three"]
        assert store.check() == []

    def test_a_note_with_any_revision_that_rests_on_one_goes_whole(
        self, store: Store, said: tuple[str, str, str]
    ) -> None:
        ann, bo, _ = said
        kept = note("kept", event=bo)
        once = note("once", sources=(ann,))
        both = note("both", sources=(ann, bo), kind="summary", parents=("kept",))
        ties = (tie("once", "kept"), tie("both", "kept"))
        write(store, PAIR, kept, once, both, id_="op1", links=ties)
        write(store, PAIR, replace(once, revision=2, sources=(bo,)), id_="op2")

        receipt = forget_ann(store)

        assert receipt.notes == 2
        assert [n.id for n in store.list_notes(PAIR)] == ["kept"]
        assert store.history(PAIR, "once") == store.history(PAIR, "both") == []
        assert store.links(PAIR, ["kept"]) == []
        assert store.formed_from(PAIR, ["kept"]) == []
        assert store.check() == []

    def test_what_was_withdrawn_as_saying_the_same_counts_again(
        self, store: Store, said: tuple[str, str, str]
    ) -> None:
        ann, bo, _ = said
        of_ann, of_bo = note("a", "of ann", event=ann), note("b", "of bo", event=bo)
        write(store, PAIR, of_ann, of_bo, id_="op1")
        merged = replace(of_ann, revision=2, sources=(ann, bo), parents=("b",))
        write(store, PAIR, merged, id_="op2", gone=gone("note", "b", always=False))
        assert [n.text for n in store.list_notes(PAIR)] == ["of ann"]

        forget_ann(store)

        assert [n.text for n in store.list_notes(PAIR)] == ["of bo"]
        assert store.check() == []

    def test_what_they_consolidated_of_others_is_back_in_the_buffer(
        self, store: Store, said: tuple[str, str, str]
    ) -> None:
        ann, bo, _ = said
        summary = note("s", sources=(ann, bo), kind="summary")
        progress = {ann: "bound", bo: "bound"}
        write(store, PAIR, summary, id_="op1", progress=progress, consolidated=(ann, bo))

        forget_ann(store)

        assert [m.id for m in store.buffer(PAIR)] == [bo]
        assert [job.step for job in store.jobs(PAIR)] == list(ANEW)

    def test_the_log_tells_of_the_erasure_but_not_of_whom(
        self, store: Store, said: tuple[str, str, str]
    ) -> None:
        forget_ann(store)

        [made] = store.list_operations(PAIR)
        assert made.kind == "erasure"
        assert "ann" not in f"{made.cause} {made.model} {made.strategy} {made.id}"

    def test_no_writer_in_flight_brings_a_part_back(
        self, store: Store, said: tuple[str, str, str]
    ) -> None:
        store.enqueue(PAIR, ANEW, now=NOON)
        lease = store.lease("me", 60, now=NOON, scope=PAIR)
        assert lease
        before = store.epoch(PAIR)
        reply = {"d": Reply(text="The code is 4711.", model="m")}
        store.keep_replies(PAIR, reply, now=NOON)

        forget_ann(store)

        assert store.epoch(PAIR) == before + 1
        assert store.replies(PAIR, ["d"]) == {}
        with pytest.raises(StaleEpoch):
            append(store, PAIR, [draft("late", speaker="ann")], epoch=before)
        with pytest.raises(StaleEpoch):
            store.keep_replies(PAIR, reply, now=NOON, epoch=before)
        with pytest.raises(LeaseLost):
            store.renew(lease, 60, now=NOON)

    def test_who_has_no_part_loses_nothing(self, store: Store, said: tuple[str, str, str]) -> None:
        before = store.latest(PAIR, 9)

        receipt = store.forget_part(PAIR, author="user:cy", speaker="an", now=NOON, steps=())

        assert (receipt.messages, receipt.notes, receipt.documents) == (0, 0, 0)
        assert store.latest(PAIR, 9) == before
        assert store.check() == []

    def test_what_was_withdrawn_or_undone_goes_too(
        self, store: Store, said: tuple[str, str, str]
    ) -> None:
        write(store, PAIR, note("n", event=said[0]), id_="op1")
        write(store, PAIR, id_="op2", gone=gone("message", said[2]))
        undo(store, PAIR, "op1", by="op3")

        receipt = forget_ann(store)

        assert (receipt.messages, receipt.notes) == (2, 1)
        assert store.history(PAIR, "n") == []
        assert store.check() == []

    def test_sessions_keep_their_order_of_first_appearance(self, store: Store) -> None:
        say(
            store,
            PAIR,
            draft("One.", speaker="ann"),
            draft("Two.", session="s2", speaker="bo", said_at=at(3)),
            draft("Three.", speaker="bo", said_at=at(3)),
        )

        forget_ann(store)

        assert [session.id for session in store.sessions(PAIR)] == ["s1", "s2"]
        with store.snapshot(PAIR) as snapshot:
            assert snapshot.documents.session_names == ("s1", "s2")
