from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

from lamina.adapters.sqlite import SqliteStore
from lamina.adapters.sqlite.growing import Grown
from lamina.errors import EncoderMismatch
from lamina.model import At
from lamina.ports import Documents, EncoderSpace, Snapshot
from lamina.testing.clock import NOON
from lamina.testing.factories import (
    SPACE,
    at,
    document,
    draft,
    gone,
    known,
    note,
    recorded,
    say,
    scope,
    undo,
    vector,
    write,
    writing,
)

ALICE, BO = scope("alice"), scope("bo")
OTHER = EncoderSpace(id="tests/2", dim=8, max_tokens=9, languages=frozenset({"en"}))


@pytest.fixture
def store(path: Path) -> SqliteStore:
    store = SqliteStore(path)
    store.set_space(SPACE)
    return store


def documents(store: SqliteStore, moment: At | None = None) -> Documents:
    with store.snapshot(ALICE, at=moment) as snapshot:
        return snapshot.documents


def same(one: Documents, two: Documents) -> bool:
    unordered = {"rest_rows", "rest_turns"}
    names = [f.name for f in fields(Documents) if f.name not in unordered]
    pairs = [(getattr(one, name), getattr(two, name)) for name in names]
    return rests(one) == rests(two) and all(np.array_equal(a, b) for a, b in pairs)


def rests(read: Documents) -> list[tuple[int, int]]:
    return sorted(zip(read.rest_rows.tolist(), read.rest_turns.tolist(), strict=True))


def found(snapshot: Snapshot) -> list[list[int]]:
    postings = snapshot.postings(["word1", "word2", "nope"])
    return [each.tolist() for each in (postings.starts, postings.rows, postings.counts)]


@pytest.mark.parametrize("moment", [None, known(30), known(500), recorded(31)])
def test_a_shelf_that_grew_is_like_one_filled_at_once(
    store: SqliteStore, path: Path, moment: At | None
) -> None:
    for number in range(60):
        minute, session = (number * 37) % 60, f"s{number % 3}"
        given = draft(f"word{number % 5} {number}", said_at=at(minute), session=session)
        [id_] = say(store, ALICE, given)
        if number % 4 == 0:
            made = note(f"n{number}", f"word{number % 5}", event=id_, said_at=at(minute))
            write(store, ALICE, made, id_=str(number), minute=minute)
        if number % 12 == 0:
            again = replace(made, text="word2", revision=2)
            write(store, ALICE, again, id_=f"r{number}", minute=minute + 9)
        if number % 20 == 19:
            marks = gone("message", id_, always=False)
            write(store, ALICE, id_=f"w{number}", minute=minute + 5, gone=marks)
        with store.snapshot(ALICE, at=moment) as snapshot:
            grown, entries = snapshot.documents, found(snapshot)

    fresh = SqliteStore(path)
    with fresh.snapshot(ALICE, at=moment) as snapshot:
        assert same(snapshot.documents, grown)
        assert found(snapshot) == entries
    fresh.close()
    store.close()


def test_a_moment_after_all_shows_what_is_live(store: SqliteStore) -> None:
    one, two = say(store, ALICE, "tea", "milk")
    write(store, ALICE, note("n", "likes tea", event=one), note("m", event=two), id_="a")
    write(store, ALICE, replace(note("n", "likes milk", event=one), revision=2), id_="b")
    write(store, ALICE, id_="c", gone=gone("note", "m"))

    assert same(documents(store, known(999)), documents(store))
    undo(store, ALICE, "c", by="d")
    assert same(documents(store, known(999)), documents(store))
    store.close()


def test_moments_share_one_array_of_vectors(store: SqliteStore) -> None:
    say(store, ALICE, "tea", "milk", "rum")

    one, two = documents(store, known(1)), documents(store, known(9))

    assert one.vectors.array is two.vectors.array
    assert (len(one.vectors), len(two.vectors)) == (1, 3)
    np.testing.assert_array_equal(one.vectors.cosines(vector("tea")), [1], strict=False)
    store.close()


def test_a_moment_is_kept_until_something_is_written(store: SqliteStore) -> None:
    say(store, ALICE, "tea")
    first = documents(store, known(9))
    assert documents(store, known(9)) is first

    say(store, ALICE, "milk")

    assert len(documents(store, known(9)).refs) == 2
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
        writing(id_="e", gone=gone("message", two)),
        writing(id_="f", gone=gone("operation", "e")),
        writing(id_="g", gone=gone("revision", "n", revision=3)),
    ]
    for change in changes:
        before = documents(other), documents(other, known(9))
        store.apply(ALICE, change, now=NOON)
        after = documents(other), documents(other, known(9))

        assert same(after[0], documents(store))
        assert same(after[1], documents(store, known(9)))
        assert not same(before[0], after[0])
        assert not same(before[1], after[1])
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
