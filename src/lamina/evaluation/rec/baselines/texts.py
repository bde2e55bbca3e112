"""TF-IDF: what an item's words have in common with those of what the user had last."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lamina.evaluation.rec.baselines.learning import Lesson, Scorer, Scores
from lamina.evaluation.rec.splits import Asks

LAST = 10
_WORD = re.compile(r"(?u)\b\w\w+\b")


@dataclass(frozen=True, slots=True, eq=False)
class _Tfidf:
    starts: NDArray[np.int64]
    terms: NDArray[np.int32]
    weights: NDArray[np.float32]
    vocabulary: int
    last: int

    def __call__(self, asks: Asks) -> Scores:
        items = len(self.starts) - 1
        scores = np.zeros((len(asks), items), dtype=np.float32)
        owners = np.repeat(np.arange(items), np.diff(self.starts))
        for row in range(len(asks)):
            query = np.zeros(self.vocabulary, dtype=np.float32)
            for item in asks.history(row)[-self.last :].tolist():
                part = slice(self.starts[item], self.starts[item + 1])
                query[self.terms[part]] += self.weights[part]
            found = query[self.terms] * self.weights
            scores[row] = np.bincount(owners, weights=found, minlength=items)
        return scores


def tfidf(lesson: Lesson, *, last: int = LAST) -> Scorer:
    """Score by the mean cosine of TF-IDF vectors with the `last` items that the user had.

    Weights are tf (1 + ln((1 + n) / (1 + df))), each item's vector of unit length (Salton and
    Buckley 1988, smoothed).
    """
    counted = [Counter(_WORD.findall(text.lower())) for text in lesson.catalogue.texts]
    names = {word: n for n, word in enumerate(sorted({w for one in counted for w in one}))}
    lengths = [len(one) for one in counted]
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    terms = np.fromiter((names[w] for one in counted for w in one), np.int32, starts[-1])
    tf = np.fromiter((n for one in counted for n in one.values()), np.float64, starts[-1])
    df = np.bincount(terms, minlength=len(names))
    weights = tf * (1.0 + np.log((1 + len(counted)) / (1 + df)))[terms]
    owners = np.repeat(np.arange(len(counted)), lengths)
    norms = np.sqrt(np.bincount(owners, weights=weights**2, minlength=len(counted)))
    unit = (weights / np.maximum(norms, 1e-12)[owners]).astype(np.float32)
    return _Tfidf(starts, terms, unit, len(names), last)
