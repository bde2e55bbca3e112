import numpy as np
from scipy.optimize import minimize

from lamina.evaluation.rec.blend import Features, fit, scaled


def drawn(n: int = 60, c: int = 7, f: int = 3) -> Features:
    chance = np.random.default_rng(1)
    values = chance.standard_normal((n, c, f)).astype(np.float32)
    shown = chance.random((n, c)) < 0.8
    shown[:, 0] = True
    targets = np.zeros(n, dtype=np.int64)
    best = np.where(shown, values[:, :, 0] + chance.gumbel(size=(n, c)), -np.inf).argmax(axis=1)
    targets[: n // 2] = best[: n // 2]
    return Features(values=values, shown=shown, targets=targets)


def loss(weights: np.ndarray, part: Features) -> float:
    told = np.where(part.shown, part.values.astype(float) @ weights, -np.inf)
    rows = np.arange(len(told))
    chosen = told[rows, part.targets] - np.log(np.exp(told).sum(axis=1))
    return float(-chosen.sum() + weights @ weights / 2.0)


def test_weights_are_those_of_a_general_optimiser() -> None:
    part = drawn()

    found = minimize(loss, np.zeros(3), args=(part,), method="BFGS").x

    np.testing.assert_allclose(fit([part]), found, atol=1e-3)


def test_parts_count_as_one() -> None:
    part = drawn()
    halves = [
        Features(values=part.values[s], shown=part.shown[s], targets=part.targets[s])
        for s in (slice(0, 30), slice(30, 60))
    ]

    np.testing.assert_allclose(fit(halves), fit([part]), atol=1e-5)


def test_scores_are_scaled_within_what_is_shown() -> None:
    scores = np.array([[1.0, 3.0, 99.0], [5.0, 5.0, 5.0]])
    shown = np.array([[True, True, False], [True, True, True]])

    assert scaled(scores, shown).tolist() == [[-1.0, 1.0, 0.0], [0.0, 0.0, 0.0]]


def test_what_may_only_speak_for_an_item_never_speaks_against_it() -> None:
    part = drawn()
    turned = Features(values=-part.values, shown=part.shown, targets=part.targets)

    free, held = fit([turned]), fit([turned], may_be_negative=[False, True, True])

    assert free[0] < 0
    assert held[0] == 0.0
