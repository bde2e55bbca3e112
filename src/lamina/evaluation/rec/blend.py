"""Methods put together: a conditional logit over their scores, each scaled within the candidates.

Weights make the validation's targets most likely, with a little ridge: `lamina.ranking.fitting`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lamina.evaluation.rec.candidates import Sets
from lamina.ranking import fitting
from lamina.ranking.fitting import RIDGE, Choices

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Features:
    """What is blended, for n questions with c candidates."""

    values: NDArray[np.float32]
    """Shape (n, c, f), scaled; 0 where nothing is shown."""
    shown: NDArray[np.bool_]
    """Shape (n, c)."""
    targets: NDArray[np.int64]
    """Shape (n,), columns."""


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


def fit(
    parts: Sequence[Features],
    *,
    ridge: float = RIDGE,
    may_be_negative: Sequence[bool] | None = None,
) -> Floats:
    """Return the weights, shape (f,), that make the targets most likely.

    Args:
        parts: What they are fitted on.
        ridge: Above 0.
        may_be_negative: For each of the f, whether its weight may be below 0; `None`: all.
    """
    choices = [Choices(values=p.values, chosen=p.targets, shown=p.shown) for p in parts]
    allowed = may_be_negative or [True] * parts[0].values.shape[2]
    return fitting.fit(choices, may_be_negative=allowed, ridge=ridge)
