"""Which notes are near to new ones."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.ports import ALWAYS, ITEM_NOTE, NEVER, USER_NOTE, Graph, VectorRows
from lamina.work.neighbourhood import OTHERS, Made, Neighbourhood, Query

DIM = 4
ITEMS = 5


def units(count: int, seed: int) -> Any:
    drawn = np.random.default_rng(seed).normal(size=(count, DIM)).astype(np.float32)
    return drawn / np.maximum(np.linalg.norm(drawn, axis=1, keepdims=True), 1e-9)


def graph(rows: list[tuple[int, int, int, int]], seed: int = 0) -> Graph:
    """Return a graph of notes: (whose or -1, about, known_from, known_until)."""
    whose, about, known_from, known_until = (
        np.array([row[i] for row in rows], np.int64) for i in range(4)
    )
    n = len(rows)
    none = np.zeros(0, np.int64)
    return Graph(
        users=("a", "b", "c"),
        items=tuple(map(str, range(ITEMS))),
        by=none.astype(np.int32), of=none.astype(np.int32), said_at=none, gone_at=none,
        ratings=none.astype(np.float32), actions=none.astype(np.int16), action_names=(),
        messages=(),
        kinds=np.where(whose < 0, ITEM_NOTE, USER_NOTE).astype(np.int8),
        refs=tuple(map(str, range(n))),
        whose=whose.astype(np.int32), about=about.astype(np.int32),
        done_at=known_from, known_from=known_from, known_until=known_until,
        vectors=VectorRows(units(n, seed)),
        link_from=none.astype(np.int32), link_to=none.astype(np.int32), link_known_from=none,
        note_names=tuple(map(str, range(n))), notes=np.arange(n, dtype=np.int32),
    )  # fmt: skip


def made(*notes: tuple[int, int, int], seed: int = 1, at: int = 9) -> Made:
    """Return the notes of a batch: (whose or -1, about, place), all done at one moment."""
    columns = [np.array([note[i] for note in notes], np.int32) for i in range(3)]
    return Made(
        vectors=units(len(notes), seed), whose=columns[0], about=columns[1], places=columns[2],
        at=np.full(len(notes), at, np.int64),
    )  # fmt: skip


def test_of_each_item_the_most_similar_note_is_near() -> None:
    kept = graph([(-1, 0, 0, NEVER), (0, 0, 0, NEVER), (1, 0, 0, NEVER), (-1, 1, 0, NEVER)])
    new = made((0, 2, 0))

    [near] = Neighbourhood(kept, new).near([Query(made=0, by=9)], 5, [None])

    cosines = kept.vectors[np.arange(4)] @ new.vectors[0]
    assert [row for row, _ in near] == sorted(
        [int(cosines[:3].argmax()), 3], key=lambda row: -cosines[row]
    )
    assert [cosine for _, cosine in near] == [float(cosines[row]) for row, _ in near]


def test_what_was_changed_since_or_known_later_is_not_near() -> None:
    kept = graph([(-1, 0, 0, 5), (-1, 1, 8, NEVER), (0, 2, 8, NEVER), (1, 3, ALWAYS, NEVER)])

    [near] = Neighbourhood(kept, made((0, 4, 0))).near([Query(made=0, by=7)], 5, [None])

    assert near == []  # others' notes are looked at where the item's or the user's own is near


def test_in_a_batch_only_what_comes_before_is_near() -> None:
    new = made((-1, 0, 0), (0, 0, 0), (-1, 1, 1), (0, 1, 1), (1, 1, 2))

    found = Neighbourhood(graph([]), new).near(
        [Query(made=1, by=9), Query(made=3, by=9), Query(made=4, by=9)], 5, [None] * 3
    )

    assert found[0] == []
    assert {row for row, _ in found[1]} <= {0, 1}
    assert len(found[1]) == 1
    assert len(found[2]) == 2
    assert {row for row, _ in found[2]} <= {0, 1, 2, 3}


def test_whose_notes_may_not_be_shown_are_not_near() -> None:
    kept = graph([(-1, 0, 0, NEVER), *((1, 0, 0, NEVER) for _ in range(4))])
    seen = np.array([True, False, False])
    found = {
        Neighbourhood(kept, made((0, 2, 0), seed=seed)).near([Query(made=0, by=9)], 5, [seen])[0][
            0
        ][0]
        for seed in range(20)
    }

    assert found == {0}


@pytest.mark.parametrize("seed", range(20))
def test_what_comes_later_takes_no_place_among_others_latest_notes(seed: int) -> None:
    before = graph([(-1, 0, 0, NEVER), (0, 0, 1, NEVER)], seed)
    late = [(1, 0, 20 + i, NEVER) for i in range(OTHERS)]
    after = graph([(-1, 0, 0, NEVER), (0, 0, 1, NEVER), *late], seed)
    later = [(1, 0, 1 + i) for i in range(OTHERS)]

    [known] = Neighbourhood(before, made((2, 1, 0))).near([Query(made=0, by=9)], 5, [None])
    [found] = Neighbourhood(after, made((2, 1, 0), *later)).near([Query(made=0, by=9)], 5, [None])

    assert [row for row, _ in found] == [row for row, _ in known]


@given(
    rows=st.lists(
        st.tuples(
            st.integers(-1, 2), st.integers(0, ITEMS - 1), st.integers(0, 9),
            st.sampled_from([5, NEVER]),
        ),
        max_size=12,
    ),
    seed=st.integers(0, 99),
    k=st.integers(1, 6),
)  # fmt: skip
def test_what_is_found_is_allowed_and_each_item_once(
    rows: list[tuple[int, int, int, int]], seed: int, k: int
) -> None:
    """And of items' notes and the user's own none that is nearer was missed."""
    kept, new = graph(rows, seed), made((0, 0, 0), seed=seed)

    [near] = Neighbourhood(kept, new).near([Query(made=0, by=6)], k, [None])

    about = [rows[row][1] for row, _ in near]
    assert len(set(about)) == len(near) <= k
    assert all(rows[row][2] <= 6 and rows[row][3] == NEVER for row, _ in near)
    assert all(a >= b for (_, a), (_, b) in itertools.pairwise(near))
    line = kept.vectors[np.arange(len(rows))] @ new.vectors[0] if rows else np.zeros(0)
    for row, (whose, item, known_from, until) in enumerate(rows):
        if whose < 1 and known_from <= 6 and until == NEVER and item not in about:
            assert len(near) == k
            assert line[row] <= near[-1][1] + 1e-6
