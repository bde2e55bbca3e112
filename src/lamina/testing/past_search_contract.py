"""The promises of `lamina.ports.Recall` about searching the past, as tests."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from lamina.model import At
from lamina.ports import Documents, Store
from lamina.testing.factories import (
    append,
    at,
    draft,
    exchange,
    gone,
    known,
    note,
    operation,
    recorded,
    say,
    scope,
    undo,
    vector,
    write,
)
from lamina.testing.moments_contract import Bound, known_of_recorded
from lamina.testing.store_contract import StoreContract

ALICE = scope("alice")


def documents(store: Store, moment: At | None) -> Documents:
    """Return what search could find of alice at a moment."""
    with store.snapshot(ALICE, at=moment) as snapshot:
        return snapshot.documents


def found(store: Store, moment: At | None, *terms: str) -> list[list[str]]:
    """Return for each term the refs of the documents it occurred in."""
    with store.snapshot(ALICE, at=moment) as snapshot:
        refs, postings = snapshot.documents.refs, snapshot.postings(terms)
    pairs = itertools.pairwise(postings.starts.tolist())
    return [[refs[row] for row in postings.rows[a:b]] for a, b in pairs]


def rests(store: Store, moment: At | None) -> set[tuple[str, str]]:
    """Return which note rested on which message."""
    read = documents(store, moment)
    pairs = zip(read.rest_rows.tolist(), read.rest_turns.tolist(), strict=True)
    return {(read.refs[row], read.turn_refs[turn]) for row, turn in pairs}


class PastSearchContract(StoreContract):
    """What `Recall` promises of snapshots `at` a moment; see `StoreContract`.

    Messages are said at minutes 0, 1 and 2 and recorded at minute 5; a note is written at minutes
    10 and 20, then with another source.
    """

    @pytest.fixture
    def said(self, store: Store) -> list[str]:
        """Three messages of alice: of tea, milk and snow."""
        given = [draft(text, said_at=at(i)) for i, text in enumerate(("tea", "milk", "snow"))]
        return [a.id for a in append(store, ALICE, given, now=at(5))]

    @pytest.fixture
    def first(self, store: Store, said: list[str]) -> None:
        """A note in two revisions."""
        first = note("n", "in oslo", event=said[0])
        write(store, ALICE, first, id_="op1", minute=10)
        second = replace(first, text="in rome", revision=2, sources=(said[0], said[2]))
        write(store, ALICE, second, id_="op2", minute=20)

    def test_only_what_was_said_before_is_found(self, store: Store, said: list[str]) -> None:
        read = documents(store, known(2))

        assert read.refs == read.turn_refs == tuple(said[:2])
        assert read.turns.tolist() == [0, 1]
        np.testing.assert_array_equal(read.vectors, [vector("tea"), vector("milk")])
        assert found(store, known(2), "tea", "snow", "milk") == [[said[0]], [], [said[1]]]
        assert documents(store, known(0)).refs == ()
        assert documents(store, recorded(5)).refs == ()
        assert documents(store, recorded(6)).refs == documents(store, None).refs == tuple(said)
        assert documents(store, known_of_recorded(2, 6)).refs == tuple(said[:2])

    @pytest.mark.usefixtures("first")
    @pytest.mark.parametrize("moment", [known, recorded])
    def test_a_note_is_found_by_the_words_it_had(
        self, store: Store, said: list[str], moment: Bound
    ) -> None:
        assert found(store, moment(10), "oslo", "rome") == [[], []]
        assert found(store, moment(11), "oslo", "rome") == [["n"], []]
        assert found(store, moment(20), "oslo", "rome") == [["n"], []]
        assert found(store, moment(21), "oslo", "rome") == [[], ["n"]]
        np.testing.assert_array_equal(documents(store, moment(11)).vectors[3], vector("in oslo"))
        assert rests(store, moment(20)) == {("n", said[0])}
        assert rests(store, moment(21)) == {("n", said[0]), ("n", said[2])}

    @pytest.mark.usefixtures("first")
    def test_one_state_is_read_whatever_was_read_before(
        self, store: Store, said: list[str]
    ) -> None:
        now = documents(store, None).refs
        past = documents(store, known(15)).refs

        assert documents(store, None).refs == now
        assert documents(store, known(15)).refs == past
        assert documents(store, At()).refs == now

    @pytest.mark.usefixtures("first")
    @pytest.mark.parametrize("moment", [known, recorded])
    def test_what_was_deleted_is_found_before_it_was(
        self, store: Store, said: list[str], moment: Bound
    ) -> None:
        marks = (*gone("note", "n", always=False), *gone("message", said[0], always=False))
        write(store, ALICE, id_="op3", minute=30, gone=marks)

        assert found(store, moment(30), "rome", "tea") == [["n"], [said[0]]]
        assert found(store, moment(31), "rome", "tea") == [[], []]
        assert found(store, moment(15), "oslo", "tea") == [["n"], [said[0]]]
        assert documents(store, moment(31)).turn_refs == tuple(said[1:])
        assert found(store, None, "rome", "tea") == [[], []]

    @pytest.mark.usefixtures("first")
    def test_what_was_set_aside_is_found_by_an_audit_alone(
        self, store: Store, said: list[str]
    ) -> None:
        marks = (*gone("note", "n"), *gone("message", said[0]))
        write(store, ALICE, id_="op3", minute=30, gone=marks)

        assert found(store, known(15), "oslo", "tea") == [[], []]
        assert found(store, recorded(30), "rome", "tea") == [["n"], [said[0]]]
        assert found(store, known_of_recorded(15, 30), "oslo", "tea") == [["n"], [said[0]]]
        assert found(store, recorded(31), "rome", "tea") == [[], []]

    @pytest.mark.usefixtures("first")
    def test_a_revision_rolled_back_is_found_at_no_moment(
        self, store: Store, said: list[str]
    ) -> None:
        undo(store, ALICE, "op2", by="op3", minute=30)
        for moment in (None, known(15), known(25), known(99), recorded(31)):
            assert found(store, moment, "oslo", "rome") == [["n"], []]
            assert rests(store, moment) == {("n", said[0])}
        assert found(store, recorded(30), "oslo", "rome") == [[], ["n"]]

        undo(store, ALICE, "op3", by="op4", minute=40)
        assert found(store, known(25), "oslo", "rome") == [[], ["n"]]
        assert found(store, known(15), "oslo", "rome") == [["n"], []]
        assert found(store, recorded(35), "oslo", "rome") == [["n"], []]
        assert store.check() == []

    @pytest.mark.usefixtures("first")
    def test_words_kept_by_a_later_revision_are_found_throughout(
        self, store: Store, said: list[str]
    ) -> None:
        [second] = store.notes(ALICE, ["n"])
        ended = replace(second, revision=3, sources=tuple(said), invalid_at=at(9))
        write(store, ALICE, ended, id_="op3", minute=30, documents=())

        assert found(store, known(25), "rome") == found(store, known(35), "rome") == [["n"]]
        assert len(rests(store, known(30))) == 2
        assert len(rests(store, known(31))) == 3

        undo(store, ALICE, "op2", by="op4", minute=40)
        assert found(store, known(25), "oslo", "rome") == [["n"], []]
        assert store.check() == []

    @pytest.mark.usefixtures("first")
    def test_a_revision_without_words_of_its_own_ends_those_before(self, store: Store) -> None:
        [second] = store.notes(ALICE, ["n"])
        silent = replace(second, text="nowhere", revision=3, indexed=False)
        write(store, ALICE, silent, id_="op3", minute=30)

        assert found(store, None, "rome") == found(store, known(31), "rome") == [[]]
        assert found(store, known(30), "rome") == [["n"]]
        assert store.check() == []

    def test_an_exchange_is_found_once_both_its_messages_were_said(
        self, store: Store, said: list[str]
    ) -> None:
        self.index_exchanges(store, "op1")

        assert documents(store, known(1)).views.tolist() == [0]
        assert found(store, known(1.5), "tea") == [[said[0], said[1]]]
        assert documents(store, known(2)).views.tolist() == [0, 0, 1]
        assert documents(store, known(3)).views.tolist() == [0, 0, 0, 1, 1]

    @pytest.mark.parametrize("of", [0, 1])
    def test_an_exchange_ends_with_the_first_of_its_messages_to_go(
        self, store: Store, said: list[str], of: int
    ) -> None:
        self.index_exchanges(store, "op1")
        marks = gone("message", said[of], always=False)
        write(store, ALICE, id_="op2", minute=30, gone=marks)
        self.index_exchanges(store, "op3")

        assert documents(store, known(30)).views.tolist() == [0, 0, 0, 1, 1]
        assert documents(store, known(31)).views.tolist() == [0, 0, 1]
        assert documents(store, None).views.tolist() == [0, 0, 1]
        gone_words = ("tea", "milk")[of]
        assert found(store, known(31), gone_words) == found(store, None, gone_words) == [[]]
        assert found(store, known(30), "tea") == [[said[0], said[1]]]
        assert store.check() == []

        undo(store, ALICE, "op2", by="op4", minute=40)
        self.index_exchanges(store, "op5")
        assert documents(store, None).views.tolist() == [0, 0, 0, 1, 1]
        assert documents(store, known(3)).views.tolist() == [0, 0, 0, 1, 1]
        assert found(store, None, "tea") == [[said[0], said[1]]]
        assert store.check() == []

    def test_messages_of_an_undone_import_are_found_by_an_audit_alone(self, store: Store) -> None:
        made = operation("import1", "import", minute=5)
        [one] = append(store, ALICE, [draft("tea")], now=at(5), operation=made)
        undo(store, ALICE, "import1", by="op1", minute=40)

        assert documents(store, known(99)).refs == documents(store, None).refs == ()
        assert documents(store, recorded(40)).refs == (one.id,)
        assert documents(store, recorded(41)).refs == ()
        undo(store, ALICE, "op1", by="op2", minute=50)
        assert documents(store, known(99)).refs == documents(store, None).refs == (one.id,)

    @pytest.mark.usefixtures("first")
    def test_a_note_is_found_though_its_event_is_not_any_longer(
        self, store: Store, said: list[str]
    ) -> None:
        marks = gone("message", said[0], always=False)
        write(store, ALICE, id_="op3", minute=30, gone=marks)

        assert documents(store, known(30)).turns.tolist() == [0, 1, 2, 0]
        assert documents(store, known(31)).turns.tolist() == [0, 1, -1]
        assert rests(store, known(31)) == {("n", said[2])}

    def test_turns_of_the_past_are_numbered_as_they_were(self, store: Store) -> None:
        late = say(store, ALICE, draft("b", session="b", said_at=at(9)))
        early = say(store, ALICE, draft("a", session="a", said_at=at(4)),
                    draft("z", session="a", said_at=at(30)))  # fmt: skip

        assert documents(store, None).turn_refs == (*early, *late)
        read = documents(store, known(20))
        assert read.turn_refs == (early[0], *late)
        assert [read.turn_refs[turn] for turn in read.turns] == list(read.refs)
        sessions = [read.session_names[i] for i in read.sessions]
        assert sorted(sessions) == ["a", "b"]

    def test_a_past_state_stays_what_it_was_while_others_write(
        self, store: Store, said: list[str]
    ) -> None:
        with store.snapshot(ALICE, at=known(2)) as snapshot:
            write(store, ALICE, id_="op1", gone=gone("message", said[0]))
            say(store, ALICE, draft("older tea", said_at=at(-5)))

            assert snapshot.documents.refs == tuple(said[:2])
            assert snapshot.postings(["tea"]).rows.tolist() == [0]
        assert len(documents(store, known(2)).refs) == 2
        assert said[0] not in documents(store, known(2)).refs

    def test_of_nothing_known_the_arrays_are_empty(self, store: Store, said: list[str]) -> None:
        with store.snapshot(ALICE, at=known(-1)) as snapshot:
            empty, postings = snapshot.documents, snapshot.postings(["tea", "x"])

        assert empty.refs == empty.turn_refs == ()
        assert len(empty.vectors) == len(empty.ids) == len(empty.rest_rows) == 0
        assert postings.starts.tolist() == [0, 0, 0]

    def index_exchanges(self, store: Store, id_: str) -> None:
        """Do what the index step does."""
        stale = store.stale_exchanges(ALICE, "s1", 99)
        shown = tuple(exchange(pair.previous, pair.message) for pair in stale)
        write(store, ALICE, id_=id_, documents=shown)
