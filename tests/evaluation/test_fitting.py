import numpy as np
import pytest

from lamina.evaluation.fitting import RIDGE, Signals, equal, fit, leave_one_out
from lamina.evaluation.metrics import gold, recall_at, standing

TURNS = 60


def conversation(seed: int, *, helpful: int) -> Signals:
    """Return four signals of noise, one of which also points at the evidence."""
    rng = np.random.default_rng(seed)
    evidence = rng.integers(TURNS, size=30)
    values = rng.random((4, 30, TURNS), dtype=np.float32)
    values[helpful, np.arange(30), evidence] += 0.6
    return Signals(values=values, gold=gold([[int(turn)] for turn in evidence]))


def test_the_signal_that_helps_gets_the_largest_weight() -> None:
    weights = fit([conversation(seed, helpful=2) for seed in (1, 2, 3)])

    assert weights.argmax() == 2
    assert weights.max() == 1.0
    assert weights.min() >= 0.0


def test_fitted_weights_carry_over_to_a_conversation_they_never_saw() -> None:
    unseen = conversation(9, helpful=2)
    weights = fit([conversation(seed, helpful=2) for seed in (1, 2, 3)])

    def recall(w: np.ndarray) -> float:
        return float(recall_at(standing(unseen.fused(w), unseen.gold), 10).mean())

    assert recall(weights) > recall(equal(unseen))


def test_the_weights_make_the_evidence_more_likely_than_any_near_to_them() -> None:
    conversations = [conversation(seed, helpful=2) for seed in (1, 2)]
    rng = np.random.default_rng(0)

    def likelihood(w: np.ndarray) -> float:
        total = -RIDGE * float(w @ w) / 2
        for one in conversations:
            fused = one.fused(w).astype(np.float64)
            chance = fused - np.log(np.exp(fused).sum(axis=1, keepdims=True))
            total += chance[one.gold.rows, one.gold.items].sum()
        return total

    shape = fit(conversations)
    scale = max(np.linspace(0.5, 12, 400), key=lambda size: likelihood(size * shape))
    best = scale * shape

    for _ in range(50):
        near = np.maximum(best + rng.normal(0, 0.2, best.shape), 0)
        assert likelihood(near) < likelihood(best)


def test_a_signal_that_says_nothing_gets_no_weight() -> None:
    silent = [
        Signals(values=np.concatenate([one.values, 0 * one.values[:1]]), gold=one.gold)
        for one in (conversation(1, helpful=2), conversation(2, helpful=2))
    ]

    assert fit(silent)[-1] == 0.0


def test_a_signal_that_misleads_gets_no_weight_instead_of_a_negative_one() -> None:
    turned = [
        Signals(values=1 - one.values, gold=one.gold)
        for one in (conversation(1, helpful=2), conversation(2, helpful=2))
    ]

    assert fit(turned)[2] == 0.0


def test_the_weights_for_a_conversation_do_not_depend_on_it() -> None:
    others = [conversation(1, helpful=0), conversation(2, helpful=0)]

    first = leave_one_out([*others, conversation(3, helpful=3)])[2]
    second = leave_one_out([*others, conversation(4, helpful=1)])[2]

    assert first == pytest.approx(second)


def test_a_lone_conversation_gets_equal_weights() -> None:
    [weights] = leave_one_out([conversation(1, helpful=2)])

    assert weights.tolist() == [1.0, 1.0, 1.0, 1.0]
