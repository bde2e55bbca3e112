"""Methods that count: chance, popularity, and what follows what."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lamina.evaluation.rec.baselines.learning import Lesson, Scorer, Scores
from lamina.evaluation.rec.chance import Hashes, mixed, number, numbers
from lamina.evaluation.rec.splits import Asks

_SHARP = 10.0
"""How many times a count is taken before its logarithm: once and never lie far apart."""


@dataclass(frozen=True, slots=True, eq=False)
class _Random:
    items: Hashes
    seed: int

    def __call__(self, asks: Asks) -> Scores:
        asked = mixed(asks.at.astype(np.uint64), number("random", self.seed))
        asked = mixed(asked, asks.users.astype(np.uint64) * np.uint64(2))
        drawn = mixed(np.broadcast_to(self.items, (len(asks), len(self.items))), asked[:, None])
        return (drawn >> np.uint64(40)).astype(np.float32)


def random(lesson: Lesson) -> Scorer:
    """Score by hash of the question and the item."""
    return _Random(numbers(lesson.catalogue.items), lesson.seed)


@dataclass(frozen=True, slots=True, eq=False)
class _Popularity:
    logs: NDArray[np.float32]

    def __call__(self, asks: Asks) -> Scores:
        return np.tile(self.logs, (len(asks), 1))


def popularity(lesson: Lesson) -> Scorer:
    """Score by the logarithm of how many interactions an item has had, plus one."""
    counts = np.bincount(lesson.of, minlength=lesson.items)
    return _Popularity(np.log1p(counts).astype(np.float32))


@dataclass(frozen=True, slots=True, eq=False)
class _Markov:
    starts: NDArray[np.int64]
    following: NDArray[np.int32]
    prior: NDArray[np.float32]

    def __call__(self, asks: Asks) -> Scores:
        scores = np.tile(self.prior, (len(asks), 1))
        for row in range(len(asks)):
            history = asks.history(row)
            if len(history):
                last = history[-1]
                after = self.following[self.starts[last] : self.starts[last + 1]]
                scores[row] += np.bincount(after, minlength=len(self.prior))
        return np.asarray(np.log1p(_SHARP * scores), dtype=np.float32)


def markov(lesson: Lesson) -> Scorer:
    """Score by how often an item came right after the one that the user had last.

    The first-order Markov chain of Shani, Heckerman and Brafman (2005), by the logarithm of counts,
    which order the items as the chances do; where they are equal, popularity decides.
    """
    order = np.argsort(lesson.by, kind="stable")
    by, of = lesson.by[order], lesson.of[order]
    joined = by[1:] == by[:-1]
    first, then = of[:-1][joined], of[1:][joined]
    grouped = np.argsort(first, kind="stable")
    counts = np.bincount(first, minlength=lesson.items)
    starts = np.concatenate([[0], np.cumsum(counts)])
    popular = np.bincount(lesson.of, minlength=lesson.items)
    prior = (popular / (1.0 + popular.max(initial=0))).astype(np.float32)
    return _Markov(starts, then[grouped], prior)
