"""Which notes are near to new ones: those of a graph, and those made earlier in the same batch.

Notes about one item say much the same, so of each item one note is near: the most similar. Looked
at are all notes of items and all of the user's own, and of other users' notes the latest few of
each item that is near by those: then what a search costs hardly grows with the number of notes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from lamina.ports import ITEM_NOTE, NEVER, USER_NOTE, Graph

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lamina.model import Vectors

OTHERS = 4
"""How many of the latest notes of others are looked at, of each item."""
WIDER = 2
"""Times as many items as are wanted that others' notes are looked at of."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Made:
    """Notes made in a batch, in the order made; b of them."""

    vectors: Vectors
    """Shape (b, dim)."""
    whose: NDArray[np.int32]
    """Shape (b,), index into `Graph.users`; -1 for items' notes."""
    about: NDArray[np.int32]
    """Shape (b,), index into `Graph.items`."""
    places: NDArray[np.int32]
    """Shape (b,), ascending: the place in the batch of the interaction that each is of."""
    at: NDArray[np.int64]
    """Shape (b,), ascending: microseconds; when that was done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What is looked for: what is near to one of the notes made."""

    made: int
    """Its number."""
    by: int
    """Microseconds: only what was known by then."""


Near = list[tuple[int, float]]
"""Rows with their cosine, most similar first: of the graph (n rows), then n + those of `Made`."""


class Neighbourhood:
    """A graph's notes that count now, and a batch's, in which neighbours are looked for."""

    def __init__(self, graph: Graph, made: Made) -> None:
        counts = graph.known_until == NEVER
        users = np.flatnonzero(counts & (graph.kinds == USER_NOTE))
        items = np.flatnonzero(counts & (graph.kinds == ITEM_NOTE))
        self._graph, self._made, self._n = graph, made, len(graph.kinds)
        mine = made.whose >= 0
        new = self._n + np.arange(len(made.about))
        self._whose = np.concatenate([graph.whose, made.whose])
        self._about = np.concatenate([graph.about, made.about])
        self._items = np.concatenate([items, new[~mine]])
        self._item_vectors = np.concatenate([graph.vectors[items], made.vectors[~mine]])
        self._known_from = np.concatenate([graph.known_from, made.at])
        self._places = np.concatenate([np.full(self._n, -1, np.int32), made.places])
        users = np.concatenate([users, new[mine]])
        self._users = users[np.lexsort((users, self._known_from[users]))]
        """Rows of users' notes, in the order of time."""
        self._times = self._known_from[self._users]
        self._keys, self._by_item = self._filed()
        self._own: dict[int, tuple[NDArray[np.int64], Vectors]] = {}

    def _filed(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return users' notes by item, then time: keys to be looked up, ascending, and rows."""
        about = self._about[self._users].astype(np.int64)
        keys = about * (len(about) + 1) + np.arange(len(about))
        order = np.argsort(about, kind="stable")
        return keys[order], self._users[order]

    def near(
        self, queries: Sequence[Query], k: int, visible: Sequence[NDArray[np.bool_] | None]
    ) -> list[Near]:
        """Return for each query up to `k` notes, each about another item.

        Args:
            queries: What to look for.
            k: How many.
            visible: For each query whose notes may be found, shape (users,), besides items' notes
                and the user's own; `None`: everybody's.
        """
        if not queries or k < 1:
            return [[] for _ in queries]
        asked = self._made.vectors[[query.made for query in queries]]
        to_items = asked @ self._item_vectors.T
        return [
            self._near(query, line, k, seen)
            for query, line, seen in zip(queries, to_items, visible, strict=True)
        ]

    def _near(
        self, query: Query, to_items: NDArray[np.float32], k: int, seen: NDArray[np.bool_] | None
    ) -> Near:
        vector = self._made.vectors[query.made]
        own, own_vectors = self._own_notes(int(self._made.whose[query.made]))
        rows = np.concatenate([self._items, own])
        line = np.concatenate([to_items, own_vectors @ vector])
        kept = self._before(query, rows)
        rows, line = rows[kept], line[kept]
        best = _highest(line, WIDER * k)
        others = self._others(query, np.unique(self._about[rows[best]]), seen)
        rows = np.concatenate([rows[best], others])
        line = np.concatenate([line[best], self._vectors(others) @ vector])
        return self._one_an_item(rows, line)[:k]

    def _own_notes(self, user: int) -> tuple[NDArray[np.int64], Vectors]:
        if user not in self._own:
            rows = np.sort(self._users[self._whose[self._users] == user])
            self._own[user] = (rows, self._vectors(rows))
        return self._own[user]

    def _before(self, query: Query, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which of some rows come before what is looked for."""
        place = self._made.places[query.made]
        kept: NDArray[np.bool_] = (self._places[rows] < place) & (
            self._known_from[rows] <= query.by
        )
        return kept

    def _others(
        self, query: Query, items: NDArray[np.int32], seen: NDArray[np.bool_] | None
    ) -> NDArray[np.int64]:
        """Return the latest notes of others about some items, of those that come before."""
        firsts = items.astype(np.int64) * (len(self._users) + 1)
        starts = np.searchsorted(self._keys, firsts)
        ends = np.searchsorted(self._keys, firsts + self._earlier(query))
        at = ends[:, None] - 1 - np.arange(OTHERS)
        rows = self._by_item[at[at >= starts[:, None]]]
        whose = self._whose[rows]
        kept = self._before(query, rows) & (whose != self._made.whose[query.made])
        if seen is not None:
            kept &= seen[whose]
        found: NDArray[np.int64] = rows[kept]
        return found

    def _earlier(self, query: Query) -> int:
        """Return how many of all users' notes come before what is looked for."""
        first = np.searchsorted(self._times, query.by)
        last = np.searchsorted(self._times, query.by, side="right")
        new = self._n + np.searchsorted(self._made.places, self._made.places[query.made])
        return int(first + np.searchsorted(self._users[first:last], new))

    def _vectors(self, rows: NDArray[np.int64]) -> Vectors:
        new = rows >= self._n
        if not new.any():
            return self._graph.vectors[rows]
        found = np.empty((len(rows), self._made.vectors.shape[1]), np.float32)
        found[~new] = self._graph.vectors[rows[~new]]
        found[new] = self._made.vectors[rows[new] - self._n]
        return found

    def _one_an_item(self, rows: NDArray[np.int64], line: NDArray[np.float32]) -> Near:
        """Return the most similar note of each item, most similar first; of equals the oldest."""
        order = np.lexsort((rows, -line))
        _, first = np.unique(self._about[rows[order]], return_index=True)
        return [(int(rows[i]), float(line[i])) for i in order[np.sort(first)]]


def _highest(line: NDArray[np.float32], count: int) -> NDArray[np.intp]:
    """Return where the highest values are, in no order."""
    if len(line) <= count:
        return np.arange(len(line))
    return np.argpartition(-line, count - 1)[:count]
