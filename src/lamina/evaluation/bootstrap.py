"""How far a mean may be off: percentile intervals from resampled questions (Efron 1979)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lamina.model import Value

_CHUNK = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate(Value):
    """A mean, and where 95 of 100 resampled means lie."""

    mean: float
    low: float
    high: float
    n: int


def estimate(values: ArrayLike, *, draws: int = 10_000, seed: int = 0) -> Estimate:
    """Return the mean of `values` with its 95 % percentile interval.

    To compare two methods, pass the differences of the same questions: the interval is then paired,
    and one that lies above 0 says that the first is better.

    Args:
        values: Shape (n,), n at least 1: one value a question.
        draws: How often the n questions are drawn anew, with replacement.
        seed: The same seed gives the same interval.
    """
    sample = np.asarray(values, dtype=np.float64)
    low, high = np.quantile(_means(sample, draws, seed), (0.025, 0.975))
    return Estimate(mean=float(sample.mean()), low=float(low), high=float(high), n=len(sample))


def _means(sample: NDArray[np.float64], draws: int, seed: int) -> NDArray[np.float64]:
    """Return (draws,) resampled means, drawn in chunks to bound the memory."""
    rng = np.random.default_rng(seed)
    n = len(sample)
    sizes = [min(_CHUNK, draws - start) for start in range(0, draws, _CHUNK)]
    return np.concatenate([sample[rng.integers(n, size=(size, n))].mean(axis=1) for size in sizes])
