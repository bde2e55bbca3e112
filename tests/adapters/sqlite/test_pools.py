"""What SQLite keeps of a pool: arrays that grow as they would be filled anew, and gaps."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings

from lamina.adapters.sqlite import SqliteStore
from lamina.adapters.sqlite.deeds import Arranged
from lamina.errors import NotFound
from lamina.model import Scope
from lamina.ports import Archive, Graph
from lamina.testing.clock import NOON
from lamina.testing.factories import (
    SPACE,
    act,
    append,
    at,
    gone,
    link,
    part,
    pattern,
    scope,
    undo,
    write,
)
from lamina.testing.graphs import counting, read_then, supported, supporting, told
from lamina.testing.pool_contract import ELSEWHERE, POOL, contribute, fill, grow, take_in
from lamina.testing.pool_parts_contract import forget
from lamina.testing.recommending_contract import FILMS, atomic, tell
from lamina.testing.transfer_contract import shown_by
from tests.adapters.generated_pools import Turn, play, pools


class Watched(SqliteStore):
    """Lets its graph grow by every single thing that is written."""

    def apply(self, scope: Scope, *args: Any, **given: Any) -> None:
        super().apply(scope, *args, **given)
        self.graph(scope)

    def append(self, scope: Scope, *args: Any, **given: Any) -> Any:
        added = super().append(scope, *args, **given)
        self.graph(scope)
        return added


def filled_anew(path: Path, owner: Scope = POOL) -> Graph:
    with closing(SqliteStore(path)) as other:
        return other.graph(owner)


def all_of(graph: Graph) -> Any:
    support = graph.support
    numbers = (support.revisions, support.at, support.known_from, support.known_until)
    return told(graph), supported(graph), [column.tolist() for column in numbers]


@settings(max_examples=20, deadline=None)
@given(pool=pools)
def test_what_grew_one_by_one_is_as_if_filled_anew(pool: list[Turn]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        with closing(Watched(path)) as store:
            store.set_space(SPACE)
            play(store, pool, POOL)

            assert all_of(store.graph(POOL)) == all_of(filled_anew(path))


def test_what_another_process_takes_in_is_told(store: SqliteStore, path: Path) -> None:
    with closing(SqliteStore(path)) as other:
        other.space()
        for _ in grow(store):
            assert all_of(other.graph(POOL)) == all_of(store.graph(POOL))


def test_parts_are_taken_in_without_reading_what_was_there(store: SqliteStore, path: Path) -> None:
    ann, bo = contribute(store, part(said_at=at(5)), part("bo", said_at=at(9)))
    take_in(store, ann, pattern("p", ann), minute=10)
    before = store.graph(POOL)
    held = all_of(before), before.messages[:]

    with patch("lamina.adapters.sqlite.recall.GraphShelf", side_effect=AssertionError):
        take_in(store, bo, pattern("p", bo, revision=2), minute=11, silent=("p",))
        [cy] = contribute(store, part("cy", said_at=at(7)))
        new = pattern("p", cy, "More words.", revision=3)
        take_in(store, cy, new, pattern("q", cy), minute=12, links=(link("q", "p"),))
        graph = store.graph(POOL)

    assert graph.messages == (ann, cy, bo)
    assert [graph.messages[-1], *graph.messages[:1]] == [bo, ann]
    assert [row[:3] for row in supported(graph)] == [
        ("p", 1, ann), ("p", 2, bo), ("p", 3, cy), ("q", 1, cy),
    ]  # fmt: skip
    assert all_of(graph) == all_of(filled_anew(path))
    assert (all_of(before), before.messages[:]) == held


def test_what_changes_nothing_of_it_leaves_the_same_object(store: SqliteStore) -> None:
    fill(store)
    graph = store.graph(POOL)

    write(store, POOL, id_="nothing", minute=9)

    assert store.graph(POOL) is graph


def test_a_pattern_without_a_row_is_told_with_its_first_one_in_the_order_written(
    store: SqliteStore, path: Path
) -> None:
    ann, bo = contribute(store, part(), part("bo"))
    take_in(store, ann, pattern("p", ann), pattern("q", ann), minute=1, silent=("p",))
    before = store.graph(POOL)
    assert [row[:2] for row in supported(before)] == [("q", 1)]

    take_in(store, bo, pattern("p", bo, "More words.", revision=2), minute=2)

    graph = store.graph(POOL)
    assert [row[:2] for row in supported(graph)] == [("p", 1), ("q", 1), ("p", 2)]
    assert supported(graph) == supported(filled_anew(path))
    assert [row[:2] for row in supported(before)] == [("q", 1)]


def test_late_parts_come_after_those_of_the_same_moment(store: SqliteStore, path: Path) -> None:
    first = contribute(store, *(part(user, said_at=at(user == "c")) for user in "abc"))
    store.graph(POOL)

    late = contribute(store, *(part(user, said_at=at(0)) for user in "de"))
    later = contribute(store, part("f", said_at=at(1)), part("g", said_at=at(0.5)))

    graph = store.graph(POOL)
    assert graph.messages == (*first[:2], *late, later[1], first[2], later[0])
    assert all_of(graph) == all_of(filled_anew(path))
    assert isinstance(graph.messages, Arranged)


def test_documents_shown_twice_keep_their_vectors_beside_one_that_was_undone(
    store: SqliteStore,
) -> None:
    [a] = tell(store, act())
    write(store, FILMS, atomic("n", a), id_="op1", minute=1)
    write(store, FILMS, atomic("n", a, revision=2, tags=("x",)), id_="op2", minute=2)
    write(store, FILMS, id_="op3", minute=3, gone=gone("revision", "n", revision=2, always=False))
    write(store, FILMS, atomic("n", a, revision=2, tags=("y",)), id_="op4", minute=4)
    undo(store, FILMS, "op4", by="op5", minute=5)

    for minute in (1.5, 2.5, 9):
        assert counting(store.graph(FILMS), minute) == read_then(store, FILMS, minute)


def test_a_document_tells_the_first_revision_that_is_left(store: SqliteStore) -> None:
    bo, ann, cy = contribute(store, part("bo"), part(), part("cy"))
    take_in(store, bo, pattern("p", bo), minute=1)
    take_in(store, ann, pattern("p", ann, revision=2), minute=2)
    take_in(store, cy, pattern("p", cy, revision=3), minute=3, silent=("p",))

    assert forget(store).documents == 0

    assert [(d.ref, d.revision) for d in store.documents_of(POOL, 0, 9)] == [("p", 1), ("p", 3)]
    assert supporting(store.graph(POOL), 9) == {("p", 1, "bo"), ("p", 3, "cy")}
    assert store.check() == []


def without_second(store: SqliteStore, owner: Scope, *, pattern_: bool) -> Archive:
    """Return what a scope has, without the second of a note's three revisions."""
    ids = contribute(store, *(part(user) for user in "abc"), where=owner)
    for number, id_ in enumerate(ids, 1):
        new = pattern("p", id_, f"{number}", revision=number)
        note = new if pattern_ else replace(new, kind="fact")
        take_in(store, id_, note, minute=number, where=owner)
    archive = store.dump(owner)
    return replace(archive, revisions=archive.revisions[::2])


def test_a_pattern_with_gaps_can_be_put_in_and_evolves_on(store: SqliteStore) -> None:
    archive = without_second(store, POOL, pattern_=True)
    store.load(ELSEWHERE, archive, shown_by(archive), steps=(), now=NOON)

    assert store.dump(ELSEWHERE) == archive
    [di] = contribute(store, part("d"), where=ELSEWHERE)
    take_in(store, di, pattern("p", di, "4", revision=4), minute=4, where=ELSEWHERE)
    assert [note.revision for note in store.revisions(ELSEWHERE, "p")] == [1, 3, 4]
    assert supporting(store.graph(ELSEWHERE), 9) == {("p", 1, "a"), ("p", 3, "c"), ("p", 4, "d")}
    assert store.check() == []


@pytest.mark.parametrize(
    "spoilt",
    [
        lambda archive: replace(archive, revisions=archive.revisions[1:]),
        lambda archive: replace(archive, revisions=archive.revisions[::-1]),
        lambda archive: replace(archive, revisions=(*archive.revisions, archive.revisions[-1])),
    ],
)
def test_a_pattern_without_its_first_or_out_of_order_is_refused(
    store: SqliteStore, spoilt: Callable[[Archive], Archive]
) -> None:
    archive = spoilt(without_second(store, POOL, pattern_=True))

    with pytest.raises(NotFound):
        store.load(ELSEWHERE, archive, (), steps=(), now=NOON)

    assert store.dump(ELSEWHERE) == Archive()


def test_other_notes_have_no_gaps(store: SqliteStore, path: Path) -> None:
    other = scope("x", "space")
    archive = without_second(store, other, pattern_=False)
    with pytest.raises(NotFound):
        store.load(ELSEWHERE, archive, shown_by(archive), steps=(), now=NOON)

    spoil(path, "DELETE FROM source WHERE revision = 2", "DELETE FROM revision WHERE number = 2")

    assert any("revisions do not follow each other: 1" in problem for problem in store.check())


def test_a_pattern_that_lost_its_first_revision_is_found_out(
    store: SqliteStore, path: Path
) -> None:
    fill(store)
    first = "IN (SELECT number FROM note WHERE id = 'p') AND"
    spoil(
        path,
        f"DELETE FROM source WHERE note {first} revision = 1",
        f"DELETE FROM revision WHERE note {first} number = 1",
    )

    assert any("revisions do not follow each other: 1" in problem for problem in store.check())


def test_gaps_are_nothing_to_repair_but_counts_are(store: SqliteStore, path: Path) -> None:
    bo, ann, cy = contribute(store, part("bo"), part(), part("cy"))
    for number, id_ in enumerate((bo, ann, cy), 1):
        silent = ("p",) if number > 1 else ()
        take_in(store, id_, pattern("p", id_, revision=number), minute=number, silent=silent)
    forget(store)
    store.enqueue(POOL, (), now=NOON)
    before = all_of(store.graph(POOL))

    assert store.repair(now=NOON).rebuilt == {}
    spoil(path, "UPDATE note SET last = 9")
    assert store.check() != []
    assert store.repair(now=NOON).rebuilt == {"counts of revisions": 1}
    assert store.check() == []
    assert all_of(store.graph(POOL)) == before


def test_a_backup_has_the_pool(store: SqliteStore, tmp_path: Path) -> None:
    fill(store)
    forget(store, "bo")

    store.backup(tmp_path / "copy.db")

    assert all_of(filled_anew(tmp_path / "copy.db")) == all_of(store.graph(POOL))
    with closing(SqliteStore(tmp_path / "copy.db")) as copy:
        assert copy.check() == []
        assert copy.counts() == {**store.counts()}


def test_many_who_speak_keep_their_words_when_one_goes(store: SqliteStore) -> None:
    users = [f"u{number}" for number in range(9)]
    append(store, POOL, [part(user, f"By {user}.", said_at=at(n)) for n, user in enumerate(users)])

    for user in ("u1", "u8", "u0"):
        forget(store, user)

    left = [user for user in users if user not in ("u0", "u1", "u8")]
    assert store.participants(POOL) == left
    assert [(m.speaker, m.session, m.text) for m in store.waiting(POOL, 9)] == [
        (user, f"user:{user}", f"By {user}.") for user in left
    ]
    assert store.check() == []


def spoil(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)
