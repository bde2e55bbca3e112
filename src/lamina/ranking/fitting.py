"""Weights under which what was chosen is most likely: a conditional logit (McFadden 1974).

The chance that a candidate is the one chosen is softmax over the candidates of their weighted
features. The log likelihood, less half a ridge times the squared weights, is concave, so that the
weights are unique and nothing is left to chance. Newton's method, kept within bounds: a weight at
0 that may not be negative stays there while less of it would be better; a step that overshoots is
halved. Choices are looked at a few at a time, so that whole catalogues need little memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lamina.ranking.histories import Floats

RIDGE = 1.0
"""Holds weights that nothing speaks for at 0; as strong as one choice among hundreds."""
_STEPS = 50
_HALVINGS = 20
_SETTLED = 1e-5
_BLOCK = 64
"""Choices looked at together."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Choices:
    """q choices, each among c candidates with f features."""

    values: NDArray[np.floating]
    """Shape (q, c, f), finite."""
    chosen: NDArray[np.integer]
    """Shape (q,): which candidate was chosen."""
    shown: NDArray[np.bool_] | None = None
    """Shape (q, c): what could be chosen; everything, if `None`."""
    weight: float = 1.0
    """How much each choice counts."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Look:
    """The penalised log likelihood at some weights, and how it goes on from there."""

    value: float
    slope: Floats
    curvature: Floats
    """Shape (f, f), positive definite: minus the second derivative."""


def fit(
    choices: Sequence[Choices], *, may_be_negative: Sequence[bool], ridge: float = RIDGE
) -> Floats:
    """Return the weights that make the choices most likely, shape (f,).

    Args:
        choices: Any number of sets of choices; at least one.
        may_be_negative: For each feature, whether its weight may be below 0.
        ridge: Above 0.
    """
    bounded = ~np.asarray(may_be_negative, dtype=np.bool_)
    weights = np.zeros(len(bounded))
    here = _look(choices, weights, ridge)
    for _ in range(_STEPS):
        step = _step(here, weights, bounded)
        there, moved = _climb(choices, (here, weights), (step, bounded), ridge)
        change = float(np.abs(moved - weights).max(initial=0.0))
        weights, here = moved, there
        if change < _SETTLED:
            break
    return weights


def log_likelihood(choices: Sequence[Choices], weights: Floats) -> float:
    """Return the mean log of the chance of what was chosen, each choice by its weight."""
    count = sum(one.weight * len(one.values) for one in choices)
    return _look(choices, weights, 0.0).value / count


def _step(here: _Look, weights: Floats, bounded: NDArray[np.bool_]) -> Floats:
    step = np.zeros_like(weights)
    free = np.flatnonzero(~bounded | (weights > 0) | (here.slope > 0))
    if len(free):
        step[free] = np.linalg.solve(here.curvature[np.ix_(free, free)], here.slope[free])
    return step


def _climb(
    choices: Sequence[Choices],
    at: tuple[_Look, Floats],
    going: tuple[Floats, NDArray[np.bool_]],
    ridge: float,
) -> tuple[_Look, Floats]:
    """Go as far along the step as it leads up; stay if it never does."""
    (here, weights), (step, bounded) = at, going
    for _ in range(_HALVINGS):
        moved = np.where(bounded, np.maximum(weights + step, 0.0), weights + step)
        there = _look(choices, moved, ridge)
        if there.value >= here.value:
            return there, moved
        step = step / 2.0
    return here, weights


def _look(choices: Sequence[Choices], weights: Floats, ridge: float) -> _Look:
    looks = [
        _look_at(one, slice(start, start + _BLOCK), weights)
        for one in choices
        for start in range(0, len(one.values), _BLOCK)
    ]
    return _Look(
        value=sum(look.value for look in looks) - ridge * float(weights @ weights) / 2.0,
        slope=sum((look.slope for look in looks), -ridge * weights),
        curvature=sum((look.curvature for look in looks), ridge * np.eye(len(weights))),
    )


def _look_at(one: Choices, block: slice, weights: Floats) -> _Look:
    values, chosen = one.values[block], one.chosen[block]
    scores = (values @ weights.astype(values.dtype)).astype(np.float64)
    if one.shown is not None:
        scores[~one.shown[block]] = -np.inf
    scores -= scores.max(axis=1, keepdims=True)
    chance = np.exp(scores)
    sums = chance.sum(axis=1, keepdims=True)
    chance = (chance / sums).astype(values.dtype)
    rows = np.arange(len(values))
    expected = (chance[:, None, :] @ values)[:, 0]
    apart = (values - expected[:, None]) * np.sqrt(chance)[:, :, None]
    apart = apart.reshape(-1, len(weights))
    ups = (values[rows, chosen] - expected).astype(np.float64)
    return _Look(
        value=one.weight * float((scores[rows, chosen] - np.log(sums[:, 0])).sum()),
        slope=one.weight * ups.sum(axis=0),
        curvature=one.weight * (apart.T @ apart).astype(np.float64),
    )
