"""Which sentences say what the others say: a graph of lexical likeness, and its centre."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

DAMPING = 0.85
"""Share of a sentence's weight that its neighbours decide."""
_ROUNDS = 60
_CLOSE_ENOUGH = 1e-6


def likeness(sentences: Sequence[Sequence[str]]) -> NDArray[np.float64]:
    """Return shape (n, n): cosine in [0, 1] of the tf-idf vectors of n sentences' terms.

    The idf-modified cosine of Erkan and Radev, "LexRank: Graph-based Lexical Centrality as
    Salience in Text Summarization", JAIR 22 (2004), with idf = ln(1 + n / df) taken from the
    sentences themselves. It is lexical on purpose: it reads every language that the analyser reads,
    and costs no encoding.
    """
    counts = [Counter(sentence) for sentence in sentences]
    places = {term: i for i, term in enumerate(dict.fromkeys(t for c in counts for t in c))}
    weights = np.zeros((len(counts), len(places)))
    for row, count in enumerate(counts):
        for term, often in count.items():
            weights[row, places[term]] = often
    weights *= np.log1p(len(counts) / np.maximum(1, (weights > 0).sum(axis=0)))
    lengths = np.linalg.norm(weights, axis=1, keepdims=True)
    unit = weights / np.where(lengths > 0, lengths, 1.0)
    cosines: NDArray[np.float64] = unit @ unit.T
    return cosines


def centrality(likenesses: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return shape (n,): each sentence's weight in the stationary state; they sum to 1.

    Continuous LexRank (same source, equation 4): p = (1 - d) / n + d · Bᵀp, where B is the
    likeness with its rows scaled to sum to 1, and d is `DAMPING`.
    """
    n = len(likenesses)
    if n == 0:
        return np.zeros(0)
    sums = likenesses.sum(axis=1, keepdims=True)
    steps = np.where(sums > 0, likenesses / np.where(sums > 0, sums, 1.0), 1.0 / n)
    weights = np.full(n, 1.0 / n)
    for _ in range(_ROUNDS):
        moved: NDArray[np.float64] = (1 - DAMPING) / n + DAMPING * (steps.T @ weights)
        if np.abs(moved - weights).max() < _CLOSE_ENOUGH:
            return moved
        weights = moved
    return weights
