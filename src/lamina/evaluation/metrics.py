"""How well turns are ranked: the share of the evidence, or all of it, among the first k.

Turns with equal scores have no order of their own, so every measure is its expected value over all
orders of tied turns: no method gains from the order in which the turns happen to be stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.floating]
"""Shape (questions, turns): higher is better, comparable within a row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """Which items answer which question: p pairs, sorted by question."""

    rows: NDArray[np.intp]
    """Shape (p,): the question, from 0."""
    items: NDArray[np.intp]
    """Shape (p,): the turn (or session), from 0; distinct within a question."""
    questions: int
    """How many there are. Each has at least one pair."""

    def only(self, questions: Sequence[int]) -> Gold:
        """Return the pairs of these questions alone, numbered anew in this order."""
        return gold([self.items[self.rows == question].tolist() for question in questions])


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where the gold items stand in their question's ranking."""

    gold: Gold
    above: NDArray[np.intp]
    """Shape (p,): items with a higher score."""
    tied: NDArray[np.intp]
    """Shape (p,): items with the same score, itself included."""


def gold(evidence: Sequence[Sequence[int]]) -> Gold:
    """Return the pairs of questions and items, from each question's list of items."""
    distinct = [sorted(set(items)) for items in evidence]
    return Gold(
        rows=np.repeat(np.arange(len(distinct)), [len(items) for items in distinct]),
        items=np.array([item for items in distinct for item in items], dtype=np.intp),
        questions=len(distinct),
    )


def standing(scores: Scores, gold: Gold) -> Standing:
    """Rank the gold items. `scores` has a row a question and a column an item."""
    own = scores[gold.rows]
    reference = scores[gold.rows, gold.items][:, None]
    return Standing(
        gold=gold,
        above=np.count_nonzero(own > reference, axis=1),
        tied=np.count_nonzero(own == reference, axis=1),
    )


def recall_at(standing: Standing, k: int) -> NDArray[np.float64]:
    """Return (questions,), in [0, 1]: the expected share of its gold items in the first k."""
    inside = np.clip((k - standing.above) / standing.tied, 0.0, 1.0)
    sizes = np.bincount(standing.gold.rows, minlength=standing.gold.questions)
    return np.bincount(standing.gold.rows, inside, standing.gold.questions) / sizes


def all_at(standing: Standing, k: int) -> NDArray[np.float64]:
    """Return (questions,), in [0, 1]: the chance that all its gold items are in the first k."""
    room = np.clip(k - standing.above, 0, standing.tied)
    order = _order_within_tie(standing)
    factors = (room - order) / (standing.tied - order)
    return _product(standing, np.clip(factors, 0.0, 1.0))


def any_at(standing: Standing, k: int) -> NDArray[np.float64]:
    """Return (questions,), in [0, 1]: the chance that some gold item is in the first k."""
    room = np.clip(k - standing.above, 0, standing.tied)
    order = _order_within_tie(standing)
    misses = (standing.tied - room - order) / (standing.tied - order)
    return 1.0 - _product(standing, np.clip(misses, 0.0, 1.0))


def by_session(scores: Scores, sessions: NDArray[np.integer]) -> Scores:
    """Return (questions, sessions): each session scores as its best turn.

    Args:
        scores: Shape (questions, turns).
        sessions: Shape (turns,): the session of each turn, from 0, ascending without a gap.
    """
    starts = np.flatnonzero(np.diff(sessions, prepend=-1))
    best: Scores = np.maximum.reduceat(scores, starts, axis=1)
    return best


def _order_within_tie(standing: Standing) -> NDArray[np.intp]:
    """Number the gold items of one question that share a score, from 0.

    If m gold items are among g that tie and r of the g fit, all m fit with the chance
    C(g-m, r-m) / C(g, r), which is the product of (r-i) / (g-i) for i < m.
    """
    keys = np.lexsort((standing.above, standing.gold.rows))
    rows, above = standing.gold.rows[keys], standing.above[keys]
    first = np.ones(len(keys), dtype=bool)
    first[1:] = (rows[1:] != rows[:-1]) | (above[1:] != above[:-1])
    places = np.arange(len(keys))
    order = np.empty(len(keys), dtype=np.intp)
    order[keys] = places - np.maximum.accumulate(np.where(first, places, 0))
    return order


def _product(standing: Standing, factors: NDArray[np.float64]) -> NDArray[np.float64]:
    product = np.ones(standing.gold.questions)
    np.multiply.at(product, standing.gold.rows, factors)
    return product
