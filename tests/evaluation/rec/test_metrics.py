from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import ndcg_score

from lamina.evaluation.rec.metrics import CUTS, NAMES, expected, standing


def by_hand(scores: list[int], target: int) -> dict[str, float]:
    """The mean of each metric over all orders that the scores allow."""
    found: dict[str, list[float]] = {name: [] for name in NAMES}
    for order in permutations(range(len(scores))):
        ranked = [scores[item] for item in order]
        if ranked != sorted(ranked, reverse=True):
            continue
        rank = order.index(target) + 1
        for k in CUTS:
            found[f"H@{k}"].append(float(rank <= k))
            found[f"N@{k}"].append(1.0 / np.log2(rank + 1) if rank <= k else 0.0)
        found["MRR"].append(1.0 / rank)
    return {name: float(np.mean(values)) for name, values in found.items()}


@given(st.lists(st.integers(0, 3), min_size=1, max_size=6), st.integers(0, 5))
def test_they_are_what_all_orders_of_ties_give_on_average(scores: list[int], at: int) -> None:
    target = at % len(scores)
    row = np.array([scores], dtype=float)

    found = expected(*standing(row, np.ones(row.shape, dtype=bool), np.array([target])))

    assert {name: values[0] for name, values in found.items()} == pytest.approx(
        by_hand(scores, target)
    )


@given(st.lists(st.integers(0, 5), min_size=2, max_size=30), st.integers(0, 29))
def test_gain_is_that_of_another_implementation(scores: list[int], at: int) -> None:
    target = at % len(scores)
    row = np.array([scores], dtype=float)
    truth = np.zeros_like(row)
    truth[0, target] = 1.0

    found = expected(*standing(row, np.ones(row.shape, dtype=bool), np.array([target])))

    for k in CUTS:
        assert found[f"N@{k}"][0] == pytest.approx(ndcg_score(truth, row, k=k))


def test_what_is_no_candidate_does_not_count() -> None:
    scores = np.array([[9.0, 1.0, 2.0, 1.0]])
    shown = np.array([[False, True, True, True]])

    above, same = standing(scores, shown, np.array([1]))

    assert (above.tolist(), same.tolist()) == ([1], [1])


def test_equal_scores_earn_no_more_than_chance() -> None:
    row = np.zeros((1, 20))

    found = expected(*standing(row, np.ones(row.shape, dtype=bool), np.array([0])))

    assert found["H@1"][0] == pytest.approx(1 / 20)
    assert found["H@10"][0] == pytest.approx(1 / 2)
