from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

from lamina.adapters.sqlite import SqliteStore
from lamina.adapters.sqlite.growing import Grown
from lamina.errors import EncoderMismatch
from lamina.ports import Documents, EncoderSpace
from lamina.testing.clock import NOON
from lamina.testing.factories import SPACE, at, document, draft, note, say, scope, vector, writing

ALICE, BO = scope("alice"), scope("bo")
OTHER = EncoderSpace(id="tests/2", dim=8, max_tokens=9, languages=frozenset({"en"}))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def store(path: Path) -> SqliteStore:
    store = SqliteStore(path)
    store.set_space(SPACE)
    return store


def documents(store: SqliteStore) -> Documents:
    with store.snapshot(ALICE) as snapshot:
        return snapshot.documents


def same(one: Documents, two: Documents) -> bool:
    pairs = [(getattr(one, f.name), getattr(two, f.name)) for f in fields(Documents)]
    return all(np.array_equal(a, b) for a, b in pairs)


def test_a_shelf_that_grew_is_like_one_filled_at_once(store: SqliteStore, path: Path) -> None:
    for number in range(60):
        minute, session = (number * 37) % 60, f"s{number % 3}"
        given = draft(f"word{number % 5} {number}", said_at=at(minute), session=session)
        [id_] = say(store, ALICE, given)
        if number % 4 == 0:
            made = note(f"n{number}", f"word{number % 5}", event=id_, said_at=at(minute))
            store.apply(ALICE, writing(made, id_=str(number)), now=NOON)
        if number % 20 == 19:
            store.apply(ALICE, writing(withdraw=(id_,), id_=f"w{number}"), now=NOON)
        with store.snapshot(ALICE) as snapshot:
            grown = snapshot.documents
            found = snapshot.postings(["word1", "word2"])

    fresh = SqliteStore(path)
    assert same(documents(fresh), grown)
    with fresh.snapshot(ALICE) as snapshot:
        again = snapshot.postings(["word1", "word2"])
    assert again.rows.tolist() == found.rows.tolist()
    assert again.counts.tolist() == found.counts.tolist()
    fresh.close()
    store.close()


def test_nothing_is_read_again_while_nothing_changes(store: SqliteStore) -> None:
    say(store, ALICE, "tea")

    first, again = documents(store), documents(store)

    assert first is again
    store.close()


def test_a_second_store_on_the_file_sees_every_kind_of_change(
    store: SqliteStore, path: Path
) -> None:
    other = SqliteStore(path)
    one, two = say(store, ALICE, "tea", "milk")
    changes = [
        writing(note("n", "likes tea", event=one), id_="a"),
        writing(documents=(document("turn", one, "coffee"),), id_="b"),
        writing(replace(note("n", "likes coffee", event=one), revision=2), id_="c"),
        writing(note("n", event=one, sources=(two,)), id_="d"),
        writing(withdraw=(two,), id_="e"),
        writing(restore=(two,), id_="f"),
    ]
    for change in changes:
        before = documents(other)
        store.apply(ALICE, change, now=NOON)

        assert same(documents(other), documents(store))
        assert not same(documents(other), before)
    other.close()
    store.close()


def test_arrays_handed_out_cannot_be_written(store: SqliteStore) -> None:
    say(store, ALICE, "tea")

    with pytest.raises(ValueError, match="read-only"):
        documents(store).vectors.array[0, 0] = 1
    store.close()


def test_only_so_much_is_kept_between_searches(path: Path) -> None:
    store = SqliteStore(path, cache_bytes=5_000)
    store.set_space(SPACE)
    owners = [scope(str(number)) for number in range(20)]
    for owner in owners:
        say(store, owner, *(f"text {i}" for i in range(10)))
        with store.snapshot(owner) as snapshot:
            assert len(snapshot.documents.refs) == 10

    assert 1 <= len(store._shelves._slots) < 5
    for owner in owners:
        with store.snapshot(owner) as snapshot:
            assert len(snapshot.documents.refs) == 10
    store.close()


def test_a_process_with_the_old_encoder_is_told_after_a_switch(
    store: SqliteStore, path: Path
) -> None:
    other = SqliteStore(path)
    assert other.space() == SPACE
    say(store, ALICE, "tea")
    store.reencode(ALICE, {1: vector("x")}, OTHER)
    store.switch_space(OTHER)

    with pytest.raises(EncoderMismatch, match="tests/2"):
        documents(other)
    with pytest.raises(EncoderMismatch, match="lamina reencode"):
        say(other, ALICE, "more")

    assert other.space() == OTHER
    assert store.counts()["messages"] == 1
    other.close()
    store.close()


def test_views_of_an_array_that_grows_stay_what_they_were() -> None:
    grown = Grown(2, np.int64)
    views = []
    for number in range(50):
        grown.add(np.full((1, 2), number))
        views.append(grown.view())

    assert [view[:, 0].tolist() for view in views] == [list(range(n + 1)) for n in range(50)]
