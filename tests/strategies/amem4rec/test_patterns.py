"""The working set of patterns: what is nearest, whatever way it came in."""

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from lamina.ports import VectorRows
from lamina.strategies.amem4rec.patterns import Patterns
from lamina.strategies.amem4rec.stages import Standing
from tests.strategies.amem4rec.made_patterns import angled, pool, said, standing, unit

DIM = 40
QUERY = unit(1, 0)


def vectors(numbers: Sequence[int]) -> NDArray[np.float32]:
    """Return a vector of length one for each number, the same for the same number."""
    drawn = [np.random.default_rng(number).normal(size=DIM) for number in numbers]
    rows = np.array(drawn).reshape(-1, DIM)
    found: NDArray[np.float32] = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(
        np.float32
    )
    return found


def near(found: Sequence[tuple[str, float]]) -> list[tuple[str, float]]:
    return [(id_, round(cosine, 4)) for id_, cosine in found]


def load(ids: Sequence[str]) -> Mapping[str, Standing]:
    return {id_: standing(id_) for id_ in ids}


def held(ids: Sequence[str], numbers: Sequence[int], stored: int) -> Patterns:
    """Return patterns of which the first are stored, and the others were added."""
    found = Patterns(
        ids[:stored], VectorRows(vectors(numbers[:stored])), np.ones(stored, dtype=bool), load
    )
    for id_, vector in zip(ids[stored:], vectors(numbers[stored:]), strict=True):
        found.add(standing(id_), vector)
    return found


NUMBERS = st.lists(st.integers(0, 12), min_size=1, max_size=40)


@settings(deadline=None)
@given(NUMBERS, st.integers(1, 8), st.randoms(use_true_random=False))
def test_it_does_not_matter_in_which_order_patterns_came_in(
    numbers: list[int], k: int, random: object
) -> None:
    ids = [f"{i * 7919 % 1000:03}" for i in range(len(numbers))]
    order = list(range(len(numbers)))
    random.shuffle(order)  # type: ignore[attr-defined]
    turned = ([ids[i] for i in order], [numbers[i] for i in order])
    query = vectors([99])[0]

    one = held(ids, numbers, len(ids)).nearest(query, k)
    other = held(*turned, len(ids) // 2).nearest(query, k)

    assert one == other
    assert len(one) == min(k, len(numbers))


@settings(deadline=None)
@given(NUMBERS, st.integers(1, 8), st.sets(st.integers(0, 39)))
def test_the_nearest_are_those_of_all_that_are_not_left_out(
    numbers: list[int], k: int, left_out: set[int]
) -> None:
    ids = [f"{i:02}" for i in range(len(numbers))]
    query = vectors([99])[0]
    exclude = {f"{i:02}" for i in left_out}
    cosines = np.round(vectors(numbers).astype(float) @ query.astype(float), 6)
    rest = [(-c, id_) for c, id_ in zip(cosines, ids, strict=True) if id_ not in exclude]

    found = held(ids, numbers, len(ids) // 3).nearest(query, k, exclude)

    assert [id_ for id_, _ in found] == [id_ for _, id_ in sorted(rest)[:k]]
    assert [c for _, c in found] == pytest.approx([-c for c, _ in sorted(rest)[:k]], abs=2e-6)


@settings(deadline=None)
@given(NUMBERS, st.lists(st.integers(90, 99), max_size=50), st.integers(0, 50))
def test_telling_beforehand_what_is_looked_up_changes_nothing(
    numbers: list[int], asked: list[int], unforeseen: int
) -> None:
    ids = [f"{i:02}" for i in range(len(numbers))]
    told, untold = (held(ids, numbers, len(ids) // 2) for _ in range(2))
    told.expect(vectors(asked))

    for turn, number in enumerate([*asked[:unforeseen], 80, *asked[unforeseen:]]):
        query = vectors([number])[0]
        assert told.nearest(query, 4) == untold.nearest(query, 4)
        for patterns in (told, untold):
            patterns.take(ids[turn % len(ids)], None, query)
            patterns.add(standing(f"n{turn}"), vectors([number + 100])[0])


def test_rows_that_do_not_count_are_not_found() -> None:
    rows = VectorRows(np.array([angled(0.9), angled(0.8), angled(0.7)]))
    patterns = Patterns(["p", "p", "q"], rows, np.array([False, True, True]), load)

    assert len(patterns) == 2
    assert near(patterns.nearest(QUERY, 5)) == [("p", 0.8), ("q", 0.7)]


def test_rows_of_a_larger_array_are_found_by_their_ids() -> None:
    array = np.array([angled(0.1), angled(0.8), angled(0.9)])
    patterns = Patterns(
        ["b", "a"], VectorRows(array, np.array([2, 1])), np.ones(2, dtype=np.bool_), load
    )

    assert [id_ for id_, _ in patterns.nearest(QUERY, 1)] == ["b"]


def test_an_empty_pool_has_nothing_near() -> None:
    patterns = Patterns.empty(2)

    assert patterns.nearest(QUERY, 5) == []
    assert len(patterns) == 0


def test_what_evolves_counts_and_says_something_else_from_then_on() -> None:
    patterns = pool([0.9, 0.5], counts=[3, 0])

    patterns.take("p0", said("other"), angled(0.2))

    assert patterns.standing(["p0"])[0].said == said("other")
    assert patterns.standing(["p0"])[0].evolution_count == 4
    assert [id_ for id_, _ in patterns.nearest(QUERY, 5)] == ["p1", "p0"]
    assert len(patterns) == 2


def test_a_pattern_whose_words_stay_goes_on_counting() -> None:
    patterns = pool([0.9], counts=[80])

    patterns.take("p0", None, None)

    (found,) = patterns.standing(["p0"])
    assert (found.said.explanation, found.evolution_count) == ("says p0", 81)
    assert near(patterns.nearest(QUERY, 1)) == [("p0", 0.9)]


def test_what_was_added_evolves_and_goes_like_what_was_stored() -> None:
    patterns = pool([0.5])
    for i in range(200):
        patterns.add(standing(f"n{i:03}"), angled(i / 400))
    patterns.take("n199", None, angled(0.1))
    patterns.take("n199", None, angled(0.95))
    patterns.drop("p0")
    patterns.drop("n000")

    assert [id_ for id_, _ in patterns.nearest(QUERY, 3)] == ["n199", "n198", "n197"]
    assert patterns.standing(["n199"])[0].evolution_count == 2
    assert len(patterns) == 199
    assert "p0" not in patterns
    assert {id_ for id_, _ in patterns.nearest(QUERY, 500)} == {f"n{i:03}" for i in range(1, 200)}


def test_what_is_read_is_read_once() -> None:
    read: list[str] = []

    def reading(ids: Sequence[str]) -> Mapping[str, Standing]:
        read.extend(ids)
        return load(ids)

    rows = VectorRows(np.array([angled(0.9), angled(0.8)]))
    patterns = Patterns(["a", "b"], rows, np.ones(2, dtype=np.bool_), reading)
    patterns.standing(["b"])
    patterns.standing(["a", "b"])

    assert read == ["b", "a"]


def test_stored_vectors_are_left_as_they_are() -> None:
    array, live = np.array([angled(0.9)]), np.ones(1, dtype=np.bool_)
    patterns = Patterns(["a"], VectorRows(array), live, load)

    patterns.take("a", said("other"), angled(0.1))

    assert array[0] == pytest.approx(angled(0.9))
    assert live.all()
