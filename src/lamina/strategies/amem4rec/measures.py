"""How a pool stands: how large it is, what is linked, and how much of it says the same."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """A pool after a pass."""

    parts: int
    """Parts that were taken in."""
    patterns: int
    """The size of the pool."""
    linked: float | None
    """Mean cosine of the pairs of a new part and a pattern that were linked; `None` if none."""
    unlinked: float | None
    """Of those that were retrieved and not linked."""
    near_twins: float
    """Share of the patterns that have another within a cosine of 0.95."""
    refused: int = 0
    """Pairs that passed the gate of similarity and were not linked."""
    refused_near: int = 0
    """Of those, the pairs at 0.85 or more."""
    near: int = 0
    """Pairs at 0.85 or more, linked or not."""
