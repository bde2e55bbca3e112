"""What others' histories tell of all items for one user: who did alike, and what came near.

Every function returns one number an item, shape (i,), at least 0, from what had been done before
the moment of a `Past`. The user's own interactions never count as others'. Formulas use
n_j: how many users had to do with item j; l_u: with how many items user u had to do;
U: how many users did anything; H: the user's items, h_0 the latest, h_1 the one before it, ...
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lamina.ranking.histories import Floats, Past, sums
from lamina.times import DAY

LATEST_MATTER = 0.5 ** (1 / 20)
"""A user's item weighs half of what the one that is 20 later does."""
STEP = 0.93
"""How much less what is one step further away in a history says."""
ITEM_STEP = 0.9
"""How much less the item before says of what is next."""
NEAR = 20
"""Steps, before or after, that still count as near."""
AFTER = 5
"""Steps after that count as following."""
AFTER_STEP = 0.8
SEASON_DAYS = 180.0
"""Days after which the time of an interaction says e times less."""
SEASONS = 3.0
LONG = 2**62
"""Microseconds; beyond all times."""
MOST = 200
"""Occurrences of one item that are looked around, the latest: what keeps this quick."""
FEW = 2.0
"""Occurrences that every item is taken to have had more, so that one chance event says little."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Own:
    """What a user had to do with before the moment, each item once, at its latest time."""

    user: int
    """Index into the graph's users; -1 for somebody new."""
    items: NDArray[np.int32]
    """Shape (h,), oldest first."""
    said_at: NDArray[np.int64]
    ratings: NDArray[np.float32]

    def latest(self, count: int) -> NDArray[np.int32]:
        """Return the last `count` items, latest first."""
        return self.items[::-1][:count]

    @property
    def recency(self) -> Floats:
        """Shape (h,): LATEST_MATTER ** (how many items came after it)."""
        back = np.arange(len(self.items))[::-1].astype(np.float64)
        return np.power(LATEST_MATTER, back)


def own(past: Past, user: int) -> Own:
    """Return what a user had to do with."""
    rows = past.histories.of_user(user, past.until) if user >= 0 else np.zeros(0, dtype=np.intp)
    of = past.histories.of[rows]
    _, last = np.unique(of[::-1], return_index=True)
    rows = rows[np.sort(len(of) - 1 - last)]
    h = past.histories
    return Own(user=user, items=h.of[rows], said_at=h.said_at[rows], ratings=h.ratings[rows])


def together(past: Past, mine: Own, count: int, fewest: int = 1) -> Floats:
    """Return sum over i of the last `count` items, over u with i and j: 1/sqrt(n_i n_j l_u).

    What fewer than `fewest` others support is 0, here as in the functions below.
    """
    chosen = mine.latest(count)
    weights = 1.0 / np.sqrt(past.reach[chosen])
    others = _overlap(past, mine, chosen, weights) / np.sqrt(past.length)
    return _supported(past, others, past.served(others), fewest) / np.sqrt(past.reach)


def neighbours(past: Past, mine: Own, fewest: int = 1) -> Floats:
    """Return sum over u with j of s_u^3 / sqrt(n_j).

    s_u = sum over i in H and u's items of recency_i log(U / n_i) / sqrt(l_u).
    """
    rarity = np.log(max(past.users, 1) / past.reach[mine.items])
    others = _overlap(past, mine, mine.items, mine.recency * rarity) / np.sqrt(past.length)
    return _supported(past, others, past.served(others**3), fewest) / np.sqrt(past.reach)


def _supported(past: Past, others: Floats, values: Floats, fewest: int) -> Floats:
    """Return values of items, 0 where too few of those that count had to do with it."""
    if fewest <= 1:
        return values
    return np.where(past.served((others > 0).astype(np.float64)) >= fewest, values, 0.0)


def _overlap(past: Past, mine: Own, items: NDArray[np.int32], weights: Floats) -> Floats:
    """Return for each other user the weights of those items that they had to do with, summed."""
    h = past.histories
    rows = [h.of_item(int(item), past.until) for item in items]
    sizes = [len(some) for some in rows]
    every = np.concatenate(rows) if rows else np.zeros(0, dtype=np.intp)
    each = np.repeat(weights, sizes)
    if not h.all_first:
        every, each = every[h.first[every]], each[h.first[every]]
    found = sums(h.by[every], each, h.users)
    if mine.user >= 0:
        found[mine.user] = 0.0
    return found


def near(past: Past, mine: Own, fewest: int = 1) -> Floats:
    """Return sum over k < 10, over how often j stands d steps from h_k in another history.

    Each time adds ITEM_STEP^k STEP^(d-1) / (n_{h_k} + FEW), d from 1 to NEAR, before or after.
    """
    steps = np.r_[-NEAR:0, 1 : NEAR + 1]
    return _around(past, mine, 10, (ITEM_STEP, STEP), steps, fewest)


def following(past: Past, mine: Own, fewest: int = 1) -> Floats:
    """Return as `near`, over the last 5 items and the AFTER steps after each; both steps .8."""
    return _around(past, mine, 5, (AFTER_STEP, AFTER_STEP), np.arange(1, AFTER + 1), fewest)


def _around(
    past: Past,
    mine: Own,
    count: int,
    fading: tuple[float, float],
    steps: NDArray[np.int64],
    fewest: int,
) -> Floats:
    h = past.histories
    chosen = mine.latest(count)
    rows = [h.of_item(int(item), past.until)[-MOST:] for item in chosen]
    rows = [some[h.by[some] != mine.user] for some in rows]
    sizes = np.array([len(some) for some in rows], dtype=np.intp)
    if not sizes.sum():
        return np.zeros(h.items)
    each = fading[0] ** np.arange(len(rows)) / (sizes + FEW)
    weights = np.repeat(each, sizes)[:, None] * fading[1] ** (np.abs(steps) - 1.0)
    occurrences = np.concatenate(rows)
    places = h.place[occurrences][:, None] + steps
    there = h.by_user[np.clip(places, 0, len(h.by_user) - 1)]
    same = (places >= 0) & (places < len(h.by_user)) & (there < past.until)
    same &= h.by[there] == h.by[occurrences][:, None]
    found = sums(h.of[there[same]], weights[same], h.items)
    if fewest <= 1:
        return found
    pairs = np.unique(h.by[there[same]].astype(np.int64) * h.items + h.of[there[same]])
    return np.where(np.bincount(pairs % h.items, minlength=h.items) >= fewest, found, 0.0)


def season(past: Past, mine: Own, now: int) -> Floats:
    """Return sum over others' interactions with j of exp(-|their time - now| / SEASON_DAYS).

    Those that are further away than SEASONS times that count for nothing.
    """
    reach = int(SEASONS * SEASON_DAYS * DAY)
    ends = np.searchsorted(past.said_at, (max(now - reach, -LONG), min(now + reach, LONG)))
    some = slice(*ends)
    weights = np.exp(-np.abs(past.said_at[some] - now) / (SEASON_DAYS * DAY))
    weights[past.by[some] == mine.user] = 0.0
    return sums(past.of[some], weights, past.histories.items)
