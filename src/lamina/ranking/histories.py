"""Who did what with what, laid out for looking up: derived from a `Graph` once and kept."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from lamina.ports.graph import NEVER, Graph

Rows = NDArray[np.intp]
Floats = NDArray[np.float64]
_KEPT = 4
"""How many moments of one graph are kept."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, weakref_slot=True)
class Histories:
    """Interactions that all count, in the order of time; r of them, by u users, of i items."""

    users: int
    items: int
    by: NDArray[np.int32]
    of: NDArray[np.int32]
    said_at: NDArray[np.int64]
    ratings: NDArray[np.float32]
    """Shape (r,), NaN where none was given."""
    first: NDArray[np.bool_]
    """Shape (r,): whether this is the first time that its user has to do with its item."""
    by_user: Rows
    """Shape (r,): the interactions sorted by user, each user's in the order of time."""
    user_starts: Rows
    """Shape (u + 1,), into `by_user`."""
    place: Rows
    """Shape (r,): where each interaction stands in `by_user`."""
    by_item: Rows
    item_starts: Rows
    """Shape (i + 1,), into `by_item`."""
    all_first: bool
    """Whether nobody ever had to do with an item again."""
    pasts: OrderedDict[int, Past] = field(default_factory=OrderedDict)
    """The last that were asked for, by `until`."""

    def of_user(self, user: int, until: int) -> Rows:
        """Return a user's interactions among the first `until`, oldest first."""
        rows = self.by_user[self.user_starts[user] : self.user_starts[user + 1]]
        return rows[: np.searchsorted(rows, until)]

    def of_item(self, item: int, until: int) -> Rows:
        """Return the interactions with an item among the first `until`, oldest first."""
        rows = self.by_item[self.item_starts[item] : self.item_starts[item + 1]]
        return rows[: np.searchsorted(rows, until)]

    def after(self, users: NDArray[np.integer], moments: NDArray[np.int64]) -> Rows:
        """Return where in `by_user` the first interaction of each user after a moment stands.

        Where there is none, that is where the next user's begin.

        Args:
            users: Shape (s,).
            moments: Shape (s,), microseconds.
        """
        if self not in _ordered:
            size = len(self.by) + 1
            _ordered[self] = self.by[self.by_user].astype(np.int64) * size + self.by_user
        until = np.searchsorted(self.said_at, moments, side="right")
        wanted = np.asarray(users, dtype=np.int64) * (len(self.by) + 1) + until
        return np.searchsorted(_ordered[self], wanted)


_ordered: WeakKeyDictionary[Histories, NDArray[np.int64]] = WeakKeyDictionary()
"""Each interaction's user and place in time as one number, as in `by_user`."""
PRIOR = 5.0
"""Ratings of the average worth that every item begins with."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Past:
    """What had been done before a moment: the first `until` of some histories.

    Who did the same with an item again counts once, by the first time.
    """

    histories: Histories
    until: int
    by: NDArray[np.int32]
    of: NDArray[np.int32]
    said_at: NDArray[np.int64]
    """Shape (p,): each pair of a user and an item once, in the order of time."""
    reach: Floats
    """Shape (i,): how many users had to do with each item; at least 1."""
    length: Floats
    """Shape (u,): with how many items each user had to do; at least 1."""

    def served(self, weights: Floats) -> Floats:
        """Return for each item the sum of its users' weights, shape (i,)."""
        return sums(self.of, weights[self.by], self.histories.items)

    @cached_property
    def users(self) -> int:
        """Return how many users had done anything."""
        return int(np.count_nonzero(sums(self.by, None, self.histories.users)))

    def others(self, user: int) -> Floats:
        """Return how many users besides one had to do with each item, shape (i,)."""
        return sums(self.of[self.by != user], None, self.histories.items)

    @cached_property
    def popularity(self) -> Floats:
        """Return log(1 + how many users had to do with each item), shape (i,)."""
        return np.log1p(sums(self.of, None, self.histories.items))

    @cached_property
    def esteem(self) -> Floats:
        """Return sum over an item's ratings of (rating - mean) / (how many + PRIOR), shape (i,)."""
        items = self.histories.items
        ratings = self.histories.ratings[: self.until]
        given = np.isfinite(ratings)
        if not given.any():
            return np.zeros(items)
        of, values = self.histories.of[: self.until][given], ratings[given].astype(np.float64)
        return sums(of, values - values.mean(), items) / (sums(of, None, items) + PRIOR)


def sums(keys: NDArray[np.integer], weights: Floats | None, size: int) -> Floats:
    """Return for each key from 0 to `size` the sum of its weights, or how often it comes."""
    return np.bincount(keys, weights=weights, minlength=size).astype(np.float64)


_kept: WeakKeyDictionary[Graph, OrderedDict[object, Histories]] = WeakKeyDictionary()


def past(graph: Graph, t: int, serving: NDArray[np.bool_] | None = None) -> Past:
    """Return what had been done before `t` and counted then.

    Args:
        graph: Of all times.
        t: Microseconds; `NEVER`: now.
        serving: Shape (users,): whose interactions count; everybody's, if `None`.
    """
    until = int(np.searchsorted(graph.said_at, t)) if t != NEVER else len(graph.said_at)
    live = graph.gone_at[:until] >= t
    if serving is not None:
        live &= serving[graph.by[:until]]
    if live.all():
        return _past(_derived(graph, "all", None), until)
    key = (until, live.tobytes())
    return _past(_derived(graph, key, np.flatnonzero(live)), int(live.sum()))


def _past(histories: Histories, until: int) -> Past:
    known = histories.pasts.get(until)
    if known is not None:
        return known
    chosen = slice(until) if histories.all_first else np.flatnonzero(histories.first[:until])
    by, of = histories.by[chosen], histories.of[chosen]
    made = Past(
        histories=histories,
        until=until,
        by=by,
        of=of,
        said_at=histories.said_at[chosen],
        reach=np.maximum(sums(of, None, histories.items), 1.0),
        length=np.maximum(sums(by, None, histories.users), 1.0),
    )
    histories.pasts[until] = made
    while len(histories.pasts) > _KEPT:
        histories.pasts.popitem(last=False)
    return made


def _derived(graph: Graph, key: object, rows: Rows | None) -> Histories:
    kept = _kept.setdefault(graph, OrderedDict())
    if key not in kept:
        kept[key] = _laid_out(graph, slice(None) if rows is None else rows)
        while len(kept) > _KEPT:
            kept.popitem(last=False)
    kept.move_to_end(key)
    return kept[key]


def _laid_out(graph: Graph, rows: Rows | slice) -> Histories:
    by, of = graph.by[rows], graph.of[rows]
    by_user, user_starts = _grouped(by, len(graph.users))
    by_item, item_starts = _grouped(of, len(graph.items))
    place = np.empty(len(by), dtype=np.intp)
    place[by_user] = np.arange(len(by))
    pairs = by.astype(np.int64) * max(len(graph.items), 1) + of
    first = np.zeros(len(by), dtype=np.bool_)
    first[np.unique(pairs, return_index=True)[1]] = True
    return Histories(
        users=len(graph.users),
        items=len(graph.items),
        by=by,
        of=of,
        said_at=graph.said_at[rows],
        ratings=graph.ratings[rows],
        first=first,
        all_first=bool(first.all()),
        by_user=by_user,
        user_starts=user_starts,
        place=place,
        by_item=by_item,
        item_starts=item_starts,
    )


def _grouped(keys: NDArray[np.int32], groups: int) -> tuple[Rows, Rows]:
    """Return the places of `keys` sorted by key, in order within each, and where each begins."""
    starts = np.zeros(groups + 1, dtype=np.intp)
    np.cumsum(np.bincount(keys, minlength=groups), out=starts[1:])
    return np.argsort(keys, kind="stable"), starts
