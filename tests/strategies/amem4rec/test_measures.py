"""How a pool stands."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lamina.strategies.amem4rec.measures import (
    Measures,
    Pair,
    doubts,
    mean_cosines,
    measure,
    near_twins,
)
from tests.strategies.amem4rec.made_patterns import unit

PAIRS = (
    Pair(0.9, passed=True, linked=True),
    Pair(0.7, passed=True, linked=True),
    Pair(0.88, passed=True, linked=False),
    Pair(0.6, passed=True, linked=False),
    Pair(0.2, passed=False, linked=False),
)


def measured(refused: int, linked: int) -> Measures:
    pairs = [Pair(0.9, passed=True, linked=i < linked) for i in range(refused + linked)]
    return measure(9, pairs, np.empty((0, 2), np.float32), 0.85)


def test_a_pass_comes_to_means_of_what_was_linked_and_what_was_not() -> None:
    found = measure(7, PAIRS, np.array([unit(1, 0), unit(1, 0.01), unit(0, 1)]), 0.85)

    assert (found.parts, found.patterns, found.refused) == (7, 3, 2)
    assert found.linked == pytest.approx(0.8)
    assert found.unlinked == pytest.approx((0.88 + 0.6 + 0.2) / 3)
    assert (found.alike, found.alike_refused) == (2, 1)
    assert found.near_twins == pytest.approx(2 / 3)


def test_where_there_are_no_pairs_there_is_no_mean() -> None:
    found = measure(1, [], np.array([unit(1, 0)]), 0.85)

    assert (found.linked, found.unlinked, found.near_twins) == (None, None, 0.0)


def test_an_encoder_is_doubted_where_meaning_keeps_refusing_what_it_holds_for_alike() -> None:
    assert doubts(measured(refused=9, linked=10)) == ()
    assert doubts(measured(refused=9, linked=11)) == ()
    assert doubts(measured(refused=19, linked=0)) == ()

    (told,) = doubts(measured(refused=15, linked=15))

    assert "15 of 30" in told


@settings(deadline=None)
@given(st.lists(st.integers(0, 15), max_size=30))
def test_a_near_twin_is_one_of_two(turns: list[int]) -> None:
    rows = np.array([unit(np.cos(0.25 * t), np.sin(0.25 * t)) for t in turns]).reshape(-1, 2)
    twinned = [
        any(abs(one - other) < 2 for j, other in enumerate(turns) if j != i)
        for i, one in enumerate(turns)
    ]

    found = near_twins(rows, 0.95)

    assert found == pytest.approx(sum(twinned) / len(turns) if turns else 0.0)


def test_near_twins_are_found_across_blocks() -> None:
    rows = np.random.default_rng(1).normal(size=(700, 64))
    rows[699] = rows[0]
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)

    assert near_twins(rows.astype(np.float32)) == pytest.approx(2 / 700)


@settings(deadline=None)
@given(st.integers(2, 12), st.data())
def test_mean_cosines_are_those_of_all_pairs(count: int, data: st.DataObject) -> None:
    rows = np.random.default_rng(count).normal(size=(count, 5))
    rows = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    pairs = list(combinations(range(count), 2))
    linked = data.draw(st.lists(st.sampled_from(pairs), unique=True))
    cosine = {(i, j): float(rows[i] @ rows[j]) for i, j in pairs}

    found = mean_cosines(rows, np.array(linked, dtype=np.intp).reshape(-1, 2))

    rest = [cosine[each] for each in pairs if each not in linked]
    assert found[0] == (
        pytest.approx(np.mean([cosine[p] for p in linked]), abs=1e-6) if linked else None
    )
    assert found[1] == (pytest.approx(np.mean(rest), abs=1e-5) if rest else None)
