"""What Lamina is compared with: rankings of turns by one plain method each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from lamina.evaluation.metrics import Scores
from lamina.recall.analysis import terms

if TYPE_CHECKING:
    from lamina.model import Vectors


def bm25(
    texts: Sequence[str], queries: Sequence[str], *, k1: float = 1.2, b: float = 0.75
) -> Scores:
    """Return (queries, texts) BM25 scores, one turn a document (Robertson & Zaragoza 2009).

    Written apart from the search on purpose, so that a fault there shows as a gap here.
    """
    documents = [Counter(terms(text)) for text in texts]
    vocabulary = {term: i for i, term in enumerate(dict.fromkeys(t for d in documents for t in d))}
    counts = np.zeros((len(vocabulary), len(documents)))
    for column, document in enumerate(documents):
        counts[[vocabulary[term] for term in document], column] = list(document.values())
    lengths = counts.sum(axis=0)
    norm = k1 * (1.0 - b + b * lengths / max(lengths.mean(), 1.0))
    frequency = np.count_nonzero(counts, axis=1)
    idf = np.log1p((len(documents) - frequency + 0.5) / (frequency + 0.5))
    weights = idf[:, None] * counts * (k1 + 1.0) / (counts + norm)
    rows = [[vocabulary[t] for t in dict.fromkeys(terms(q)) if t in vocabulary] for q in queries]
    return np.stack([weights[row].sum(axis=0) for row in rows])


def dense(vectors: Vectors, queries: Vectors) -> Scores:
    """Return (queries, texts) cosines, in [-1, 1]."""
    return queries @ vectors.T


def hybrid(lexical: Scores, dense: Scores) -> Scores:
    """Return (queries, texts): both scaled to [0, 1] within a query, half each."""
    return 0.5 * _scaled(lexical) + 0.5 * _scaled(dense)


def _scaled(scores: Scores) -> Scores:
    low, high = scores.min(axis=1, keepdims=True), scores.max(axis=1, keepdims=True)
    scaled: Scores = (scores - low) / np.where(high > low, high - low, 1.0)
    return scaled
