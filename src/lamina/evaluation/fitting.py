"""Fusion weights for a conversation, chosen on all the others: leave one conversation out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lamina.evaluation.metrics import Gold, all_at, recall_at, standing

Weights = NDArray[np.float32]
"""Shape (signals,), none negative; the largest is 1."""

_FACTORS = (0.0, 0.5, 0.75, 4 / 3, 2.0)
_REVIVED = (0.1, 0.3)
_ROUNDS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Signals:
    """What fusion adds up for the questions of one conversation."""

    values: NDArray[np.float32]
    """Shape (signals, questions, turns), each in [0, 1]."""
    gold: Gold

    def only(self, chosen: Sequence[int]) -> Signals:
        """Return these signals alone, in this order."""
        return Signals(values=self.values[list(chosen)], gold=self.gold)

    def fused(self, weights: Weights) -> NDArray[np.float32]:
        """Return (questions, turns): the weighted sum."""
        return np.tensordot(weights, self.values, axes=1)


def leave_one_out(conversations: Sequence[Signals]) -> list[Weights]:
    """Return weights for each conversation, chosen on all the others; equal ones if it is alone."""
    return (
        [
            fit([other for other in conversations if other is not held_out])
            for held_out in conversations
        ]
        if len(conversations) > 1
        else [equal(one) for one in conversations]
    )


def equal(signals: Signals) -> Weights:
    """Return a weight of 1 for each signal."""
    return np.ones(len(signals.values), dtype=np.float32)


def fit(conversations: Sequence[Signals]) -> Weights:
    """Return the weights that rank the evidence of `conversations` best.

    Coordinate search from equal weights, so that nothing learnt elsewhere slips in: each weight in
    turn is scaled or dropped while that raises the objective. Deterministic.
    """
    search = _Search(conversations)
    for _ in range(_ROUNDS):
        if not any([search.improve(signal) for signal in range(len(search.weights))]):
            break
    weights: Weights = search.weights / search.weights.max()
    return weights


class _Search:
    """Keeps the fused scores of the best weights so far, so that a trial costs one addition."""

    def __init__(self, conversations: Sequence[Signals]) -> None:
        self.conversations = conversations
        self.weights = equal(conversations[0])
        self.fused = [one.fused(self.weights) for one in conversations]
        self.best = self._objective(self.fused)

    def improve(self, signal: int) -> bool:
        """Try other weights for one signal; keep the best and say whether it was new."""
        before = self.weights[signal]
        trials = [before * f for f in _FACTORS] if before > 0 else _REVIVED
        for trial in trials:
            self._try(signal, np.float32(trial))
        return bool(self.weights[signal] != before)

    def _try(self, signal: int, weight: np.float32) -> None:
        change = weight - self.weights[signal]
        fused = [
            scores + change * one.values[signal]
            for scores, one in zip(self.fused, self.conversations, strict=True)
        ]
        reached = self._objective(fused)
        if reached > self.best + 1e-6 and self.weights.sum() + change > 0:
            self.best, self.fused = reached, fused
            self.weights[signal] = weight

    def _objective(self, fused: Sequence[NDArray[np.float32]]) -> float:
        """Return recall@10 plus smaller shares of what users see of it, over all questions."""
        values = [
            _quality(scores, one.gold)
            for scores, one in zip(fused, self.conversations, strict=True)
        ]
        return float(np.concatenate(values).mean())


def _quality(scores: NDArray[np.float32], gold: Gold) -> NDArray[np.float64]:
    place = standing(scores, gold)
    shares = {k: recall_at(place, k) for k in (5, 10, 20)}
    return shares[10] + 0.5 * all_at(place, 10) + 0.25 * (shares[5] + shares[20])
