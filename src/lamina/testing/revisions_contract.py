"""The promises of `lamina.ports.Notes` about revisions, as tests."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from lamina.errors import Conflict
from lamina.model import Note
from lamina.ports import Store
from lamina.testing.clock import NOON
from lamina.testing.factories import (
    at,
    gone,
    link,
    note,
    operation,
    say,
    scope,
    undo,
    write,
    writing,
)
from lamina.testing.store_contract import StoreContract

ALICE, BO = scope("alice"), scope("bo")


def texts(notes: list[Note]) -> list[str]:
    """Return what notes say."""
    return [each.text for each in notes]


class RevisionsContract(StoreContract):
    """What `Notes` promises of a note that changes; see `StoreContract`."""

    @pytest.fixture
    def said(self, store: Store) -> list[str]:
        """Three messages of alice."""
        return say(store, ALICE, "I moved to Oslo.", "Bo helped.", "It snowed.")

    @pytest.fixture
    def first(self, store: Store, said: list[str]) -> Note:
        """The first revision of a note, read from the first message."""
        first = note("n", "in Oslo", event=said[0])
        write(store, ALICE, first, id_="op1")
        return first

    def test_a_revision_replaces_what_is_read_and_keeps_what_was(
        self, store: Store, said: list[str], first: Note
    ) -> None:
        second = replace(first, text="in Rome", revision=2, sources=(said[0], said[2]),
                         operation="op2", said_at=at(2))  # fmt: skip

        store.apply(ALICE, writing(second, operation=operation("op2", "update")), now=NOON)

        assert store.notes(ALICE, ["n"]) == [second]
        history = store.history(ALICE, "n")
        assert [(r.number, r.text, r.cause, r.operation) for r in history] == [
            (1, "in Oslo", "bind", "op1"),
            (2, "in Rome", "update", "op2"),
        ]
        assert [revision.sources for revision in history] == [(said[0],), (said[0], said[2])]
        assert store.revisions(ALICE, "n") == [first, second]

    def test_the_history_tells_all_that_a_revision_was_made_with(
        self, store: Store, said: list[str], first: Note
    ) -> None:
        write(store, ALICE, note("rome", "in Rome", event=said[1]), id_="op2", minute=2)
        made = operation("op3", "supersede", model="m", prompt_digest="d", known_at=at(3),
                         recorded_at=at(4))  # fmt: skip
        ended = replace(first, revision=2, parents=("rome",), superseded_by="rome",
                        valid_at=at(-9), invalid_at=at(1), by_person=True)  # fmt: skip

        store.apply(ALICE, writing(ended, operation=made), now=NOON)

        last = store.history(ALICE, "n")[-1]
        assert (last.note, last.cause, last.model, last.prompt_digest) == (
            "n", "supersede", "m", "d",
        )  # fmt: skip
        assert (last.sources, last.parents, last.superseded_by) == (
            (said[0],), ("rome",), "rome",
        )  # fmt: skip
        assert (last.known_at, last.recorded_at) == (at(3), at(4))
        assert (last.valid_at, last.invalid_at, last.by_person) == (at(-9), at(1), True)
        assert (last.withdrawn, last.undone_by) == (False, None)

    def test_two_that_revise_the_same_base_conflict(
        self, store: Store, said: list[str], first: Note
    ) -> None:
        write(store, ALICE, replace(first, text="a", revision=2), id_="op2")

        late = writing(note("other", event=said[1]), replace(first, text="b", revision=2), id_="x")
        with pytest.raises(Conflict):
            store.apply(ALICE, late, now=NOON)

        assert texts(store.notes(ALICE, ["n", "other"])) == ["a"]
        assert store.operations(ALICE, ["x"]) == []

    def test_of_eight_writers_at_once_one_wins(self, store: Store, first: Note) -> None:
        def revise(number: int) -> bool:
            given = writing(replace(first, text=f"by {number}", revision=2), id_=f"w{number}")
            try:
                store.apply(ALICE, given, now=NOON)
            except Conflict:
                return False
            return True

        with ThreadPoolExecutor(8) as pool:
            won = list(pool.map(revise, range(8)))

        assert sum(won) == 1
        assert texts(store.notes(ALICE, ["n"])) == [f"by {won.index(True)}"]
        assert len(store.history(ALICE, "n")) == 2
        assert len(store.list_operations(ALICE)) == 2
        assert store.check() == []

    @pytest.mark.parametrize("revision", [2, 3])
    def test_a_revision_of_nothing_conflicts(self, store: Store, revision: int) -> None:
        with pytest.raises(Conflict):
            store.apply(ALICE, writing(note("n", revision=revision)), now=NOON)

    @pytest.mark.parametrize("revision", [3, 4])
    def test_a_revision_that_skips_one_conflicts(
        self, store: Store, first: Note, revision: int
    ) -> None:
        with pytest.raises(Conflict):
            write(store, ALICE, replace(first, revision=revision), id_="op2")

    @pytest.mark.parametrize("always", [True, False])
    def test_a_hidden_note_cannot_be_revised(self, store: Store, first: Note, always: bool) -> None:
        write(store, ALICE, id_="op2", gone=gone("note", "n", always=always))

        with pytest.raises(Conflict):
            write(store, ALICE, replace(first, revision=2), id_="op3")

    def test_a_revision_after_an_undone_one_is_numbered_after_it(
        self, store: Store, first: Note
    ) -> None:
        write(store, ALICE, replace(first, text="in Rome", revision=2), id_="op2")
        undo(store, ALICE, "op2", by="op3")

        with pytest.raises(Conflict):
            write(store, ALICE, replace(first, text="no", revision=3), id_="op4")
        write(store, ALICE, replace(first, text="in Bern", revision=2), id_="op5")

        [found] = store.notes(ALICE, ["n"])
        assert (found.text, found.revision) == ("in Bern", 3)
        history = store.history(ALICE, "n")
        assert [(r.number, r.text, r.undone_by) for r in history] == [
            (1, "in Oslo", None),
            (2, "in Rome", "op3"),
            (3, "in Bern", None),
        ]
        write(store, ALICE, replace(first, text="in Kyiv", revision=4), id_="op6")
        assert texts(store.notes(ALICE, ["n"])) == ["in Kyiv"]

    def test_the_last_that_counts_is_told_when_an_undone_one_between_counts_again(
        self, store: Store, first: Note
    ) -> None:
        write(store, ALICE, replace(first, text="in Rome", revision=2), id_="op2")
        undo(store, ALICE, "op2", by="op3")
        write(store, ALICE, replace(first, text="in Bern", revision=2), id_="op4")

        undo(store, ALICE, "op3", by="op5")
        assert texts(store.notes(ALICE, ["n"])) == ["in Bern"]

        undo(store, ALICE, "op4", by="op6")
        assert texts(store.notes(ALICE, ["n"])) == ["in Rome"]
        assert store.check() == []

    def test_a_fact_said_again_gains_a_source_and_no_twin(
        self, store: Store, said: list[str]
    ) -> None:
        write(store, ALICE, note("n", sources=(said[0],)), id_="op1")
        again = note("n", "other words", sources=(said[1],), said_at=at(1), began_at=at(1))

        write(store, ALICE, again, id_="op2", minute=1)

        [found] = store.notes(ALICE, ["n"])
        assert (found.text, found.sources) == ("Alice lives in Oslo.", (said[0], said[1]))
        assert (found.revision, found.operation) == (2, "op2")
        assert (found.began_at, found.said_at) == (NOON, at(1))
        assert (found.known_at, found.recorded_at) == (at(1), at(1))
        with store.snapshot(ALICE) as snapshot:
            assert list(snapshot.documents.refs).count("n") == 1
            assert list(snapshot.postings(["other"]).rows) == []
            assert len(snapshot.documents.rest_rows) == 2

    def test_before_a_source_was_gained_the_note_lacked_it(
        self, store: Store, said: list[str]
    ) -> None:
        write(store, ALICE, note("n", sources=(said[0],)), id_="op1", minute=0)
        write(store, ALICE, note("n", sources=(said[1],), said_at=at(1)), id_="op2", minute=1)

        history = store.history(ALICE, "n")
        assert [r.sources for r in history] == [(said[0],), (said[0], said[1])]
        assert [r.operation for r in history] == ["op1", "op2"]

        undo(store, ALICE, "op2", by="op3")
        [found] = store.notes(ALICE, ["n"])
        assert (found.sources, found.said_at, found.revision) == ((said[0],), NOON, 1)

    def test_what_is_learnt_of_the_past_is_known_when_the_later_was(
        self, store: Store, said: list[str]
    ) -> None:
        write(store, ALICE, note("n", sources=(said[1],), said_at=at(1)), id_="op1", minute=1)

        write(store, ALICE, note("n", sources=(said[0],)), id_="op2", minute=0)

        [found] = store.notes(ALICE, ["n"])
        assert found.known_at == at(1)
        assert (found.began_at, found.said_at) == (NOON, at(1))

    def test_a_source_that_it_has_already_changes_nothing(
        self, store: Store, said: list[str]
    ) -> None:
        write(store, ALICE, note("n", sources=(said[0], said[1])), id_="op1")

        write(store, ALICE, note("n", sources=(said[1],)), id_="op2", minute=5)

        assert len(store.history(ALICE, "n")) == 1
        assert store.notes(ALICE, ["n"])[0].operation == "op1"

    def test_the_same_note_twice_in_one_writing_is_one(self, store: Store, said: list[str]) -> None:
        store.apply(ALICE, writing(note("n", event=said[0]), note("n", event=said[0])), now=NOON)

        assert len(store.list_notes(ALICE)) == 1
        assert store.check() == []

    def test_applying_again_changes_nothing(self, store: Store, said: list[str]) -> None:
        given = writing(note("n", event=said[0]), note("m", event=said[1]),
                        links=(link("n", "m", "before"),))  # fmt: skip
        store.apply(ALICE, given, now=NOON)
        before = store.list_notes(ALICE), store.counts(ALICE)

        store.apply(ALICE, given, now=NOON)

        assert (store.list_notes(ALICE), store.counts(ALICE)) == before
        assert store.links(ALICE, ["n"]) == [link("n", "m", "before")]

    @pytest.mark.parametrize("always", [True, False])
    def test_saying_a_hidden_note_again_does_not_bring_it_back(
        self, store: Store, said: list[str], always: bool
    ) -> None:
        write(store, ALICE, note("n", sources=(said[0],)), id_="op1")
        write(store, ALICE, id_="op2", gone=gone("note", "n", always=always))

        write(store, ALICE, note("n", sources=(said[1],)), id_="op3")

        assert store.notes(ALICE, ["n"]) == []
        assert len(store.history(ALICE, "n")) == 1
        assert store.check() == []

    def test_a_note_read_from_a_message_that_is_withdrawn_meanwhile_conflicts(
        self, store: Store, said: list[str]
    ) -> None:
        write(store, ALICE, id_="op1", gone=gone("message", said[0], always=False))

        with pytest.raises(Conflict):
            write(store, ALICE, note("n", event=said[0]), id_="op2")

    def test_what_an_operation_wrote_is_told_whatever_counts(
        self, store: Store, said: list[str], first: Note
    ) -> None:
        other = note("m", event=said[1])
        second = replace(first, text="in Rome", revision=2)
        written = writing(second, other, id_="op2")
        store.apply(ALICE, written, now=NOON)
        write(store, ALICE, replace(other, text="later", revision=2), id_="op3")

        assert store.written_by(ALICE, "op2") == list(written.notes)
        undo(store, ALICE, "op2", by="op4")
        assert store.written_by(ALICE, "op2") == list(written.notes)
        assert store.written_by(ALICE, "op4") == store.written_by(ALICE, "nope") == []
        assert store.written_by(BO, "op2") == []

    def test_what_was_formed_from_a_note_is_told_while_it_counts(
        self, store: Store, said: list[str], first: Note
    ) -> None:
        child = note("child", "one", event=said[0], parents=("n",))
        write(store, ALICE, child, id_="op2")
        write(store, ALICE, replace(child, text="two", revision=2, parents=()), id_="op3")
        write(store, ALICE, note("other", "three", event=said[0], parents=("n",)), id_="op4")

        found = store.formed_from(ALICE, ["n", "nope"])
        assert sorted((each.id, each.text) for each in found) == [
            ("child", "one"),
            ("other", "three"),
        ]
        assert store.formed_from(BO, ["n"]) == store.formed_from(ALICE, ["child"]) == []

        undo(store, ALICE, "op2", by="op5")
        assert texts(store.formed_from(ALICE, ["n"])) == ["three"]

    def test_what_was_superseded_is_listed_only_if_asked(
        self, store: Store, said: list[str], first: Note
    ) -> None:
        write(store, ALICE, note("rome", "in Rome", event=said[1], said_at=at(9)), id_="op2")
        ended = replace(first, revision=2, superseded_by="rome", invalid_at=at(9),
                        parents=("rome",))  # fmt: skip
        write(store, ALICE, ended, id_="op3")

        assert texts(store.list_notes(ALICE)) == ["in Rome"]
        assert texts(store.list_notes(ALICE, superseded=True)) == ["in Rome", "in Oslo"]
        assert texts(store.list_notes(ALICE, superseded=True, limit=1, offset=1)) == ["in Oslo"]
        assert texts(store.notes(ALICE, ["n"])) == ["in Oslo"]

        undo(store, ALICE, "op3", by="op4")
        assert texts(store.list_notes(ALICE)) == ["in Rome", "in Oslo"]

    def test_a_list_can_be_of_what_holds_on_a_day(
        self, store: Store, said: list[str], first: Note
    ) -> None:
        write(store, ALICE, note("rome", "in Rome", event=said[1], began_at=at(9), said_at=at(9)),
              id_="op2")  # fmt: skip
        write(store, ALICE, note("soon", "in Bern", event=said[1], valid_at=at(20), said_at=at(9)),
              id_="op3")  # fmt: skip
        write(store, ALICE, replace(first, revision=2, superseded_by="rome", invalid_at=at(9)),
              id_="op4")  # fmt: skip

        def held(minute: float) -> list[str]:
            return sorted(texts(store.list_notes(ALICE, valid_on=at(minute))))

        assert held(-1) == []
        assert held(0) == held(8) == ["in Oslo"]
        assert held(9) == ["in Rome"]
        assert held(20) == ["in Bern", "in Rome"]
