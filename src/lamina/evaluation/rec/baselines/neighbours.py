"""Methods that go by which items the same users had: ItemKNN and EASE."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lamina.evaluation.rec.baselines.learning import Lesson, Scorer, Scores, histories
from lamina.evaluation.rec.splits import Asks

NEIGHBOURS = 50
SHRINKAGE = 0.0
RIDGE = 200.0
_BLOCK = 512


@dataclass(frozen=True, slots=True, eq=False)
class _ItemKNN:
    neighbours: NDArray[np.int32]
    similarities: NDArray[np.float32]
    items: int

    def __call__(self, asks: Asks) -> Scores:
        scores = np.zeros((len(asks), self.items), dtype=np.float32)
        for row in range(len(asks)):
            had = asks.history(row)
            np.add.at(scores[row], self.neighbours[had].ravel(), self.similarities[had].ravel())
        return scores


def item_knn(lesson: Lesson, *, k: int = NEIGHBOURS, shrinkage: float = SHRINKAGE) -> Scorer:
    """Score by the summed cosine with the items that the user had (Sarwar et al. 2001).

    Args:
        lesson: What is learnt from.
        k: How many nearest items each item passes something on to.
        shrinkage: Added to the product of the lengths, so that chance meetings count less.
    """
    had = lesson.matrix()
    lengths = np.sqrt(had.sum(axis=0))
    k = min(k, lesson.items)
    nearest = np.empty((lesson.items, k), dtype=np.int32)
    cosines = np.empty((lesson.items, k), dtype=np.float32)
    for start in range(0, lesson.items, _BLOCK):
        block = slice(start, min(start + _BLOCK, lesson.items))
        together = had[:, block].T @ had
        products = np.outer(lengths[block], lengths) + shrinkage
        found = np.divide(together, products, out=np.zeros_like(together), where=products > 0)
        best = np.argsort(-found, axis=1, kind="stable")[:, :k]
        nearest[block] = best
        cosines[block] = np.take_along_axis(found, best, axis=1)
    return _ItemKNN(nearest, cosines, lesson.items)


@dataclass(frozen=True, slots=True, eq=False)
class _Ease:
    had: NDArray[np.float32]
    inner: NDArray[np.float32]
    diagonal: NDArray[np.float32]

    def __call__(self, asks: Asks) -> Scores:
        history = histories(asks, self.had.shape[1])
        spread = history - (history @ self.had.T) @ self.inner
        return (history - spread / self.diagonal).astype(np.float32)


def ease(lesson: Lesson, *, ridge: float = RIDGE) -> Scorer:
    """Score by the linear item model whose items do not explain themselves (Steck 2019).

    With X who had what, P = (X'X + ridge I)^-1 and B = I - P / diag(P), scores are h B. By the
    identity of Woodbury, ridge P = I - X' (XX' + ridge I)^-1 X, so that only a matrix of users by
    users is inverted; B is never written out.

    Args:
        lesson: What is learnt from.
        ridge: Penalty on the squared weights.
    """
    had = lesson.matrix()
    present = had[had.any(axis=1)].astype(np.float64)
    inner = np.linalg.solve(present @ present.T + ridge * np.eye(len(present)), present)
    diagonal = 1.0 - np.einsum("ui,ui->i", present, inner)
    return _Ease(present.astype(np.float32), inner.astype(np.float32), diagonal.astype(np.float32))
