"""The promises of `lamina.ports` about reading the past, as tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

import pytest

from lamina.model import At, Message, Note
from lamina.ports import Store
from lamina.testing.clock import NOON
from lamina.testing.factories import (
    append,
    at,
    draft,
    gone,
    known,
    link,
    note,
    operation,
    recorded,
    say,
    scope,
    undo,
    write,
    writing,
)
from lamina.testing.store_contract import StoreContract

ALICE = scope("alice")
Bound: TypeAlias = Callable[[float], At]
"""`known` or `recorded`."""


def texts(found: list[Note] | list[Message]) -> list[str]:
    """Return what notes or messages say."""
    return [each.text for each in found]


def known_of_recorded(as_of: float, recorded_as_of: float) -> At:
    """Return a moment with both bounds, in minutes after noon."""
    return At(as_of=at(as_of), recorded_as_of=at(recorded_as_of))


class MomentsContract(StoreContract):
    """What is promised of reads `at` a moment; see `StoreContract`.

    Messages are said at minutes 0, 1 and 2 and recorded at minute 5; a note is written at minutes
    10, 20 and 30, each time with one source more.
    """

    @pytest.fixture
    def said(self, store: Store) -> list[str]:
        """Three messages of alice."""
        given = [draft(text, said_at=at(i)) for i, text in enumerate(("one", "two", "three"))]
        return [a.id for a in append(store, ALICE, given, now=at(5))]

    @pytest.fixture
    def first(self, store: Store, said: list[str]) -> Note:
        """A note in three revisions; the first of them."""
        first = note("n", "in Oslo", event=said[0])
        write(store, ALICE, first, id_="op1", minute=10)
        second = replace(first, text="in Rome", revision=2, sources=tuple(said[:2]), said_at=at(1))
        write(store, ALICE, second, id_="op2", minute=20)
        third = replace(second, text="in Bern", revision=3, sources=tuple(said), said_at=at(2))
        write(store, ALICE, third, id_="op3", minute=30)
        return first

    def test_of_messages_only_what_was_said_strictly_before_shows(
        self, store: Store, said: list[str]
    ) -> None:
        def heard(moment: At | None) -> list[str]:
            found = texts(store.messages(ALICE, said, at=moment))
            assert texts(store.latest(ALICE, 9, at=moment)) == found
            assert texts(store.latest(ALICE, 9, session="s1", at=moment)) == found
            assert store.latest(ALICE, 9, session="s2", at=moment) == []
            return found

        assert heard(known(0)) == []
        assert heard(known(1)) == ["one"]
        assert heard(known(1.5)) == ["one", "two"]
        assert heard(known(9)) == heard(At()) == heard(None) == ["one", "two", "three"]
        assert heard(recorded(5)) == []
        assert heard(recorded(6)) == ["one", "two", "three"]
        assert heard(known_of_recorded(1, 6)) == ["one"]
        assert heard(known_of_recorded(1, 5)) == []

    def test_the_latest_are_the_latest_of_then(self, store: Store, said: list[str]) -> None:
        say(store, ALICE, draft("between", said_at=at(0.5)), draft("later", said_at=at(60)))

        assert texts(store.latest(ALICE, 2, at=known(1))) == ["one", "between"]
        assert texts(store.latest(ALICE, 1, at=known(60))) == ["three"]

    @pytest.mark.parametrize("moment", [known, recorded])
    def test_a_note_is_as_the_revision_of_then_says(
        self, store: Store, said: list[str], first: Note, moment: Bound
    ) -> None:
        def read(minute: float) -> list[tuple[str, int, int]]:
            then = moment(minute)
            found = store.notes(ALICE, ["n"], at=then)
            assert store.of_messages(ALICE, said, at=then).get(said[0], []) == found
            assert store.list_notes(ALICE, at=then) == found
            assert store.resting_on(ALICE, said[:1], at=then) == found
            resting = store.resting_on(ALICE, said[2:], at=then)
            assert resting == [n for n in found if said[2] in n.sources]
            return [(n.text, n.revision, len(n.sources)) for n in found]

        assert read(10) == []
        assert read(11) == read(20) == [("in Oslo", 1, 1)]
        assert read(21) == read(30) == [("in Rome", 2, 2)]
        assert read(31) == [("in Bern", 3, 3)]
        assert store.notes(ALICE, ["n"], at=moment(11)) == store.revisions(ALICE, "n")[:1]

    def test_what_was_learnt_later_of_earlier_is_told_by_both_bounds(
        self, store: Store, said: list[str]
    ) -> None:
        late = operation("op1", known_at=at(10), recorded_at=at(90))
        store.apply(ALICE, writing(note("n", event=said[0]), operation=late), now=NOON)

        assert len(store.notes(ALICE, ["n"], at=known(11))) == 1
        assert store.notes(ALICE, ["n"], at=known_of_recorded(11, 90)) == []
        assert len(store.notes(ALICE, ["n"], at=known_of_recorded(11, 91))) == 1
        assert store.notes(ALICE, ["n"], at=known_of_recorded(10, 91)) == []

    def test_a_gained_source_is_known_from_when_it_was_gained(
        self, store: Store, said: list[str]
    ) -> None:
        write(store, ALICE, note("n", event=said[0]), id_="op1", minute=10)
        write(store, ALICE, note("n", sources=(said[1],), said_at=at(1)), id_="op2", minute=20)

        before, after = (store.notes(ALICE, ["n"], at=known(m))[0] for m in (20, 21))
        assert (before.sources, before.said_at) == ((said[0],), NOON)
        assert (after.sources, after.said_at) == (tuple(said[:2]), at(1))
        assert texts(store.resting_on(ALICE, [said[1]], at=known(20))) == []

    @pytest.mark.parametrize("moment", [known, recorded])
    def test_a_deletion_hides_from_when_it_was_known(
        self, store: Store, said: list[str], first: Note, moment: Bound
    ) -> None:
        marks = (*gone("note", "n", always=False), *gone("message", said[0], always=False))
        write(store, ALICE, id_="op4", minute=40, gone=marks)

        def read(minute: float) -> list[str]:
            notes = texts(store.notes(ALICE, ["n"], at=moment(minute)))
            assert texts(store.list_notes(ALICE, at=moment(minute))) == notes
            return [*notes, *texts(store.messages(ALICE, said[:1], at=moment(minute)))]

        assert read(15) == ["in Oslo", "one"]
        assert read(40) == ["in Bern", "one"]
        assert read(41) == []

    def test_what_is_set_aside_is_hidden_at_every_moment_but_for_an_audit(
        self, store: Store, said: list[str], first: Note
    ) -> None:
        marks = (*gone("note", "n"), *gone("message", said[0]))
        write(store, ALICE, id_="op4", minute=40, gone=marks)

        def read(moment: At) -> list[str]:
            notes = texts(store.notes(ALICE, ["n"], at=moment))
            return [*notes, *texts(store.latest(ALICE, 1, session="s1", at=moment))]

        assert read(known(1)) == []
        assert read(known(15)) == read(known(99)) == ["three"]
        assert read(recorded(40)) == ["in Bern", "three"]
        assert read(recorded(41)) == ["three"]
        assert read(known_of_recorded(1, 40)) == ["one"]
        assert read(known_of_recorded(15, 40)) == ["in Oslo", "three"]
        assert read(known_of_recorded(15, 41)) == ["three"]

    def test_what_was_put_out_twice_is_hidden_from_the_first_on(
        self, store: Store, said: list[str], first: Note
    ) -> None:
        write(store, ALICE, id_="op4", minute=60, gone=gone("note", "n", always=False))
        write(store, ALICE, id_="op5", minute=40, gone=gone("note", "n", always=False))
        assert len(store.notes(ALICE, ["n"], at=known(40))) == 1
        assert store.notes(ALICE, ["n"], at=known(41)) == []

        undo(store, ALICE, "op5", by="op6", minute=70)
        assert len(store.notes(ALICE, ["n"], at=known(60))) == 1
        assert store.notes(ALICE, ["n"], at=known(61)) == []

    @pytest.mark.parametrize("always", [True, False])
    def test_a_withdrawn_revision_gives_way_to_the_one_before_it(
        self, store: Store, first: Note, always: bool
    ) -> None:
        marks = gone("revision", "n", revision=3, always=always)
        write(store, ALICE, id_="op4", minute=40, gone=marks)

        def read(moment: At) -> list[str]:
            return texts(store.notes(ALICE, ["n"], at=moment))

        assert read(known(15)) == ["in Oslo"]
        assert read(known(40)) == (["in Rome"] if always else ["in Bern"])
        assert read(known(41)) == read(At()) == ["in Rome"]
        assert read(recorded(40)) == ["in Bern"]
        assert read(recorded(41)) == ["in Rome"]

    def test_a_rolled_back_operation_never_was_but_for_an_audit(
        self, store: Store, first: Note
    ) -> None:
        undo(store, ALICE, "op2", by="op4", minute=40)

        def read(moment: At) -> list[str]:
            return texts(store.notes(ALICE, ["n"], at=moment))

        assert read(known(11)) == read(known(30)) == ["in Oslo"]
        assert read(known(31)) == ["in Bern"]
        assert read(recorded(40)) == ["in Bern"]
        assert read(known_of_recorded(30, 40)) == ["in Rome"]
        assert read(known_of_recorded(30, 41)) == ["in Oslo"]

        undo(store, ALICE, "op4", by="op5", minute=50)
        assert read(known(30)) == ["in Rome"]
        assert read(known_of_recorded(30, 41)) == read(known_of_recorded(30, 50)) == ["in Oslo"]
        assert read(known_of_recorded(30, 51)) == ["in Rome"]

    def test_a_deletion_that_is_undone_never_was_but_for_an_audit(
        self, store: Store, first: Note
    ) -> None:
        write(store, ALICE, id_="op4", minute=40, gone=gone("note", "n", always=False))
        undo(store, ALICE, "op4", by="op5", minute=50)

        assert texts(store.notes(ALICE, ["n"], at=known(45))) == ["in Bern"]
        assert texts(store.notes(ALICE, ["n"], at=recorded(40))) == ["in Bern"]
        assert texts(store.notes(ALICE, ["n"], at=recorded(50))) == []
        assert texts(store.notes(ALICE, ["n"], at=recorded(51))) == ["in Bern"]

    def test_messages_of_an_undone_import_never_were_but_for_an_audit(self, store: Store) -> None:
        made = operation("import1", "import", minute=5)
        append(store, ALICE, [draft("one")], now=at(5), operation=made)
        undo(store, ALICE, "import1", by="op1", minute=40)

        assert store.latest(ALICE, 9, at=known(99)) == []
        assert texts(store.latest(ALICE, 9, at=recorded(40))) == ["one"]
        assert store.latest(ALICE, 9, at=recorded(41)) == []

        undo(store, ALICE, "op1", by="op2", minute=50)
        assert texts(store.latest(ALICE, 9, at=known(99))) == ["one"]
        assert store.latest(ALICE, 9, at=recorded(50)) == []
        assert texts(store.latest(ALICE, 9, at=recorded(51))) == ["one"]

    def test_links_show_between_what_was_live_then(
        self, store: Store, said: list[str], first: Note
    ) -> None:
        write(store, ALICE, note("m", "m", event=said[1]), id_="op4", minute=40)
        write(store, ALICE, id_="op5", minute=50, links=(link("m", "n"),))
        write(store, ALICE, id_="op6", minute=60, gone=gone("note", "n", always=False))
        tied = [link("m", "n")]

        for moment in (known, recorded):
            assert store.links(ALICE, ["n"], at=moment(50)) == []
            assert store.links(ALICE, ["m"], at=moment(51)) == tied
            assert store.links(ALICE, ["m"], at=moment(60)) == tied
            assert store.links(ALICE, ["m"], at=moment(61)) == []

        undo(store, ALICE, "op5", by="op7", minute=70)
        assert store.links(ALICE, ["m"], at=known(60)) == []
        assert store.links(ALICE, ["m"], at=recorded(60)) == tied
        assert store.links(ALICE, ["m"], at=known_of_recorded(60, 61)) == tied
        assert store.links(ALICE, ["m"], at=known_of_recorded(60, 71)) == []

    def test_a_list_of_the_past_tells_what_was_not_superseded_by_then(
        self, store: Store, said: list[str], first: Note
    ) -> None:
        later = note("later", "in Kyiv", event=said[1], began_at=at(9), said_at=at(9))
        write(store, ALICE, later, id_="op4", minute=40)
        ended = replace(first, text="in Bern", revision=4, sources=tuple(said),
                        superseded_by="later", invalid_at=at(9))  # fmt: skip
        write(store, ALICE, ended, id_="op5", minute=50)

        for moment in (known, recorded):
            assert texts(store.list_notes(ALICE, at=moment(40))) == ["in Bern"]
            assert sorted(texts(store.list_notes(ALICE, at=moment(50)))) == ["in Bern", "in Kyiv"]
            assert texts(store.list_notes(ALICE, at=moment(51))) == ["in Kyiv"]
            both = store.list_notes(ALICE, at=moment(51), superseded=True)
            assert texts(both) == ["in Kyiv", "in Bern"]
            assert store.notes(ALICE, ["n"], at=moment(50))[0].superseded_by is None
            assert store.notes(ALICE, ["n"], at=moment(51))[0].superseded_by == "later"

        assert texts(store.list_notes(ALICE, valid_on=at(8))) == ["in Bern"]
        assert texts(store.list_notes(ALICE, valid_on=at(9))) == ["in Kyiv"]
        before = sorted(texts(store.list_notes(ALICE, valid_on=at(9), at=known(50))))
        assert before == ["in Bern", "in Kyiv"]

    def test_a_list_of_the_past_is_ordered_and_cut_as_it_was(
        self, store: Store, said: list[str], first: Note
    ) -> None:
        write(store, ALICE, note("m", "m", event=said[1], said_at=at(1.5)), id_="op4", minute=15)

        assert texts(store.list_notes(ALICE)) == ["in Bern", "m"]
        assert texts(store.list_notes(ALICE, at=known(30))) == ["m", "in Rome"]
        assert texts(store.list_notes(ALICE, at=known(30), limit=1, offset=1)) == ["in Rome"]
        assert texts(store.list_notes(ALICE, at=known(30), kind="relation")) == []
