"""Fusion weights for a conversation, chosen on all the others: leave one conversation out.

The model is a conditional logit (McFadden 1974): the chance that a turn bears a question out is
softmax over the turns of its weighted signals. Weights are those that make the evidence most
likely, none negative, with a little ridge. The likelihood is concave, so they are unique, and
nothing is left to chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lamina.evaluation.metrics import Gold

Weights = NDArray[np.float32]
"""Shape (signals,), none negative; the largest is 1."""
Floats = NDArray[np.float64]

RIDGE = 1.0
"""Holds weights that nothing speaks for at 0; as strong as one question among hundreds."""
_STEPS = 50
_HALVINGS = 12
_SETTLED = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class Signals:
    """What fusion adds up for the questions of one conversation."""

    values: NDArray[np.float32]
    """Shape (signals, questions, turns), each in [0, 1]."""
    gold: Gold

    def fused(self, weights: Weights) -> NDArray[np.float32]:
        """Return (questions, turns): the weighted sum."""
        return np.tensordot(weights, self.values, axes=1)


def equal(signals: Signals) -> Weights:
    """Return a weight of 1 for each signal."""
    return np.ones(len(signals.values), dtype=np.float32)


def leave_one_out(conversations: Sequence[Signals]) -> list[Weights]:
    """Return weights for each conversation, chosen on all the others; equal ones if it is alone."""
    if len(conversations) == 1:
        return [equal(conversations[0])]
    return [
        fit([other for other in conversations if other is not held_out])
        for held_out in conversations
    ]


def fit(conversations: Sequence[Signals]) -> Weights:
    """Return the weights that make the evidence in `conversations` most likely.

    Newton's method, kept at 0 and above: a weight at 0 stays there while less of it would be
    better; a step that overshoots is halved.
    """
    weights = np.ones(len(conversations[0].values))
    here = _look(conversations, weights)
    for _ in range(_STEPS):
        step = _step(here, weights)
        there, moved = _climb(conversations, here, weights, step)
        change = float(np.abs(moved - weights).max())
        weights, here = moved, there
        if change < _SETTLED:
            break
    top = weights.max()
    return (weights / top if top > 0 else np.ones_like(weights)).astype(np.float32)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Look:
    """The log likelihood at some weights, and how it goes on from there."""

    value: float
    slope: Floats
    """Shape (signals,)."""
    curvature: Floats
    """Shape (signals, signals), positive definite: minus the second derivative."""


def _step(here: _Look, weights: Floats) -> Floats:
    step = np.zeros_like(weights)
    free = np.flatnonzero((weights > 0) | (here.slope > 0))
    if len(free):
        step[free] = np.linalg.solve(here.curvature[np.ix_(free, free)], here.slope[free])
    return step


def _climb(
    conversations: Sequence[Signals], here: _Look, weights: Floats, step: Floats
) -> tuple[_Look, Floats]:
    """Go as far along the step as it leads up; stay if it never does."""
    for _ in range(_HALVINGS):
        moved = np.maximum(weights + step, 0.0)
        there = _look(conversations, moved)
        if there.value >= here.value:
            return there, moved
        step = step / 2.0
    return here, weights


def _look(conversations: Sequence[Signals], weights: Floats) -> _Look:
    looks = [_look_at(one, weights) for one in conversations]
    return _Look(
        value=sum(look.value for look in looks) - RIDGE * float(weights @ weights) / 2.0,
        slope=sum((look.slope for look in looks), -RIDGE * weights),
        curvature=sum((look.curvature for look in looks), RIDGE * np.eye(len(weights))),
    )


def _look_at(one: Signals, weights: Floats) -> _Look:
    """Look at one conversation. Each question counts once, its evidence in equal parts."""
    fused = one.fused(weights.astype(np.float32))
    fused -= fused.max(axis=1, keepdims=True)
    chance = np.exp(fused)
    sums = chance.sum(axis=1, keepdims=True)
    chance /= sums
    rows, items = one.gold.rows, one.gold.items
    part = 1.0 / np.bincount(rows, minlength=one.gold.questions)[rows]
    expected = np.einsum("sqt,qt->sq", one.values, chance).astype(np.float64)
    spread = (one.values * np.sqrt(chance)).reshape(len(weights), -1)
    return _Look(
        value=float((fused - np.log(sums))[rows, items] @ part),
        slope=one.values[:, rows, items] @ part - expected.sum(axis=1),
        curvature=(spread @ spread.T).astype(np.float64) - expected @ expected.T,
    )
