"""The promises of `lamina.ports.Recall`, as tests."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from lamina.model import Message
from lamina.ports import Documents, Exchange, Store
from lamina.testing.clock import NOON
from lamina.testing.factories import (
    SPACE,
    at,
    document,
    draft,
    exchange,
    gone,
    note,
    say,
    scope,
    undo,
    vector,
    write,
    writing,
)
from lamina.testing.store_contract import StoreContract
from lamina.times import to_micros

ALICE, BO = scope("alice"), scope("bo")


def documents(store: Store) -> Documents:
    """Return alice's documents."""
    with store.snapshot(ALICE) as snapshot:
        return snapshot.documents


def found(store: Store, *terms: str) -> list[list[tuple[str, int]]]:
    """Return for each term the refs of the documents it occurs in, and how often."""
    with store.snapshot(ALICE) as snapshot:
        refs, postings = snapshot.documents.refs, snapshot.postings(terms)
    starts = postings.starts
    return [
        [
            (refs[row], int(count))
            for row, count in zip(postings.rows[a:b], postings.counts[a:b], strict=True)
        ]
        for a, b in itertools.pairwise(starts)
    ]


class RecallContract(StoreContract):
    """What `Recall` promises; see `StoreContract`."""

    @pytest.mark.parametrize("owner", ["alice", "nobody"])
    def test_where_nothing_was_said_the_arrays_are_empty(self, store: Store, owner: str) -> None:
        say(store, BO, "hello")

        with store.snapshot(scope(owner)) as snapshot:
            empty, postings = snapshot.documents, snapshot.postings(["hello", "x"])

        assert empty.vectors.shape == (0, SPACE.dim)
        assert empty.ids.shape == empty.turns.shape == empty.rest_rows.shape == (0,)
        assert empty.refs == empty.turn_refs == empty.session_names == ()
        assert postings.starts.tolist() == [0, 0, 0]
        assert postings.rows.shape == postings.counts.shape == (0,)

    def test_what_add_returned_is_found_at_once(self, store: Store) -> None:
        for number in range(5):
            [id_] = say(store, ALICE, draft(f"tea{number}", said_at=at(number)))

            assert documents(store).refs[-1] == id_
            assert found(store, f"tea{number}") == [[(id_, 1)]]

    def test_the_arrays_have_their_shapes_and_types(self, store: Store) -> None:
        say(store, ALICE, "one two", "two three")

        read = documents(store)

        types = {
            "ids": "i8", "views": "i1", "kinds": "i1", "turns": "i4", "sessions": "i4",
            "speakers": "i4", "said_at": "i8", "refers_from": "i8", "refers_until": "i8",
            "lengths": "i4", "rest_rows": "i4", "rest_turns": "i4",
        }  # fmt: skip
        assert {name: getattr(read, name).dtype.str[1:] for name in types} == types
        assert read.vectors.shape == (2, SPACE.dim)
        assert read.vectors[:].dtype == np.float32
        assert all(np.diff(read.ids) > 0)
        np.testing.assert_array_equal(read.vectors[1], vector("two three"))

    def test_a_message_a_note_and_an_exchange_say_what_they_are(self, store: Store) -> None:
        one, two = say(
            store,
            ALICE,
            draft("Is it cold", speaker="bo"),
            draft("Very very cold", said_at=at(1)),
        )
        messages = store.messages(ALICE, [one, two])
        fact = note("f", "Oslo is cold", event=two, sources=(one, two), said_at=at(1))
        summary = note("s", "A talk", kind="summary", sources=(two,), said_at=at(7))
        spoken = replace(exchange(*messages), refers_from=5, refers_until=9)
        shown = (spoken, document("note", "f", fact.text), document("note", "s", summary.text))
        store.apply(ALICE, writing(fact, summary, documents=shown), now=NOON)

        read = documents(store)

        assert read.refs == (one, two, two, "f", "s")
        assert read.views.tolist() == [0, 0, 1, 2, 2]
        assert read.kinds.tolist() == [-1, -1, -1, 0, 2]
        assert read.turns.tolist() == [0, 1, 1, 1, -1]
        assert read.turn_refs == (one, two)
        names = [(*read.session_names, None)[i] for i in read.sessions]
        assert names == ["s1", "s1", "s1", "s1", None]
        speakers = [(*read.speaker_names, None)[i] for i in read.speakers]
        assert speakers == ["bo", "alice", "alice", "alice", None]
        assert read.said_at.tolist() == [to_micros(at(m)) for m in (0, 1, 1, 1, 7)]
        assert read.refers_from.tolist() == [0, 0, 5, 0, 0]
        assert read.refers_until.tolist() == [0, 0, 9, 0, 0]
        assert read.lengths.tolist() == [3, 3, 6, 3, 2]
        rests = sorted(zip(read.rest_rows.tolist(), read.rest_turns.tolist(), strict=True))
        assert rests == [(3, 0), (3, 1), (4, 1)]

    def test_turns_are_numbered_by_session_then_by_when_they_were_said(self, store: Store) -> None:
        def said(text: str, session: str, minute: float) -> str:
            return say(store, ALICE, draft(text, session=session, said_at=at(minute)))[0]

        late = said("b1", "b", 10), said("b2", "b", 11)
        early = said("a2", "a", 5), said("a3", "a", 50)
        tied = said("b0", "b", 10)
        first = said("a1", "a", 4)

        read = documents(store)

        assert read.turn_refs == (first, *early, late[0], tied, late[1])
        assert [read.turn_refs[turn] for turn in read.turns] == list(read.refs)

    def test_postings_come_in_the_order_asked(self, store: Store) -> None:
        one, two = say(store, ALICE, "tea and tea", "and milk")
        say(store, BO, "tea")

        assert found(store, "and", "nope", "tea", "and") == [
            [(one, 1), (two, 1)],
            [],
            [(one, 2)],
            [(one, 1), (two, 1)],
        ]
        assert found(store) == []

    @pytest.mark.parametrize("term", ["*", "a\x00b", "\ud83d", "咖啡", '"', "%", "a OR b"])
    def test_any_term_is_found_and_means_itself(self, store: Store, term: str) -> None:
        given = replace(document("turn", "", "x"), terms={term: 3})
        store.append(ALICE, [draft("x")], [given], steps=(), now=NOON)
        [id_] = store.append(ALICE, [draft("y")], [document("turn", "", "abc")], steps=(), now=NOON)

        assert found(store, term)[0][0][1] == 3
        assert found(store, "abc") == [[(id_.id, 1)]]

    def test_a_snapshot_stays_what_it_was_while_others_write(self, store: Store) -> None:
        ids = say(store, ALICE, "tea", "milk")

        with store.snapshot(ALICE) as snapshot:
            say(store, ALICE, draft("more tea", said_at=at(9)))
            write(store, ALICE, id_="op1", gone=gone("message", ids[1]))
            documents(store)

            assert snapshot.documents.refs == tuple(ids)
            assert snapshot.postings(["tea", "milk"]).rows.tolist() == [0, 1]
            assert snapshot.documents.vectors.shape == (2, SPACE.dim)
        assert len(documents(store).refs) == 2
        assert found(store, "tea", "milk")[1] == []

    def test_a_document_replaces_what_showed_the_same(self, store: Store) -> None:
        [id_] = say(store, ALICE, "old")
        store.apply(ALICE, writing(documents=(document("turn", id_, "new words"),)), now=NOON)

        assert documents(store).refs == (id_,)
        assert found(store, "old", "new") == [[], [(id_, 1)]]
        assert store.check() == []

    def test_of_two_documents_that_show_the_same_the_last_counts(self, store: Store) -> None:
        [id_] = say(store, ALICE, "old")
        twice = (document("turn", id_, "one"), document("turn", id_, "two"))
        store.apply(ALICE, writing(documents=twice), now=NOON)

        assert found(store, "old", "one", "two") == [[], [], [(id_, 1)]]

    def test_what_a_note_said_before_is_not_found_any_longer(self, store: Store) -> None:
        [id_] = say(store, ALICE, "hello")
        first = note("n", "in oslo", event=id_)
        store.apply(ALICE, writing(first), now=NOON)
        store.apply(ALICE, writing(replace(first, text="in rome", revision=2), id_="2"), now=NOON)
        assert found(store, "oslo", "rome") == [[], [("n", 1)]]

        silent = replace(first, text="nowhere", revision=3, indexed=False)
        store.apply(ALICE, writing(silent, id_="3"), now=NOON)
        assert found(store, "rome") == [[]]
        assert documents(store).refs == (id_,)

    @pytest.mark.parametrize("always", [True, False])
    def test_what_is_out_of_force_is_not_found_until_that_is_undone(
        self, store: Store, always: bool
    ) -> None:
        one, two = say(store, ALICE, "tea", "milk")
        store.apply(ALICE, writing(note("n", "likes tea", event=two, sources=(one, two))), now=NOON)
        before = documents(store)

        marks = (*gone("message", one, always=always), *gone("note", "n", always=always))
        write(store, ALICE, id_="op2", gone=marks)

        assert documents(store).refs == documents(store).turn_refs == (two,)
        assert documents(store).turns.tolist() == [0]
        assert found(store, "tea", "likes") == [[], []]

        undo(store, ALICE, "op2", by="op3")

        after = documents(store)
        assert (after.refs, after.turn_refs) == (before.refs, before.turn_refs)
        np.testing.assert_array_equal(after.vectors, before.vectors)
        assert found(store, "tea") == [[(one, 1), ("n", 1)]]

    def test_what_a_note_said_before_is_found_again_if_what_it_says_is_undone(
        self, store: Store
    ) -> None:
        [id_] = say(store, ALICE, "hello")
        first = note("n", "in oslo", event=id_)
        write(store, ALICE, first, id_="op1")
        write(store, ALICE, replace(first, text="in rome", revision=2), id_="op2")

        undo(store, ALICE, "op2", by="op3")
        assert found(store, "oslo", "rome") == [[("n", 1)], []]
        undo(store, ALICE, "op3", by="op4")
        assert found(store, "oslo", "rome") == [[], [("n", 1)]]
        assert store.check() == []

    def test_a_revision_with_the_same_words_keeps_the_document(self, store: Store) -> None:
        one, two = say(store, ALICE, "hello", "there")
        first = note("n", "in oslo", event=one)
        write(store, ALICE, first, id_="op1")
        before = documents(store).ids.tolist()

        second = replace(first, revision=2, sources=(one, two), invalid_at=at(9))
        write(store, ALICE, second, id_="op2", documents=())

        read = documents(store)
        assert read.ids.tolist() == before
        assert found(store, "oslo") == [[("n", 1)]]
        assert read.rest_turns.tolist() == [0, 1]
        assert [i.revision for i in store.documents_of(ALICE, 0, 9) if i.view == "note"] == [1]
        assert store.check() == []

    def test_a_note_whose_event_is_withdrawn_has_no_turn(self, store: Store) -> None:
        one, two = say(store, ALICE, "tea", "milk")
        store.apply(ALICE, writing(note("n", event=one, sources=(one, two))), now=NOON)

        write(store, ALICE, id_="op2", gone=gone("message", one))

        read = documents(store)
        assert read.refs == (two, "n")
        assert read.turns.tolist() == [0, -1]
        assert read.sessions.tolist()[1] == read.speakers.tolist()[1] == -1
        assert (read.rest_rows.tolist(), read.rest_turns.tolist()) == ([1], [0])

    def test_exchanges_are_asked_for_until_they_show_both_messages(self, store: Store) -> None:
        ids = say(store, ALICE, "a", "b", "c", draft("other", session="s2"))
        a, b, c = store.messages(ALICE, ids[:3])

        assert store.stale_exchanges(ALICE, "s1", 9) == [
            Exchange(previous=a, message=b),
            Exchange(previous=b, message=c),
        ]
        assert len(store.stale_exchanges(ALICE, "s1", 1)) == 1
        assert store.stale_exchanges(ALICE, "s2", 9) == []

        self.index_exchanges(store)
        assert store.stale_exchanges(ALICE, "s1", 9) == []
        assert documents(store).views.tolist() == [0, 0, 0, 0, 1, 1]

    def test_a_late_arrival_makes_exchanges_stale(self, store: Store) -> None:
        a, b = say(store, ALICE, "a", "b")
        self.index_exchanges(store)

        [between] = say(store, ALICE, draft("between", said_at=at(0.5)))

        stale = store.stale_exchanges(ALICE, "s1", 9)
        assert [(e.previous.id, e.message.id) for e in stale] == [(a, between), (between, b)]

    def test_a_withdrawn_message_is_not_shown_before_another_one(self, store: Store) -> None:
        a, b, c = say(store, ALICE, "alpha", "beta", "gamma")
        self.index_exchanges(store)

        write(store, ALICE, id_="op2", gone=gone("message", b))

        assert found(store, "beta") == [[]]
        stale = store.stale_exchanges(ALICE, "s1", 9)
        assert [(e.previous.id, e.message.id) for e in stale] == [(a, c)]
        assert store.check() == []

        self.index_exchanges(store)
        undo(store, ALICE, "op2", by="op3")
        self.index_exchanges(store)
        assert found(store, "beta") == [[(b, 1), (b, 1), (c, 1)]]
        assert found(store, "alpha") == [[(a, 1), (b, 1)]]
        assert store.stale_exchanges(ALICE, "s1", 9) == []
        assert store.check() == []

    def test_an_exchange_encoded_before_its_first_message_was_withdrawn_is_not_written(
        self, store: Store
    ) -> None:
        one, two = say(store, ALICE, "alpha", "beta")
        late = exchange(*store.messages(ALICE, [one, two]))
        write(store, ALICE, id_="op1", gone=gone("message", one))

        write(store, ALICE, id_="op2", documents=(late,))

        assert found(store, "alpha") == [[]]
        assert store.check() == []

    def index_exchanges(self, store: Store) -> None:
        """Do what the index step does."""
        stale = store.stale_exchanges(ALICE, "s1", 99)
        pairs: list[tuple[Message, Message]] = [(e.previous, e.message) for e in stale]
        shown = tuple(exchange(*pair) for pair in pairs)
        store.apply(ALICE, writing(documents=shown, id_="index"), now=NOON)

    def test_documents_can_be_walked_through_with_those_of_the_past(self, store: Store) -> None:
        one, two = say(store, ALICE, "a", "b")
        first = note("n", "before", event=one)
        write(store, ALICE, first, note("m", event=two), id_="op1")
        write(store, ALICE, replace(first, text="after", revision=2), id_="op2")
        self.index_exchanges(store)

        walked = store.documents_of(ALICE, 0, 2)
        walked += store.documents_of(ALICE, walked[-1].id, 9)

        assert [each.id for each in walked] == sorted({each.id for each in walked})
        assert [(i.view, i.ref, i.revision, i.previous) for i in walked] == [
            ("turn", one, 0, None),
            ("turn", two, 0, None),
            ("note", "n", 1, None),
            ("note", "m", 1, None),
            ("note", "n", 2, None),
            ("exchange", two, 0, one),
        ]
        assert store.documents_of(BO, 0, 9) == []
