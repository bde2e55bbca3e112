from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.evaluation.metrics import (
    Gold,
    Scores,
    all_at,
    any_at,
    by_session,
    gold,
    recall_at,
    standing,
)


def one(scores: list[float], evidence: list[int]) -> tuple[Scores, Gold]:
    return np.array([scores]), gold([evidence])


def test_recall_is_the_share_of_the_evidence_in_the_first_k() -> None:
    place = standing(*one([0.9, 0.8, 0.7, 0.6], [0, 3]))

    assert [recall_at(place, k)[0] for k in (1, 2, 3, 4)] == [0.5, 0.5, 0.5, 1.0]
    assert [all_at(place, k)[0] for k in (1, 2, 3, 4)] == [0.0, 0.0, 0.0, 1.0]
    assert [any_at(place, k)[0] for k in (1, 2, 3, 4)] == [1.0, 1.0, 1.0, 1.0]


def test_each_question_counts_by_itself() -> None:
    scores = np.array([[3.0, 2.0, 1.0], [1.0, 2.0, 3.0]])

    place = standing(scores, gold([[0], [0, 2]]))

    assert recall_at(place, 1).tolist() == [1.0, 0.5]
    assert all_at(place, 1).tolist() == [1.0, 0.0]


def test_tied_turns_share_the_places_that_are_left() -> None:
    place = standing(*one([5.0, 1.0, 1.0, 1.0], [1, 2]))

    assert recall_at(place, 2)[0] == pytest.approx(1 / 3)
    assert all_at(place, 2)[0] == 0.0
    assert all_at(place, 3)[0] == pytest.approx(1 / 3)
    assert any_at(place, 2)[0] == pytest.approx(2 / 3)
    assert any_at(place, 3)[0] == 1.0


def test_a_method_that_knows_nothing_has_the_recall_of_chance() -> None:
    place = standing(*one([0.0] * 40, [3, 17]))

    assert recall_at(place, 10)[0] == pytest.approx(10 / 40)
    assert all_at(place, 10)[0] == pytest.approx(10 / 40 * 9 / 39)


@given(
    st.lists(st.sampled_from([0.0, 1.0, 2.0]), min_size=3, max_size=5),
    st.sets(st.integers(0, 2), min_size=1),
    st.integers(1, 6),
)
def test_every_measure_is_the_mean_over_all_orders_of_tied_turns(
    scores: list[float], evidence: set[int], k: int
) -> None:
    orders = [
        set(order[:k])
        for order in permutations(range(len(scores)))
        if all(scores[a] >= scores[b] for a, b in pairwise(order))
    ]
    place = standing(*one(scores, sorted(evidence)))

    found = [np.mean([len(top & evidence) / len(evidence) for top in orders])]
    found += [np.mean([evidence <= top for top in orders])]
    found += [np.mean([bool(evidence & top) for top in orders])]

    measured = [f(place, k)[0] for f in (recall_at, all_at, any_at)]
    assert measured == pytest.approx(found)


def test_a_session_scores_as_its_best_turn() -> None:
    scores = np.array([[1.0, 4.0, 2.0, 3.0], [0.0, 0.0, 7.0, 1.0]])

    assert by_session(scores, np.array([0, 0, 1, 2])).tolist() == [[4.0, 2.0, 3.0], [0.0, 7.0, 1.0]]


def test_a_turn_named_twice_is_one_piece_of_evidence() -> None:
    pairs = gold([[2, 2, 0]])

    assert pairs.items.tolist() == [0, 2]
