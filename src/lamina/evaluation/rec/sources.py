"""What speaks for an item: columns of numbers, whether by a method without memory or by memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from lamina.evaluation.rec.baselines.bpr import bpr
from lamina.evaluation.rec.baselines.learning import Lesson, Method
from lamina.evaluation.rec.baselines.neighbours import ease, item_knn
from lamina.evaluation.rec.baselines.simple import markov, popularity, random
from lamina.evaluation.rec.baselines.texts import tfidf
from lamina.evaluation.rec.splits import Asks

Columns = NDArray[np.float32]
"""Shape (n, items, f)."""

BASELINES: Mapping[str, Method] = {
    "random": random,
    "popularity": popularity,
    "item-knn": item_knn,
    "ease": ease,
    "bpr": bpr,
    "markov": markov,
    "tf-idf": tfidf,
}
"""Each by its name in reports."""
BLENDED = tuple(name for name in BASELINES if name != "random")
"""What the blend puts together."""


class Source(Protocol):
    """Something that speaks for items."""

    @property
    def names(self) -> tuple[str, ...]:
        """Of its columns."""
        ...

    def learn(self, lesson: Lesson) -> Callable[[Asks], Columns]:
        """Return what answers questions by what the lesson shows."""
        ...


@dataclass(frozen=True, slots=True)
class Baseline:
    """A method without memory: one column."""

    name: str
    method: Method

    @property
    def names(self) -> tuple[str, ...]:
        """Its own."""
        return (self.name,)

    def learn(self, lesson: Lesson) -> Callable[[Asks], Columns]:
        """Learn the method."""
        scorer = self.method(lesson)
        return lambda asks: scorer(asks)[:, :, None]
