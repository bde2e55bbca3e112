"""How a pool stands: how large it is, what is linked, and how much of it says the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lamina.ports.rows import VectorRows

TWIN = 0.95
"""Cosine above which two patterns are near-twins."""
BLOCK = 512
"""Rows that are held against all others at once."""
ENOUGH = 20
"""Pairs, fewer of which say nothing of an encoder."""
KEEPS = 0.5
"""Share of the pairs that are much alike whose refusal makes the encoder doubtful."""


class Pair(NamedTuple):
    """A part and a pattern that was retrieved for it."""

    cosine: float
    passed: bool
    """The gate of similarity."""
    linked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """A pool after a pass."""

    parts: int
    """Parts that were taken in."""
    patterns: int
    """The size of the pool."""
    linked: float | None
    """Mean cosine of a part and a pattern that were linked; `None` if none were."""
    unlinked: float | None
    """Of those that were retrieved and not linked."""
    near_twins: float
    """Share of the patterns that have another above a cosine of 0.95."""
    refused: int = 0
    """Pairs that passed the gate of similarity and were not linked."""
    alike: int = 0
    """Pairs that passed and are much alike by the encoder."""
    alike_refused: int = 0
    """Of those, the pairs that were not linked."""


def measure(
    parts: int, pairs: Sequence[Pair], vectors: NDArray[np.float32], much: float
) -> Measures:
    """Return what a pass came to.

    Args:
        parts: How many were taken in.
        pairs: What was retrieved for them.
        vectors: Shape (p, dim), unit rows: the pool after it.
        much: From which cosine on two are much alike, as `decision.meaning_much` tells.
    """
    alike = [each for each in pairs if each.passed and each.cosine >= much]
    return Measures(
        parts=parts,
        patterns=len(vectors),
        linked=_mean([each.cosine for each in pairs if each.linked]),
        unlinked=_mean([each.cosine for each in pairs if not each.linked]),
        near_twins=near_twins(vectors),
        refused=sum(each.passed and not each.linked for each in pairs),
        alike=len(alike),
        alike_refused=sum(not each.linked for each in alike),
    )


def doubts(measured: Measures) -> tuple[str, ...]:
    """Return a warning where meaning keeps refusing what the encoder holds for much the same."""
    if measured.alike < ENOUGH or measured.alike_refused < KEEPS * measured.alike:
        return ()
    return (
        f"{measured.alike_refused} of {measured.alike} pairs that are much alike by the encoder"
        " were refused by their meaning: it may not suit these data",
    )


def near_twins(vectors: NDArray[np.float32], above: float = TWIN) -> float:
    """Return the share of some vectors that have another above a cosine; 0 of none.

    Args:
        vectors: Shape (p, dim), unit rows.
        above: The cosine.
    """
    if not len(vectors):
        return 0.0
    found = 0
    for start in range(0, len(vectors), BLOCK):
        block = vectors[start : start + BLOCK] @ vectors.T
        block[np.arange(len(block)), np.arange(start, start + len(block))] = -1.0
        found += int(np.count_nonzero(block.max(axis=1) > above))
    return found / len(vectors)


def mean_cosines(
    vectors: VectorRows | NDArray[np.float32], ends: NDArray[np.integer]
) -> tuple[float | None, float | None]:
    """Return the mean cosine of the pairs of patterns that are linked, and of all others.

    Args:
        vectors: Shape (p, dim), unit rows.
        ends: Shape (m, 2), places in `vectors`: each linked pair once.
    """
    rows = np.asarray(vectors, dtype=np.float64)
    one, other = rows[ends[:, 0]], rows[ends[:, 1]]
    linked = float(np.einsum("md,md->", one, other))
    whole = rows.sum(axis=0)
    squares = float(np.einsum("pd,pd->", rows, rows))
    pairs = len(rows) * (len(rows) - 1) // 2
    rest = pairs - len(ends)
    return (
        linked / len(ends) if len(ends) else None,
        ((float(whole @ whole) - squares) / 2 - linked) / rest if rest > 0 else None,
    )


def _mean(values: Sequence[float]) -> float | None:
    return float(np.mean(values)) if values else None
