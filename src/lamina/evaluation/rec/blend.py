"""Methods put together: a conditional logit over their scores (McFadden 1974).

The chance that a candidate is the target is softmax, over the candidates, of the weighted scores,
each scaled within the candidates. Weights make the validation targets most likely, with a little
ridge; the likelihood is concave, so they are unique and nothing is left to chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lamina.evaluation.rec.candidates import Sets

Floats = NDArray[np.float64]

RIDGE = 1.0
_STEPS = 50
_HALVINGS = 20
_SETTLED = 1e-6
_BLOCK = 64
"""Questions looked at together, which bounds the memory that whole catalogues take."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Features:
    """What is blended, for n questions with c candidates."""

    values: NDArray[np.float32]
    """Shape (n, c, f), scaled; 0 where nothing is shown."""
    shown: NDArray[np.bool_]
    """Shape (n, c)."""
    targets: NDArray[np.int64]
    """Shape (n,), columns."""

    def weighted(self, weights: Floats) -> NDArray[np.float32]:
        """Return the weighted sums, shape (n, c)."""
        fused: NDArray[np.float32] = np.einsum("ncf,f->nc", self.values, weights, dtype=np.float32)
        return fused


def features(scores: Sequence[NDArray[np.floating]], sets: Sets) -> Features:
    """Return scores of several methods, each (n, c), scaled within the candidates."""
    shown = sets.shown
    values = np.stack([scaled(one, shown) for one in scores], axis=2)
    return Features(values=values, shown=shown, targets=sets.targets)


def scaled(scores: NDArray[np.floating], shown: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Return scores of mean 0 and deviation 1 within what is shown; 0 where all are equal."""
    counts = np.maximum(shown.sum(axis=1, keepdims=True), 1)
    kept = np.where(shown, scores, 0.0).astype(np.float64)
    centred = np.where(shown, kept - kept.sum(axis=1, keepdims=True) / counts, 0.0)
    spread = np.sqrt((centred**2).sum(axis=1, keepdims=True) / counts)
    found = np.zeros(centred.shape, dtype=np.float32)
    np.divide(centred, spread, out=found, where=spread > 1e-12, casting="same_kind")
    return found


def fit(parts: Sequence[Features], *, ridge: float = RIDGE) -> Floats:
    """Return the weights, shape (f,), that make the targets most likely: Newton's method."""
    weights = np.zeros(parts[0].values.shape[2])
    value, slope, curvature = _look(parts, weights, ridge)
    for _ in range(_STEPS):
        step = np.linalg.solve(curvature, slope)
        for _ in range(_HALVINGS):
            there = _look(parts, weights + step, ridge)
            if there[0] >= value:
                break
            step = step / 2.0
        else:
            break
        weights, (value, slope, curvature) = weights + step, there
        if np.abs(step).max() < _SETTLED:
            break
    return weights


def _look(parts: Sequence[Features], weights: Floats, ridge: float) -> tuple[float, Floats, Floats]:
    """Return the log likelihood, its slope, and minus its second derivative."""
    value = -ridge * float(weights @ weights) / 2.0
    slope = -ridge * weights
    curvature = ridge * np.eye(len(weights))
    for part in parts:
        for start in range(0, len(part.targets), _BLOCK):
            block = slice(start, start + _BLOCK)
            gain, up, bend = _look_at(part, block, weights)
            value, slope, curvature = value + gain, slope + up, curvature + bend
    return value, slope, curvature


def _look_at(part: Features, block: slice, weights: Floats) -> tuple[float, Floats, Floats]:
    values, targets = part.values[block], part.targets[block]
    told = np.where(part.shown[block], (values @ weights.astype(np.float32)).astype(float), -np.inf)
    told -= told.max(axis=1, keepdims=True)
    chance = np.exp(told)
    sums = chance.sum(axis=1, keepdims=True)
    chance /= sums
    rows = np.arange(len(targets))
    mean = np.einsum("nc,ncf->nf", chance, values, optimize=True)
    spread = (values * np.sqrt(chance)[:, :, None]).reshape(-1, values.shape[2]).astype(np.float32)
    return (
        float((told[rows, targets] - np.log(sums[:, 0])).sum()),
        (values[rows, targets].astype(np.float64) - mean).sum(axis=0),
        (spread.T @ spread).astype(np.float64) - mean.T @ mean,
    )
