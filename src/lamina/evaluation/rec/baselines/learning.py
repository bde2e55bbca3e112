"""What every method learns from and answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from lamina.evaluation.rec.logs import Catalogue
from lamina.evaluation.rec.splits import Asks

Scores = NDArray[np.float32]
"""Shape (n, items): higher is better; equal where a method cannot tell."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lesson:
    """r interactions that a method may learn from, in order of time."""

    users: int
    """How many there are in all; those without interactions here are strangers."""
    catalogue: Catalogue
    by: NDArray[np.int32]
    of: NDArray[np.int32]
    at: NDArray[np.int64]
    """Shape (r,), microseconds."""
    ratings: NDArray[np.float32]
    seed: int = 0

    @property
    def items(self) -> int:
        """How many items there are."""
        return len(self.catalogue.items)

    def matrix(self) -> NDArray[np.float32]:
        """Return who had what, shape (users, items): 1 or 0."""
        had = np.zeros((self.users, self.items), dtype=np.float32)
        had[self.by, self.of] = 1.0
        return had


class Scorer(Protocol):
    """A method that has learnt."""

    def __call__(self, asks: Asks) -> Scores:
        """Return how well each item fits each question."""
        ...


class Method(Protocol):
    """A way to learn."""

    def __call__(self, lesson: Lesson) -> Scorer:
        """Learn; the same lesson gives the same scorer."""
        ...


def histories(asks: Asks, items: int) -> NDArray[np.float32]:
    """Return what each asking user had before, shape (n, items): 1 or 0."""
    had = np.zeros((len(asks), items), dtype=np.float32)
    had[np.repeat(np.arange(len(asks)), np.diff(asks.starts)), asks.items] = 1.0
    return had
