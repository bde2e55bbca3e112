import numpy as np
import pytest

from lamina.ranking.fitting import Choices, fit, log_likelihood


def drawn(truth: list[float], count: int = 600, candidates: int = 8) -> Choices:
    """Choices that somebody with these weights would make."""
    rng = np.random.default_rng(3)
    values = rng.random((count, candidates, len(truth)))
    scores = values @ np.array(truth) + rng.gumbel(size=(count, candidates))
    return Choices(values=values, chosen=scores.argmax(axis=1))


def test_the_weights_that_chose_are_found() -> None:
    found = fit([drawn([3.0, 0.0, -2.0])], may_be_negative=[True] * 3)
    np.testing.assert_allclose(found, [3.0, 0.0, -2.0], atol=0.35)


def test_a_weight_that_may_not_be_negative_stops_at_0() -> None:
    found = fit([drawn([3.0, 0.0, -2.0])], may_be_negative=[True, True, False])
    assert found[2] == 0.0
    assert found[0] > 2


def test_nothing_near_the_optimum_is_more_likely() -> None:
    choices = [drawn([2.0, 1.0])]
    best = fit(choices, may_be_negative=[True, True], ridge=1e-6)
    at_best = log_likelihood(choices, best)
    rng = np.random.default_rng(0)
    for _ in range(20):
        assert log_likelihood(choices, best + rng.normal(size=2) / 5) < at_best


def test_the_weight_of_a_set_says_how_much_its_choices_count() -> None:
    one, other = drawn([3.0, 0.0]), drawn([0.0, 3.0], candidates=4)
    twice = fit([one, one, other], may_be_negative=[True, True])
    weighed = Choices(values=one.values, chosen=one.chosen, weight=2.0)
    np.testing.assert_allclose(
        fit([weighed, other], may_be_negative=[True, True]), twice, atol=1e-6
    )


def test_a_feature_that_never_differs_weighs_nothing() -> None:
    values = np.concatenate([drawn([2.0]).values, np.ones((600, 8, 1))], axis=2)
    choices = Choices(values=values, chosen=drawn([2.0]).chosen)
    assert fit([choices], may_be_negative=[True, True])[1] == pytest.approx(0.0)
