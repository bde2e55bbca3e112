"""The ranker without a model: features times weights, and what each added."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lamina.ranking import constraints, shared, weights
from lamina.ranking.features import NAMES, ROUNDING, Asked, Features, features
from lamina.ranking.histories import Floats
from lamina.ranking.order import SEED, best_first
from lamina.ranking.shared import Told

FITS = "fits"
"""The signal of keeping or breaking what is asked for."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scored:
    """c candidates and their scores, as they were asked for."""

    scores: Floats
    """Shape (c,), comparable within one ranking, higher is better."""
    values: Floats
    """Shape (c, f)."""
    weights: Floats
    """Shape (f,)."""
    kept: constraints.Kept
    cold: bool
    names: tuple[str, ...] = NAMES
    """Of the f features."""

    def signals(self, place: int) -> Mapping[str, float]:
        """Return what each feature added to one candidate's score, the greatest first."""
        shares = self.values[place] * self.weights
        told = {name: float(share) for name, share in zip(self.names, shares, strict=True) if share}
        if self.kept.said:
            told[FITS] = float(weights.FITS * self.kept.fits[place])
        return dict(sorted(told.items(), key=lambda each: (-abs(each[1]), each[0])))

    def order(self, ids: Sequence[str], user: str, seed: str = SEED) -> list[int]:
        """Return the candidates' places, best first; see `best_first`."""
        return best_first(ids, self.scores, user, seed=seed)


def score(
    asked: Asked,
    kind: weights.Kind,
    *,
    instruction: str = "",
    patterns: Sequence[Told] = (),
    alone: bool = False,
) -> Scored:
    """Return how well each candidate fits.

    Args:
        asked: What is ranked for whom.
        kind: Which weights; of somebody new those of the catalogue are taken.
        instruction: Whose constraints are heeded.
        patterns: What users share, as it was looked up for the user; where there is none, all is as
            if there were no pool.
        alone: Whether nothing else speaks for candidates than what patterns say, and what is asked
            for.
    """
    found = features(asked)
    if patterns:
        found = _beside(found, shared.columns(asked, patterns))
    chosen = weights.of(kind, had=found.had, names=found.names, alone=alone)
    if instruction.strip():
        words = asked.catalogue.vocabulary
        kept = constraints.kept(instruction, words, asked.candidates.tolist())
    else:
        kept = _unasked(len(asked.candidates))
    scores = found.values @ chosen + weights.FITS * kept.fits
    return Scored(
        scores=scores.round(ROUNDING),
        values=found.values,
        weights=chosen,
        kept=kept,
        cold=found.cold,
        names=found.names,
    )


def _beside(own: Features, of_patterns: Features) -> Features:
    return Features(
        values=np.column_stack([own.values, of_patterns.values]),
        names=(*own.names, *of_patterns.names),
        had=own.had,
    )


def _unasked(count: int) -> constraints.Kept:
    stands: NDArray[np.int8] = np.zeros((0, count), dtype=np.int8)
    return constraints.Kept(said=(), stands=stands)
