"""The promises of `lamina.ports.Recommending.graph`, as tests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from lamina.ports import NEVER, EncoderSpace, Graph, Store
from lamina.testing.clock import NOON
from lamina.testing.factories import (
    act,
    append,
    at,
    description,
    draft,
    gone,
    link,
    operation,
    say,
    scope,
    shown,
    undo,
    vector,
    write,
)
from lamina.testing.graphs import counting, live, micros, read_then, rounded, rows, told
from lamina.testing.recommending_contract import FILMS, OTHER, atomic, tell
from lamina.testing.store_contract import StoreContract
from lamina.testing.transfer_contract import shown_by
from lamina.times import to_micros


class GraphContract(StoreContract):
    """What `Recommending.graph` promises; see `StoreContract`."""

    def test_an_unknown_scope_is_empty(self, store: Store) -> None:
        graph = store.graph(FILMS)

        assert graph.users == graph.items == graph.messages == graph.refs == graph.note_names == ()
        assert graph.vectors.shape[0] == len(graph.by) == len(graph.link_from) == 0
        assert told(graph) == ([], [], [], [], [])

    def test_arrays_are_aligned_and_of_their_types(self, store: Store) -> None:
        fill(store)

        graph = store.graph(FILMS)
        by_length = {
            len(graph.messages): "by:i4 of:i4 said_at:i8 gone_at:i8 ratings:f4 actions:i2",
            len(graph.refs): "kinds:i1 whose:i4 about:i4 done_at:i8 known_from:i8 known_until:i8 "
            "notes:i4",
            len(graph.link_from): "link_from:i4 link_to:i4 link_known_from:i8",
        }
        assert sorted(by_length) == [2, 4, 7]
        for length, names in by_length.items():
            for name, dtype in (each.split(":") for each in names.split()):
                column = getattr(graph, name)
                assert (name, column.shape, column.dtype) == (name, (length,), np.dtype(dtype))
        assert graph.vectors.shape == (len(graph.refs), 8)
        assert graph.vectors[:].dtype == np.float32
        named = [graph.note_names[i] if i >= 0 else None for i in graph.notes]
        notes = [r if k >= 0 else None for r, k in zip(graph.refs, graph.kinds, strict=True)]
        assert named == notes
        assert len(set(graph.note_names)) == len(graph.note_names)

    def test_interactions_are_told_in_the_order_done(self, store: Store) -> None:
        ids = tell(
            store,
            act("bo", "m2", minute=5),
            act("ann", "m1", minute=3, rating=None, action="click"),
            act("bo", "m1", minute=5, rating=0.5, action=None),
            act("ann", "0", minute=4, infer=False),
        )

        graph = store.graph(FILMS)
        assert graph.messages == (ids[1], ids[3], ids[0], ids[2])
        assert (graph.users, graph.items) == (("bo", "ann"), ("m2", "m1", "0"))
        assert [graph.users[i] for i in graph.by] == ["ann", "ann", "bo", "bo"]
        assert [graph.items[i] for i in graph.of] == ["m1", "0", "m2", "m1"]
        assert graph.said_at.tolist() == [micros(3), micros(4), micros(5), micros(5)]
        assert graph.gone_at.tolist() == [NEVER] * 4
        assert str(graph.ratings.tolist()) == "[nan, 4.0, 4.0, 0.5]"
        assert [graph.action_names[i] for i in graph.actions] == ["click", "rate", "rate", ""]

    def testrows_tell_what_whose_about_what_and_when(self, store: Store) -> None:
        m1, a, b = tell(store, description(), act(minute=1), act("bo", minute=2))
        item_note = atomic("i", m1, kind="item_note", sources=(m1, a))
        profile = atomic("p", None, kind="profile", sources=(a, b))
        own = atomic("n", a)
        write(store, FILMS, own, item_note, profile, id_="op1", minute=3)

        always = to_micros(description().said_at)
        assert live(store.graph(FILMS), "kind", "ref", "user", "item", "done", "since") == {
            (None, m1, None, "m1", always, always),
            ("user_note", "n", "ann", "m1", micros(1), micros(3)),
            ("item_note", "i", None, "m1", always, micros(3)),
            ("profile", "p", "bo", None, micros(2), micros(3)),
        }
        vectors: dict[Any, Any] = dict(live(store.graph(FILMS), "ref", "vector"))
        assert vectors[m1] == rounded(vector("Alien. Horror."))
        assert vectors["n"] == rounded(vector(shown(own)))

    def test_a_note_stays_whose_it_is_once_its_event_is_hidden(self, store: Store) -> None:
        a, b = tell(store, act(minute=1), act("bo", "m2", minute=2))
        write(store, FILMS, atomic("n", a), atomic("p", None, kind="profile", sources=(b,)),
              id_="op1", minute=3)  # fmt: skip

        write(store, FILMS, id_="op2", minute=4, gone=gone("message", a, b))

        notes = {("user_note", "n", "ann", "m1"), ("profile", "p", "bo", None)}
        assert live(store.graph(FILMS), "kind", "ref", "user", "item") == notes
        [c] = tell(store, act("bo", "m2", minute=5))
        assert live(store.graph(FILMS), "kind", "ref", "user", "item") == notes
        assert store.graph(FILMS).messages == (c,)
        assert told(store.graph(FILMS))[:2] == (["ann", "bo"], ["m1", "m2"])

    def test_a_note_is_whose_it_is_whatever_else_they_did(self, store: Store) -> None:
        [b] = tell(store, act("bo"))
        said = draft("I am in group 1.", author="user:ann", session="user:ann", speaker="ann")
        [group] = say(store, FILMS, said, steps=())
        assert store.graph(FILMS).users == ("bo",)

        profile = atomic("p", None, kind="profile", sources=(group,))
        write(store, FILMS, atomic("n", b), profile, id_="op1", minute=3)

        assert live(store.graph(FILMS), "ref", "user") == {("n", "bo"), ("p", "ann")}

    def test_what_rests_on_a_description_is_nobodys(self, store: Store) -> None:
        m1, a = tell(store, description(), act())
        of_item = atomic("p", None, kind="profile", sources=(m1,))
        write(store, FILMS, atomic("n", a), atomic("d", m1), of_item, id_="op1")

        told_of = {("n", "ann", "m1"), ("d", None, "m1"), ("p", None, None), (m1, None, "m1")}
        assert live(store.graph(FILMS), "ref", "user", "item") == told_of
        assert store.graph(FILMS).users == ("ann",)

    def test_links_count_while_both_ends_are_found(self, store: Store) -> None:
        a, b = tell(store, act(), act("bo"))
        write(store, FILMS, atomic("a", a), atomic("b", b), id_="op1", minute=1,
              links=(link("b", "a"),))  # fmt: skip
        silent = atomic("a", a, revision=2, tags=("Space",))
        write(store, FILMS, silent, id_="op2", minute=2, documents=())

        graph = store.graph(FILMS)
        assert [counting(graph, minute)[2] for minute in (1.5, 2.5)] == [[("b", "a")], []]
        for minute in (1.5, 2.5):
            assert counting(graph, minute) == read_then(store, FILMS, minute)

    def test_a_revision_ends_the_row_before_it(self, store: Store) -> None:
        [a] = tell(store, act())
        first = atomic("n", a)
        write(store, FILMS, first, id_="op1", minute=1)
        write(store, FILMS, replace(first, revision=2, sureness=0.5), id_="op2", minute=2,
              documents=())  # fmt: skip
        third = replace(first, revision=3, tags=("Space",))
        write(store, FILMS, third, id_="op3", minute=3)

        spans = {row[5:] for row in rows(store.graph(FILMS))}
        assert spans == {
            (micros(1), micros(3), rounded(vector(shown(first)))),
            (micros(3), NEVER, rounded(vector(shown(third)))),
        }

    def test_what_is_deleted_ends_and_what_is_rolled_back_never_was(self, store: Store) -> None:
        made = operation("add1", "add")
        append(store, FILMS, [act("eve", "m9"), description("m8")], operation=made)
        m1, a, b = tell(store, description(), act(minute=1), act("bo", "m1", minute=2))
        write(store, FILMS, atomic("n", a), id_="op1", minute=3)
        write(store, FILMS, atomic("b", b), id_="op2", minute=4, links=(link("b", "n"),))
        before = told(store.graph(FILMS))

        marks = (*gone("message", a, m1, always=False), *gone("note", "n", always=False))
        write(store, FILMS, id_="op3", minute=5, gone=marks)
        _, _, done, noted, links = told(store.graph(FILMS))
        assert {(each[6], each[3]) for each in done[1:]} == {(a, micros(5)), (b, NEVER)}
        assert {(row[1], row[6]) for row in noted if row[1] in (m1, "n")} == {
            (m1, micros(5)), ("n", micros(5)),
        }  # fmt: skip
        assert links == [("b", "n", micros(4))]

        undo(store, FILMS, "op2", by="op4", minute=6)
        undo(store, FILMS, "add1", by="op5", minute=7)
        users, items, done, noted, links = told(store.graph(FILMS))
        assert (users, items) == (["ann", "bo"], ["m1"])
        assert [each[0] for each in done] == ["ann", "bo"]
        assert sorted(row[1] for row in noted) == sorted([m1, "n"])
        assert links == []
        assert {"eve", "m8", "m9"}.isdisjoint((*users, *items))
        assert "eve" not in store.graph(FILMS).users
        assert "b" not in store.graph(FILMS).note_names

        for n, undone in enumerate(("op5", "op4", "op3")):
            undo(store, FILMS, undone, by=f"back{n}", minute=8)
        assert told(store.graph(FILMS)) == before

    def test_a_note_whose_last_revision_is_undone_is_what_it_was(self, store: Store) -> None:
        [a] = tell(store, act())
        write(store, FILMS, atomic("n", a), id_="op1", minute=1)
        before = told(store.graph(FILMS))
        write(store, FILMS, atomic("n", a, revision=2, tags=()), id_="op2", minute=2)
        assert told(store.graph(FILMS)) != before

        undo(store, FILMS, "op2", by="op3", minute=3)
        assert told(store.graph(FILMS)) == before

    def test_links_are_known_when_they_were_made_first(self, store: Store) -> None:
        a, b, c = tell(store, act(), act("bo"), act("cy"))
        write(store, FILMS, atomic("a", a), atomic("b", b), atomic("c", c), id_="op1", minute=1)
        write(store, FILMS, id_="op2", minute=4, links=(link("b", "a"),))
        write(store, FILMS, id_="op3", minute=2, links=(link("b", "a"), link("c", "b", "alike")))
        assert told(store.graph(FILMS))[4] == [("b", "a", micros(2)), ("c", "b", micros(2))]

        undo(store, FILMS, "op3", by="op4", minute=5)
        assert told(store.graph(FILMS))[4] == [("b", "a", micros(4))]

    def test_a_link_without_a_relation_is_told_too(self, store: Store) -> None:
        a, b = tell(store, act(), act("bo"))
        write(store, FILMS, atomic("a", a), atomic("b", b), id_="op1", minute=1,
              links=(link("b", "a", ""),))  # fmt: skip

        assert told(store.graph(FILMS))[4] == [("b", "a", micros(1))]

    def test_growing_step_by_step_is_as_being_filled_at_once(self, store: Store) -> None:
        for number, _ in enumerate(grow(store)):
            copy = scope(f"copy{number}", "recommender")
            archive = store.dump(FILMS)
            store.load(copy, archive, shown_by(archive), steps=(), now=NOON)
            assert told(store.graph(FILMS)) == told(store.graph(copy))
            assert store.graph(FILMS).users == store.graph(copy).users
            assert store.graph(FILMS).items == store.graph(copy).items
        assert number == 6

    def test_one_object_is_one_state(self, store: Store) -> None:
        seen: list[tuple[Graph, Any]] = []
        for _ in grow(store):
            graph = store.graph(FILMS)
            assert store.graph(FILMS) is graph
            seen.append((graph, told(graph)))

        assert len({id(graph) for graph, _ in seen}) == len(seen)
        for graph, then in seen:
            assert told(graph) == then

    @pytest.mark.parametrize("minute", [-1, 0, 0.5, 1, 1.5, 2, 3, 4, 5, 5.5, 6, 99])
    def test_at_a_moment_that_counts_which_was_known(self, store: Store, minute: float) -> None:
        fill(store)

        found = counting(store.graph(FILMS), minute)
        assert found == read_then(store, FILMS, minute)

    def test_what_is_known_now_is_what_reads_tell(self, store: Store) -> None:
        for _ in grow(store):
            assert counting(store.graph(FILMS), 9999) == read_then(store, FILMS, 9999)

    def test_other_scopes_are_not_told(self, store: Store) -> None:
        fill(store)
        before = told(store.graph(FILMS))
        say(store, OTHER, act("eve", "m1"), description("m1", "A book."), steps=())
        say(store, scope("films", "recommender", "t"), act("eve"), steps=())

        assert told(store.graph(FILMS)) == before
        assert store.graph(OTHER).users == ("eve",)

    def test_what_is_forgotten_is_told_no_more(self, store: Store) -> None:
        fill(store)
        store.graph(FILMS)

        store.forget(FILMS, now=NOON)
        assert told(store.graph(FILMS)) == ([], [], [], [], [])
        [a] = tell(store, act("cy", minute=1))
        assert store.graph(FILMS).messages == (a,)

    def test_vectors_are_of_the_present_space(self, store: Store) -> None:
        m1, a = tell(store, description(), act())
        write(store, FILMS, atomic("n", a), id_="op1")
        store.graph(FILMS)
        other = EncoderSpace(id="tests/2", dim=4, max_tokens=64, languages=frozenset({"en"}))
        indexed = store.documents_of(FILMS, 0, 9)
        new = {each.id: vector(each.ref, other.dim) for each in indexed}
        store.reencode(FILMS, new, other)
        assert store.graph(FILMS).vectors.shape == (2, 8)
        store.switch_space(other)

        vectors: dict[Any, Any] = dict(live(store.graph(FILMS), "ref", "vector"))
        assert vectors == {ref: rounded(vector(ref, 4)) for ref in (m1, "n")}


def grow(store: Store) -> Iterator[None]:
    """Let a recommender go through all that can happen to one; yields after each step."""
    m1, a, b = tell(store, description(said_at=at(0.5)), act(minute=0), act("bo", minute=1))
    yield
    write(store, FILMS, atomic("n", a), id_="op1", minute=1)
    yield
    own = atomic("b", b)
    item_note = atomic("i", m1, kind="item_note", sources=(m1, b))
    evolved = atomic("n", a, revision=2, tags=("Space",), parents=("b",))
    write(store, FILMS, own, item_note, evolved, id_="op2", minute=2,
          links=(link("b", "n"), link("i", "n", "alike")))  # fmt: skip
    yield
    append(store, FILMS, [act("cy", "m2", minute=3), description("m2", "Heat.", said_at=at(4)),
                          act("ann", "m2", minute=0.5)],
           operation=operation("add1", "add", minute=3))  # fmt: skip
    yield
    again = atomic("n", a, revision=3, tags=("Space",), sureness=0.5)
    write(store, FILMS, again, id_="op3", minute=4, documents=())
    yield
    write(store, FILMS, replace(again, revision=4, tags=(), context="x"), id_="op4", minute=5)
    yield
    marks = (*gone("note", "i", always=False), *gone("message", a, always=False))
    write(store, FILMS, id_="op5", minute=5.5, gone=marks)
    yield


def fill(store: Store) -> None:
    """Let all of that happen."""
    for _ in grow(store):
        pass
