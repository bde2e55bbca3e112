"""The promises of `lamina.ports` about what is put out of force, as tests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from lamina.errors import Conflict
from lamina.model import Gone, Note
from lamina.ports import Store
from lamina.testing.factories import (
    append,
    at,
    document,
    draft,
    gone,
    link,
    note,
    operation,
    say,
    scope,
    undo,
    write,
)
from lamina.testing.store_contract import StoreContract

ALICE, BO = scope("alice"), scope("bo")


def texts(notes: list[Note]) -> list[str]:
    """Return what notes say."""
    return [each.text for each in notes]


def shown(store: Store) -> list[str]:
    """Return what search can find of alice."""
    with store.snapshot(ALICE) as snapshot:
        return list(snapshot.documents.refs)


def everything(store: Store) -> Any:
    """Return what alice is told without asking for the log."""
    return (
        store.latest(ALICE, 99),
        store.sessions(ALICE),
        store.list_notes(ALICE, superseded=True),
        store.links(ALICE, ["n", "m"]),
        store.buffer(ALICE),
        shown(store),
    )


class UndoingContract(StoreContract):
    """What is promised of `Gone`; see `StoreContract`."""

    @pytest.fixture
    def said(self, store: Store) -> list[str]:
        """Three messages of alice."""
        return say(store, ALICE, "I moved to Oslo.", "Bo helped.", "It snowed.")

    @pytest.fixture
    def first(self, store: Store, said: list[str]) -> Note:
        """The first revision of a note."""
        first = note("n", "in Oslo", event=said[0])
        write(store, ALICE, first, id_="op1")
        return first

    @pytest.mark.parametrize("always", [True, False])
    def test_a_note_out_of_force_is_hidden_but_in_its_history(
        self, store: Store, said: list[str], first: Note, always: bool
    ) -> None:
        tied = (link("n", "m", "x"),)
        write(store, ALICE, note("m", "m", event=said[0]), id_="op2", links=tied)
        before = everything(store)

        write(store, ALICE, id_="op3", gone=gone("note", "n", always=always))

        assert texts(store.notes(ALICE, ["n", "m"])) == ["m"]
        assert texts(store.list_notes(ALICE)) == ["m"]
        assert texts(store.of_messages(ALICE, said)[said[0]]) == ["m"]
        assert texts(store.resting_on(ALICE, said)) == ["m"]
        assert store.links(ALICE, ["m"]) == []
        assert store.counts(ALICE)["facts"] == 1
        assert "n" not in shown(store)
        assert [(r.withdrawn, r.undone_by) for r in store.history(ALICE, "n")] == [(True, "op3")]
        assert store.check() == []

        undo(store, ALICE, "op3", by="op4")

        assert everything(store) == before
        assert [(r.withdrawn, r.undone_by) for r in store.history(ALICE, "n")] == [(False, None)]
        assert store.check() == []

    def test_hidden_messages_and_what_was_said_of_them_can_be_read(
        self, store: Store, said: list[str]
    ) -> None:
        write(store, ALICE, id_="op1", gone=gone("message", said[0]))
        write(store, ALICE, id_="op2", gone=gone("message", said[1]))
        undo(store, ALICE, "op2", by="op3")

        read = store.recorded(ALICE, [said[1], "no such", said[0]])
        assert [(m.id, m.withdrawn) for m in read] == [(said[1], False), (said[0], True)]
        marks = store.marks_on(ALICE, "message", [*said, "no such"])
        assert [(mark.id, by) for mark, by in marks] == [(said[0], "op1"), (said[1], "op2")]
        assert [by for _, by in store.marks_on(ALICE, "operation", ["op2"])] == ["op3"]
        assert (store.recorded(BO, said), store.marks_on(BO, "message", said)) == ([], [])

    @pytest.mark.parametrize("always", [True, False])
    def test_a_note_is_as_the_last_revision_in_force_says(
        self, store: Store, first: Note, always: bool
    ) -> None:
        write(store, ALICE, replace(first, text="in Rome", revision=2), id_="op2")
        write(store, ALICE, replace(first, text="in Bern", revision=3), id_="op3")

        write(store, ALICE, id_="op4", gone=gone("revision", "n", revision=3, always=always))
        assert texts(store.notes(ALICE, ["n"])) == ["in Rome"]
        write(store, ALICE, id_="op5", gone=gone("revision", "n", revision=1, always=always))
        assert texts(store.notes(ALICE, ["n"])) == ["in Rome"]
        write(store, ALICE, id_="op6", gone=gone("revision", "n", revision=2, always=always))
        assert store.notes(ALICE, ["n"]) == []
        assert "n" not in shown(store)
        history = store.history(ALICE, "n")
        assert [(r.withdrawn, r.undone_by) for r in history] == [
            (True, "op5"),
            (True, "op6"),
            (True, "op4"),
        ]

        undo(store, ALICE, "op4", by="op7")
        assert texts(store.notes(ALICE, ["n"])) == ["in Bern"]
        assert store.check() == []

    def test_an_operation_that_is_undone_is_as_if_it_had_not_been(
        self, store: Store, said: list[str], first: Note
    ) -> None:
        before = everything(store)
        write(
            store,
            ALICE,
            replace(first, text="in Rome", revision=2),
            note("m", "new", event=said[1]),
            id_="op2",
            links=(link("m", "n"),),
            gone=gone("message", said[2], always=False),
        )
        after = everything(store)
        assert after != before

        undo(store, ALICE, "op2", by="op3")
        assert everything(store) == before
        assert [each.undone_by for each in store.operations(ALICE, ["op2", "op3"])] == [
            "op3",
            None,
        ]
        assert store.check() == []

        undo(store, ALICE, "op3", by="op4")
        assert everything(store) == after
        assert [each.undone_by for each in store.operations(ALICE, ["op2", "op3"])] == [
            None,
            "op4",
        ]

        undo(store, ALICE, "op4", by="op5")
        assert everything(store) == before
        assert store.check() == []

    def test_messages_that_an_undone_operation_added_are_gone_until_it_counts_again(
        self, store: Store, said: list[str]
    ) -> None:
        before = everything(store)
        given = [draft("imported", said_at=at(5)), draft("too", session="s2", said_at=at(6))]
        append(store, ALICE, given, operation=operation("import1", "import"))
        after = everything(store)
        ids = store.added_by(ALICE, "import1")

        undo(store, ALICE, "import1", by="op1")

        assert everything(store) == before
        assert store.known(ALICE, ids) == set(ids)
        assert store.added_by(ALICE, "import1") == ids
        assert [a.new for a in append(store, ALICE, given)] == [False, False]
        assert everything(store) == before
        assert store.check() == []

        undo(store, ALICE, "op1", by="op2")
        assert everything(store) == after
        assert store.check() == []

    def test_notes_of_an_undone_operation_are_hidden_for_whoever_says_them_again(
        self, store: Store, said: list[str]
    ) -> None:
        write(store, ALICE, note("n", event=said[0]), id_="op1")
        undo(store, ALICE, "op1", by="op2")

        write(store, ALICE, note("n", event=said[0], sources=(said[0], said[1])), id_="op3")

        assert store.notes(ALICE, ["n"]) == []
        assert store.check() == []

    def test_what_two_put_out_of_force_needs_both_undone(
        self, store: Store, said: list[str], first: Note
    ) -> None:
        both = (*gone("note", "n"), *gone("message", said[0]))
        write(store, ALICE, id_="op2", gone=both)
        write(store, ALICE, id_="op3", gone=both)

        undo(store, ALICE, "op2", by="op4")
        assert store.notes(ALICE, ["n"]) == []
        assert store.messages(ALICE, said[:1]) == []
        undo(store, ALICE, "op3", by="op5")
        assert texts(store.notes(ALICE, ["n"])) == ["in Oslo"]
        assert len(store.messages(ALICE, said[:1])) == 1

    def test_what_is_undone_cannot_be_undone_again(self, store: Store, first: Note) -> None:
        undo(store, ALICE, "op1", by="op2")

        with pytest.raises(Conflict):
            undo(store, ALICE, "op1", by="op3")

        assert store.operations(ALICE, ["op3"]) == []
        undo(store, ALICE, "op2", by="op4")
        undo(store, ALICE, "op1", by="op5")
        assert store.notes(ALICE, ["n"]) == []

    def test_links_of_an_undone_operation_do_not_show(
        self, store: Store, said: list[str], first: Note
    ) -> None:
        write(store, ALICE, note("m", event=said[1]), id_="op2")
        write(store, ALICE, id_="op3", links=(link("m", "n"),))

        undo(store, ALICE, "op3", by="op4")
        assert store.links(ALICE, ["n"]) == []
        undo(store, ALICE, "op4", by="op5")
        assert store.links(ALICE, ["n"]) == [link("m", "n")]

    def test_a_link_made_anew_by_another_operation_shows(
        self, store: Store, said: list[str], first: Note
    ) -> None:
        write(store, ALICE, note("m", event=said[1]), id_="op2")
        write(store, ALICE, id_="op3", links=(link("m", "n"),))
        undo(store, ALICE, "op3", by="op4")

        write(store, ALICE, id_="op5", links=(link("m", "n"),))

        assert store.links(ALICE, ["n"]) == [link("m", "n")]

    def test_what_an_operation_put_out_of_force_is_told_as_it_said_so(
        self, store: Store, said: list[str], first: Note
    ) -> None:
        marks = (
            Gone(what="revision", id="n", revision=1),
            Gone(what="message", id=said[1], always=False),
            Gone(what="note", id="n", always=False),
            Gone(what="operation", id="op1"),
            Gone(what="consolidation", id=said[2]),
        )
        write(store, ALICE, id_="op2", gone=marks)

        assert store.gone_by(ALICE, "op2") == list(marks)
        undo(store, ALICE, "op2", by="op3")
        assert store.gone_by(ALICE, "op2") == list(marks)
        assert store.gone_by(ALICE, "op1") == store.gone_by(ALICE, "nope") == []
        assert store.gone_by(BO, "op2") == []

    def test_a_message_comes_back_into_the_buffer_until_it_is_consolidated_again(
        self, store: Store, said: list[str]
    ) -> None:
        write(store, ALICE, id_="op1", progress={said[0]: "bound"})
        write(store, ALICE, id_="op2", consolidated=(said[0],))
        assert store.buffer(ALICE) == []

        write(store, ALICE, id_="op3", gone=gone("consolidation", said[0]))
        assert [m.id for m in store.buffer(ALICE)] == [said[0]]
        assert [m.consolidated for m in store.messages(ALICE, said[:1])] == [False]
        assert store.counts(ALICE)["unconsolidated"] == 1

        write(store, ALICE, id_="op4", consolidated=(said[0],))
        assert store.buffer(ALICE) == []
        assert store.check() == []

    def test_who_consolidated_a_message_last_is_told_whatever_counts(
        self, store: Store, said: list[str]
    ) -> None:
        write(store, ALICE, id_="op1", consolidated=(said[1], said[0]))
        assert store.consolidated_by(ALICE, "op1") == said[:2]

        write(store, ALICE, id_="op2", gone=gone("consolidation", said[0]))
        write(store, ALICE, id_="op3", consolidated=(said[0],))
        undo(store, ALICE, "op3", by="op4")

        assert store.consolidated_by(ALICE, "op1") == [said[1]]
        assert store.consolidated_by(ALICE, "op3") == [said[0]]
        assert store.consolidated_by(ALICE, "nope") == store.consolidated_by(BO, "op1") == []

    def test_a_rollback_of_a_consolidation_can_be_rolled_back(
        self, store: Store, said: list[str]
    ) -> None:
        write(store, ALICE, id_="op1", progress={said[0]: "bound"})
        summary = note("s", "a talk", kind="summary", sources=(said[0],))
        write(store, ALICE, summary, id_="op2", consolidated=(said[0],))
        before = everything(store)

        marks = (*gone("operation", "op2"), *gone("consolidation", said[0]))
        write(store, ALICE, id_="op3", gone=marks)
        assert [m.id for m in store.buffer(ALICE)] == [said[0]]
        assert store.list_notes(ALICE) == []

        undo(store, ALICE, "op3", by="op4")
        assert everything(store) == before
        assert store.check() == []

    def test_what_is_shown_of_a_hidden_message_stays_hidden(
        self, store: Store, said: list[str]
    ) -> None:
        write(store, ALICE, id_="op1", gone=gone("message", said[0]))

        write(store, ALICE, id_="op2", documents=(document("turn", said[0], "late"),))

        assert said[0] not in shown(store)
        undo(store, ALICE, "op1", by="op3")
        assert said[0] in shown(store)
        assert store.check() == []

    def test_undoing_in_one_scope_leaves_the_others(self, store: Store, first: Note) -> None:
        [of_bo] = say(store, BO, "mine")
        write(store, BO, note("n", "of bo", event=of_bo), id_="op1")

        undo(store, ALICE, "op1", by="op2")

        assert texts(store.notes(BO, ["n"])) == ["of bo"]
        assert store.operations(BO, ["op1"])[0].undone_by is None
