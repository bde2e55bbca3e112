import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lamina.adapters.sqlite import SqliteStore
from lamina.adapters.sqlite.in_force import Mark, Touched
from lamina.errors import NotFound
from lamina.testing.clock import NOON
from lamina.testing.factories import (
    append,
    at,
    document,
    draft,
    exchange,
    gone,
    note,
    operation,
    say,
    scope,
    undo,
    write,
    writing,
)
from lamina.times import to_micros

ALICE = scope("alice")
ALWAYS = -(2**63)


def rows(path: Path, query: str) -> list[tuple[Any, ...]]:
    """What the file holds beside what the store tells."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


def index(store: SqliteStore, id_: str) -> list[str]:
    """Make the exchanges that are missing; return the texts of the messages before."""
    stale = store.stale_exchanges(ALICE, "s1", 999)
    shown = tuple(exchange(pair.previous, pair.message) for pair in stale)
    write(store, ALICE, id_=id_, documents=shown)
    return [pair.previous.text for pair in stale]


def exchanges(path: Path) -> list[tuple[int, int]]:
    """Those that are found now, each by the messages it shows."""
    found = rows(path, "SELECT previous, subject FROM document WHERE view = 1 AND hidden = 0")
    return sorted(found)


def test_a_row_tells_who_hid_it_and_from_when_on(store: SqliteStore, path: Path) -> None:
    one, two, three = say(store, ALICE, "one", "two", "three")
    write(store, ALICE, id_="op1", minute=5, gone=gone("message", one, always=False))
    write(store, ALICE, id_="op2", minute=4, gone=gone("message", one, two, always=False))
    write(store, ALICE, id_="op3", minute=9, gone=gone("message", two))

    told = "SELECT withdrawn_by, gone_at FROM message ORDER BY position"
    assert rows(path, told) == [(1, to_micros(at(4))), (2, ALWAYS), (None, None)]

    undo(store, ALICE, "op2", by="op4")
    assert rows(path, told) == [(1, to_micros(at(5))), (3, ALWAYS), (None, None)]
    assert [m.id for m in store.latest(ALICE, 9)] == [three]


def test_what_an_undone_operation_wrote_never_was(store: SqliteStore, path: Path) -> None:
    [added] = append(store, ALICE, [draft("one")], operation=operation("import1", "import"))
    write(store, ALICE, note("n", event=added.id), id_="op1")
    write(store, ALICE, id_="op2", minute=7, gone=gone("operation", "import1", "op1"))

    assert rows(path, "SELECT withdrawn_by, gone_at FROM message") == [(3, ALWAYS)]
    assert rows(path, "SELECT withdrawn_by, gone_at FROM revision") == [(3, ALWAYS)]
    assert rows(path, "SELECT latest, last, withdrawn_by, gone_at FROM note") == [(0, 1, 3, None)]


def test_a_note_is_as_old_as_the_revision_that_counts(store: SqliteStore, path: Path) -> None:
    [one] = say(store, ALICE, "one")
    first = note("n", "here", event=one)
    write(store, ALICE, first, id_="op1")
    write(store, ALICE, replace(first, text="there", revision=2, said_at=at(8)), id_="op2")
    told = "SELECT latest, last, said_at FROM note"
    assert rows(path, told) == [(2, 2, to_micros(at(8)))]

    undo(store, ALICE, "op2", by="op3")

    assert rows(path, told) == [(1, 2, to_micros(NOON))]
    shown = "SELECT revision, hidden FROM document WHERE view = 2 ORDER BY id"
    assert rows(path, shown) == [(1, 0), (2, 1)]


def test_a_chain_of_undoings_is_followed_to_its_end(store: SqliteStore) -> None:
    [one] = say(store, ALICE, "one")
    write(store, ALICE, note("n", event=one), id_="op0")
    for step in range(1, 9):
        undo(store, ALICE, f"op{step - 1}", by=f"op{step}")
        assert len(store.notes(ALICE, ["n"])) == 1 - step % 2

    undone = [each.undone_by for each in store.operations(ALICE, [f"op{i}" for i in range(9)])]
    assert undone == [None, "op2", None, "op4", None, "op6", None, "op8", None]


def test_nothing_undoes_itself_or_what_came_later(store: SqliteStore) -> None:
    write(store, ALICE, id_="op1")
    write(store, ALICE, id_="op2")

    for later in ("op1", "op2"):
        with pytest.raises(NotFound, match="before this one"):
            undo(store, ALICE, later, by="op1")


def test_what_comes_late_for_an_undone_operation_is_undone_at_once(store: SqliteStore) -> None:
    [one] = say(store, ALICE, "one")
    append(store, ALICE, [draft("two", said_at=at(2))], operation=operation("op1"))
    undo(store, ALICE, "op1", by="op2")

    append(store, ALICE, [draft("three", said_at=at(3))], operation=operation("op1"))
    write(store, ALICE, note("n", event=one), id_="op1")

    assert [m.id for m in store.latest(ALICE, 9)] == [one]
    assert store.notes(ALICE, ["n"]) == []
    assert store.check() == []
    undo(store, ALICE, "op2", by="op3")
    assert [m.text for m in store.latest(ALICE, 9)] == ["one", "two", "three"]
    assert len(store.notes(ALICE, ["n"])) == 1
    assert store.check() == []


def test_marks_that_are_made_again_are_kept_once(store: SqliteStore) -> None:
    [one] = say(store, ALICE, "one")
    write(store, ALICE, note("n", event=one), id_="op1")
    given = writing(id_="op2", gone=(*gone("message", one), *gone("operation", "op1")))

    store.apply(ALICE, given, now=NOON)
    store.apply(ALICE, given, now=NOON)

    assert store.gone_by(ALICE, "op2") == list(given.gone)


def test_exchanges_around_what_is_gone_are_made_anew_and_kept_for_its_return(
    store: SqliteStore, path: Path
) -> None:
    ids = say(store, ALICE, "one", "two", "three", "four")
    index(store, "op1")
    assert exchanges(path) == [(1, 2), (2, 3), (3, 4)]

    write(store, ALICE, id_="op2", gone=gone("message", ids[1], ids[2]))
    assert exchanges(path) == []
    assert index(store, "op3") == ["one"]
    assert exchanges(path) == [(1, 4)]

    undo(store, ALICE, "op2", by="op4")
    assert exchanges(path) == [(1, 2), (2, 3), (3, 4)]
    assert store.stale_exchanges(ALICE, "s1", 9) == []
    due = "SELECT position FROM message WHERE exchange_due = 1"
    assert rows(path, due) == [(1,)]  # the first of a session has none
    assert store.check() == []


def test_an_import_of_many_is_undone_and_comes_back(store: SqliteStore, path: Path) -> None:
    say(store, ALICE, draft("before", said_at=at(-1)), draft("after", said_at=at(9999)))
    given = [draft(f"number {i}", said_at=at(i)) for i in range(300)]
    added = append(store, ALICE, given, operation=operation("import1", "import"))
    write(store, ALICE, *(note(a.id[:9], f"n {i}", event=a.id) for i, a in enumerate(added)),
          id_="bind1")  # fmt: skip
    index(store, "op1")

    write(store, ALICE, id_="op2", gone=gone("operation", "import1", "bind1"))
    assert [m.text for m in store.latest(ALICE, 9)] == ["before", "after"]
    assert store.counts(ALICE)["documents"] == 2
    assert [pair.previous.text for pair in store.stale_exchanges(ALICE, "s1", 9)] == ["before"]
    assert store.check() == []

    undo(store, ALICE, "op2", by="op3")
    assert len(store.latest(ALICE, 999)) == 302
    assert store.counts(ALICE)["documents"] == 302 + 300 + 301
    assert store.stale_exchanges(ALICE, "s1", 9) == []
    assert store.check() == []


def test_words_of_a_message_that_was_withdrawn_meanwhile_are_not_shown(
    store: SqliteStore, path: Path
) -> None:
    say(store, ALICE, "one", "two")
    [pair] = store.stale_exchanges(ALICE, "s1", 9)
    write(store, ALICE, id_="op1", gone=gone("message", pair.previous.id))

    write(store, ALICE, id_="op2", documents=(exchange(pair.previous, pair.message),))

    assert exchanges(path) == []


def test_a_revision_of_the_past_can_be_given_another_document(
    store: SqliteStore, path: Path
) -> None:
    [one] = say(store, ALICE, "one")
    first = note("n", "here", event=one)
    write(store, ALICE, first, id_="op1")
    write(store, ALICE, replace(first, revision=2, valid_at=at(1)), id_="op2", documents=())
    write(store, ALICE, replace(first, text="there", revision=3), id_="op3")

    anew = document("note", "n", "here anew", revision=2)
    write(store, ALICE, id_="op4", documents=(anew,))

    shown = "SELECT number, document FROM revision ORDER BY number"
    assert rows(path, shown) == [(1, 4), (2, 4), (3, 3)]
    assert rows(path, "SELECT id, revision, hidden FROM document WHERE view = 2") == [
        (3, 3, 0),
        (4, 1, 1),
    ]
    with pytest.raises(NotFound, match="no revision 9"):
        write(store, ALICE, id_="op5", documents=(replace(anew, revision=9),))


def test_what_is_touched_is_told_apart_by_what_a_mark_is_on() -> None:
    touched = Touched()
    for what, subject in (("message", 1), ("consolidation", 2), ("note", 3), ("revision", 4)):
        touched.add(Mark(what, subject, 0, always=True))  # type: ignore[arg-type]
    touched.add(Mark("operation", 5, 0, always=True))

    assert touched == Touched(messages={1, 2}, notes={3, 4}, operations={5})
