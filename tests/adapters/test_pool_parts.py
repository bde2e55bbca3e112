"""Whoever goes from a pool, however it came about, takes what is theirs along and nothing else."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lamina.adapters.in_memory import InMemoryStore
from lamina.adapters.sqlite import SqliteStore
from lamina.model import Scope
from lamina.ports import Store
from lamina.testing.clock import NOON
from lamina.testing.factories import SPACE, part, scope
from lamina.testing.graphs import counting, read_then, supported, told
from lamina.testing.pool_contract import contribute, taking_in
from tests.adapters.generated_pools import USERS, Left, Turn, forget, play, pools, word

users = st.sampled_from(USERS)
numbers = count()
GENERATED = settings(
    max_examples=int(os.environ.get("LONG_AGREEMENT", "10")),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@pytest.fixture(params=["in memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    in_file = request.param == "sqlite"
    store: Store = SqliteStore(tmp_path / "memory.db") if in_file else InMemoryStore()
    store.set_space(SPACE)
    yield store
    store.close()


@contextmanager
def played(pool: list[Turn], *stores: Store) -> Iterator[Scope]:
    """A pool that came about in each of some stores, and is gone afterwards."""
    owner = scope(f"films{next(numbers)}", "pool")
    for store in stores:
        play(store, pool, owner)
    yield owner
    for store in stores:
        store.forget(owner, now=NOON)


@GENERATED
@given(pool=pools, user=users)
def test_what_is_theirs_goes_and_nothing_else(store: Store, pool: list[Turn], user: str) -> None:
    with played(pool, store) as owner:
        left = Left(store.dump(owner), user)

        forget(store, user, owner)

        found = store.dump(owner)
        assert list(found.revisions) == left.revisions
        assert found.messages == left.messages
        assert set(found.links) == set(left.links)
        assert set(found.gone) == set(left.gone)
        assert store.check() == []


@GENERATED
@given(pool=pools, user=users)
def test_no_word_of_theirs_is_left_anywhere(store: Store, pool: list[Turn], user: str) -> None:
    with played(pool, store) as owner:
        words = [word(n) for n, turn in enumerate(pool) if turn.user == user]

        forget(store, user, owner)

        assert store.purge()
        assert store.occurrences([each.encode() for each in words]) == [0] * len(words)
        kept = repr((store.dump(owner), store.documents_of(owner, 0, 999)))
        assert [each for each in words if each in kept] == []
        with store.snapshot(owner) as snapshot:
            assert len(snapshot.postings(words).rows) == 0


@GENERATED
@given(pool=pools, user=users)
def test_the_graph_tells_whose_parts_are_left(store: Store, pool: list[Turn], user: str) -> None:
    with played(pool, store) as owner:
        store.graph(owner)

        forget(store, user, owner)

        graph = store.graph(owner)
        assert user not in graph.users
        assert {row[3] for row in supported(graph)} <= set(USERS) - {user}
        for minute in (len(pool) / 2, 9999):
            assert counting(graph, minute) == read_then(store, owner, minute)
        live = {note.id for note in store.list_notes(owner)}
        with store.snapshot(owner) as snapshot:
            assert set(snapshot.documents.refs) == live
        now = {row[:3] for row in supported(graph) if row[6] > 10**17 and row[0] in live}
        counts = {
            (id_, each.number, each.sources[0])
            for id_ in live
            for each in store.history(owner, id_)
            if not each.withdrawn
        }
        assert now == counts


@GENERATED
@given(pool=pools, user=users)
def test_evolution_goes_on_afterwards(store: Store, pool: list[Turn], user: str) -> None:
    with played(pool, store) as owner:
        forget(store, user, owner)
        again = store.dump(owner)
        receipt = forget(store, user, owner)
        assert (receipt.messages, receipt.notes, receipt.documents) == (0, 0, 0)
        after = store.dump(owner)
        assert replace(after, operations=after.operations[:-1]) == again

        [id_] = contribute(store, part("new"), where=owner)
        live = store.list_notes(owner)
        notes = [replace(n, revision=n.revision + 1, sources=(id_,)) for n in live]
        silent = [note.id for note in notes]
        store.apply(owner, taking_in(id_, *notes, silent=silent, minute=50), now=NOON)

        rows = supported(store.graph(owner))
        assert {row[0] for row in rows if row[3] == "new"} == set(silent)
        assert [n.text for n in store.list_notes(owner)] == [n.text for n in live]
        assert store.check() == []


@GENERATED
@given(pool=pools, user=users)
def test_both_stores_tell_the_same(store: Store, pool: list[Turn], user: str) -> None:
    one = InMemoryStore()
    one.set_space(SPACE)
    with played(pool, one, store) as owner:
        assert told(one.graph(owner)) == told(store.graph(owner))
        assert supported(one.graph(owner)) == supported(store.graph(owner))

        receipts = [forget(each, user, owner) for each in (one, store)]

        assert receipts[0] == receipts[1]
        assert one.dump(owner) == replace(store.dump(owner), links=one.dump(owner).links)
        assert told(one.graph(owner)) == told(store.graph(owner))
        assert supported(one.graph(owner)) == supported(store.graph(owner))
        assert one.waiting(owner, 99) == store.waiting(owner, 99)
