"""BM25 over the documents of one scope, from postings.

    score(q, d) = Σ over terms t of q:  idf(t) · c · (k1 + 1) / (c + k1 · (1 - b + b · |d| / avg))
    idf(t) = ln(1 + (N - n(t) + 0.5) / (n(t) + 0.5))

with c the count of t in d, |d| its length, N documents of average length avg, n(t) of them with t
(Robertson & Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009; the 1 under
the logarithm keeps it above 0). N, n and avg are those of the scope and the view alone, so that
nobody else's documents move a rank.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lamina.ports import Postings
from lamina.recall.arrays import Floats, Ints


@dataclass(frozen=True, slots=True, kw_only=True)
class Bm25:
    """The two parameters of BM25."""

    k1: float = 1.2
    """How slowly a repeated term stops to count."""
    b: float = 0.5
    """How much length is held against a document, in [0, 1]."""


BM25 = Bm25()


@dataclass(frozen=True, slots=True)
class Entries:
    """Occurrences of the query's terms in a collection of units: documents, or whole sessions."""

    terms: Ints
    """Shape (m,): which term, by number."""
    units: Ints
    """Shape (m,): where, by number."""
    counts: Floats
    """Shape (m,): how often."""


def entries(postings: Postings) -> Entries:
    """Return the postings as one flat table whose units are rows of `Documents`."""
    terms = np.repeat(np.arange(len(postings.starts) - 1, dtype=np.int32), np.diff(postings.starts))
    return Entries(terms, postings.rows, postings.counts.astype(np.float32))


def within(table: Entries, places: Ints) -> Entries:
    """Return what of `table` lies in some of its units, renumbered.

    Args:
        table: Occurrences in any units.
        places: Shape (units,): the new number of each, 0, 1, ...; -1 for those left out.
    """
    place = places[table.units]
    kept = place >= 0
    return Entries(table.terms[kept], place[kept], table.counts[kept])


def merged(table: Entries, groups: Ints, total: int) -> Entries:
    """Return `table` with its units put together: unit u becomes part of group `groups[u]`."""
    key = table.terms.astype(np.int64) * total + groups[table.units]
    counts = np.bincount(key, weights=table.counts)  # a few terms times as many as there are groups
    there = np.flatnonzero(counts)
    terms, units = np.divmod(there, max(total, 1))
    found = counts[there].astype(np.float32)
    return Entries(terms.astype(np.int32), units.astype(np.int32), found)


def bm25(table: Entries, lengths: Floats, parameters: Bm25 = BM25) -> Floats:
    """Return the score of every unit, at least 0.

    Args:
        table: Occurrences in these units.
        lengths: Shape (units,): terms in each unit.
        parameters: k1 and b.
    """
    total = len(lengths)
    if not len(table.units):
        return np.zeros(total, dtype=np.float32)
    having = np.bincount(table.terms)
    idf = np.log1p((total - having + 0.5) / (having + 0.5))
    average = max(float(lengths.mean()), 1.0)
    k1, b = parameters.k1, parameters.b
    norm = k1 * (1.0 - b + b * lengths[table.units] / average)
    weights = idf[table.terms] * table.counts * (k1 + 1.0) / (table.counts + norm)
    return np.bincount(table.units, weights=weights, minlength=total).astype(np.float32)
