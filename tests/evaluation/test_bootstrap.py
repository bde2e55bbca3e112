import numpy as np
import pytest

from lamina.evaluation.bootstrap import estimate


def test_the_same_seed_gives_the_same_interval() -> None:
    values = np.random.default_rng(1).random(50)

    assert estimate(values, seed=3) == estimate(values, seed=3)
    assert estimate(values, seed=3) != estimate(values, seed=4)


def test_values_that_do_not_vary_leave_no_doubt() -> None:
    found = estimate([0.25] * 9)

    assert (found.mean, found.low, found.high, found.n) == (0.25, 0.25, 0.25, 9)


def test_the_interval_is_that_of_the_normal_law_where_that_holds() -> None:
    values = np.random.default_rng(0).normal(2.0, 1.0, 2_000)

    found = estimate(values)

    half = 1.96 * values.std() / np.sqrt(len(values))
    assert found.low == pytest.approx(values.mean() - half, abs=0.003)
    assert found.high == pytest.approx(values.mean() + half, abs=0.003)


def test_pairing_sees_a_small_steady_gain_in_noisy_questions() -> None:
    base = np.random.default_rng(0).random(100)
    better = base + 0.01

    assert estimate(better - base).low > 0
    assert estimate(better).low < estimate(base).high
