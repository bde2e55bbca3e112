import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest

from lamina.adapters.sqlite import SqliteStore
from lamina.adapters.sqlite.deeds import Ids
from lamina.model import Link
from lamina.ports import NEVER
from lamina.testing.clock import NOON
from lamina.testing.factories import act, gone, link, undo, write
from lamina.testing.graph_contract import fill, grow
from lamina.testing.graphs import micros, read_then, told
from lamina.testing.graphs import rows as spans
from lamina.testing.recommending_contract import FILMS, atomic, tell


def test_what_another_process_writes_is_told(store: SqliteStore, path: Path) -> None:
    with closing(SqliteStore(path)) as other:
        other.space()
        for _ in grow(store):
            assert told(other.graph(FILMS)) == told(store.graph(FILMS))


def test_notes_that_are_added_and_evolve_are_read_without_what_was_there(
    store: SqliteStore,
) -> None:
    a, b = tell(store, act(), act("bo", minute=1))
    write(store, FILMS, atomic("n", a), id_="op1", minute=1)
    before = store.graph(FILMS)

    with patch("lamina.adapters.sqlite.recall.GraphShelf", side_effect=AssertionError):
        evolved = atomic("n", a, revision=2, tags=())
        write(store, FILMS, atomic("b", b), evolved, id_="op2", minute=2, links=(link("b", "n"),))
        graph = store.graph(FILMS)

    assert graph.refs == ("n", "b", "n")
    assert before.refs == ("n",)
    assert before.known_until.tolist() == [NEVER]


def test_what_changes_nothing_of_it_leaves_the_same_object(store: SqliteStore) -> None:
    [a] = tell(store, act())
    write(store, FILMS, atomic("n", a), id_="op1")
    graph = store.graph(FILMS)

    write(store, FILMS, id_="op2", progress={a: "bound"})

    assert store.graph(FILMS) is graph


def test_a_link_is_told_once_both_its_ends_have_rows(store: SqliteStore) -> None:
    a, b = tell(store, act(), act("bo"))
    bare = replace(atomic("b", b), indexed=False)
    write(store, FILMS, atomic("a", a), bare, id_="op1", minute=1, links=(link("b", "a"),))
    assert store.graph(FILMS).note_names == ("a",)
    assert len(store.graph(FILMS).link_from) == 0

    write(store, FILMS, atomic("b", b, revision=2), id_="op2", minute=2)

    assert told(store.graph(FILMS))[4] == [("b", "a", micros(1))]
    assert store.links(FILMS, ["a"]) == [Link(source="b", target="a", relation="because")]


def test_a_document_that_is_made_anew_takes_the_place_of_the_old_one(
    store: SqliteStore, path: Path
) -> None:
    fill(store)
    before = told(store.graph(FILMS))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM vector WHERE document = 2")

    repaired = store.repair(now=NOON)
    assert [(view, ref) for _, view, ref, _ in repaired.lacking] == [("note", "n")]
    assert told(store.graph(FILMS)) != before


@pytest.mark.parametrize("minute", [1, 2, 3, 4, 5, 6, 9999])
def test_a_revision_that_is_deleted_gives_way_to_the_one_before_it(
    store: SqliteStore, minute: float
) -> None:
    a, b = tell(store, act(), act("bo"))
    write(store, FILMS, atomic("n", a), atomic("b", b), id_="op1", minute=1)
    write(store, FILMS, atomic("n", a, revision=2, tags=()), id_="op2", minute=3)
    write(store, FILMS, id_="op3", minute=5, gone=gone("revision", "n", revision=2, always=False))

    t = micros(minute)
    live = sorted((row[1], row[7]) for row in spans(store.graph(FILMS)) if row[5] < t <= row[6])
    assert live == read_then(store, FILMS, minute)[1]
    undo(store, FILMS, "op3", by="op4", minute=7)
    assert len(spans(store.graph(FILMS))) == 3


def test_ids_are_read_as_a_tuple_is_and_do_not_grow() -> None:
    whole = ["a", "b", "c"]
    ids = Ids(whole)
    whole.append("d")

    assert ids == ("a", "b", "c")
    assert ids != ("a", "b")
    assert list(ids) == ["a", "b", "c"]
    assert (ids[0], ids[-1], ids[1:], ids[::-1]) == ("a", "c", ("b", "c"), ("c", "b", "a"))
    assert "d" not in ids
    with pytest.raises(IndexError):
        ids[3]
    assert {ids: 1}[Ids(["a", "b", "c"])] == 1
