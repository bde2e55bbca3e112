"""The notes of a graph at one moment: whose and of what, their vectors, and where links lead."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from lamina.ports.graph import Graph, counting
from lamina.ports.stored import DESCRIPTION, ITEM_NOTE, USER_NOTE
from lamina.ranking.histories import Floats, sums

Rows = NDArray[np.intp]
FADING = 0.5
"""How much less what is one link further away says."""


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Where the users and items of a graph stand in it."""

    users: dict[str, int]
    items: dict[str, int]


_places: WeakKeyDictionary[Graph, Places] = WeakKeyDictionary()


def places(graph: Graph) -> Places:
    """Return where users and items stand, by id."""
    if graph not in _places:
        _places[graph] = Places(
            {id_: i for i, id_ in enumerate(graph.users)},
            {id_: i for i, id_ in enumerate(graph.items)},
        )
    return _places[graph]


def visible(graph: Graph, t: int, serving: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
    """Return shape (n,): which states of notes count at a moment, of those who may serve."""
    counts = counting(graph.known_from, graph.known_until, t)
    if serving is not None and len(serving):
        counts &= (graph.whose < 0) | serving[graph.whose]
    return counts


@dataclass(frozen=True, slots=True, eq=False)
class Vectors:
    """The row of `graph.vectors` that stands for each item, and for each thing the user did."""

    items: Rows
    """Shape (i,); -1 where nothing is known: an item's note, else its description."""
    own: Rows
    """Shape (h,), as the user's items: their note of it, else what stands for the item, or -1."""


def vectors(graph: Graph, counts: NDArray[np.bool_], user: int, mine: NDArray[np.int32]) -> Vectors:
    """Return what stands for items and for what a user did with the items `mine`."""
    items = np.full(len(graph.items), -1, dtype=np.intp)
    for kind in (DESCRIPTION, ITEM_NOTE):
        rows = np.flatnonzero(counts & (graph.kinds == kind) & (graph.about >= 0))
        rows = rows[np.argsort(graph.known_from[rows], kind="stable")]
        items[graph.about[rows]] = rows
    noted = np.full(len(graph.items), -1, dtype=np.intp)
    if user >= 0:
        rows = np.flatnonzero((graph.whose == user) & counts & (graph.kinds == USER_NOTE))
        rows = rows[graph.about[rows] >= 0]
        noted[graph.about[rows]] = rows
    return Vectors(items, np.where(noted[mine] >= 0, noted[mine], items[mine]))


def along_links(graph: Graph, t: int, counts: NDArray[np.bool_], start: Rows, hops: int) -> Floats:
    """Return what reaches each item along links from some notes, shape (i,).

    Each note of `start` (rows, latest first, at most 20) sends 1, less by a tenth for each that is
    later. A note hands on what reached it in equal parts to all it is linked with, FADING of it;
    `hops` times. An item gets what reaches its own note and others' notes about it, over the root
    of how many there are.
    """
    if not len(graph.link_from) or not len(start):
        return np.zeros(len(graph.items))
    net = _net(graph, t, counts)
    here = np.zeros(len(net.about))
    np.maximum.at(here, graph.notes[start], 0.9 ** np.arange(len(start)))
    began, reached = here > 0, np.zeros(len(net.about))
    for _ in range(hops):
        here = net.handed_on(here)
        reached += here
    reached[began] = 0.0
    told = np.flatnonzero((net.about >= 0) & (reached > 0))
    found = sums(net.about[told], reached[told], len(graph.items))
    return found / np.sqrt(np.maximum(net.sizes, 1))


@dataclass(frozen=True, slots=True, eq=False)
class _Net:
    """The links that count at a moment, once each way, by the note they lead from."""

    starts: Rows
    """Shape (notes + 1,): the links of note n are starts[n]:starts[n + 1]."""
    ends: Rows
    """The note that each leads to."""
    about: Rows
    """Shape (notes,): the item that a note is about; -1 where it does not count."""
    sizes: Floats
    """Shape (items,): how many notes that count are about each."""

    def handed_on(self, here: Floats) -> Floats:
        """Return what reaches each note from those that something has reached, shape (notes,)."""
        senders = np.flatnonzero(here)
        degrees = self.starts[senders + 1] - self.starts[senders]
        first = np.repeat(self.starts[senders], degrees)
        within = np.arange(len(first)) - np.repeat(np.cumsum(degrees) - degrees, degrees)
        sent = np.repeat(FADING * here[senders] / np.maximum(degrees, 1), degrees)
        return sums(self.ends[first + within], sent, len(here))


def _net(graph: Graph, t: int, counts: NDArray[np.bool_]) -> _Net:
    """Return the links that count; those asked for last are kept."""
    key = (t, hashlib.blake2b(np.packbits(counts).tobytes(), digest_size=16).digest())
    with _turn:
        kept = _nets.setdefault(graph, OrderedDict())
        found = kept.pop(key, None) or _linked(graph, t, counts)
        kept[key] = found
        if len(kept) > NETS:
            kept.popitem(last=False)
    return found


def _linked(graph: Graph, t: int, counts: NDArray[np.bool_]) -> _Net:
    names = len(graph.note_names)
    rows = np.flatnonzero(counts & (graph.notes >= 0))
    about, known = np.full(names, -1, dtype=np.intp), np.zeros(names, dtype=np.bool_)
    about[graph.notes[rows]] = graph.about[rows]
    known[graph.notes[rows]] = True
    one, other, since = _both_ways(graph)
    there = (since < t) & known[one] & known[other]
    starts = np.zeros(names + 1, dtype=np.intp)
    np.cumsum(np.bincount(one[there], minlength=names), out=starts[1:])
    told = about[about >= 0]
    return _Net(starts, other[there], about, sums(told, None, len(graph.items)))


def _both_ways(graph: Graph) -> tuple[Rows, Rows, NDArray[np.int64]]:
    """Return both ends of all links, once each way, and since when each is known, by the first."""
    if graph not in _ordered:
        one = np.concatenate([graph.link_from, graph.link_to]).astype(np.intp)
        other = np.concatenate([graph.link_to, graph.link_from]).astype(np.intp)
        order = np.argsort(one, kind="stable")
        since = np.concatenate([graph.link_known_from] * 2)
        _ordered[graph] = (one[order], other[order], since[order])
    return _ordered[graph]


_nets: WeakKeyDictionary[Graph, OrderedDict[tuple[int, bytes], _Net]] = WeakKeyDictionary()
_ordered: WeakKeyDictionary[Graph, tuple[Rows, Rows, NDArray[np.int64]]] = WeakKeyDictionary()
_turn = Lock()
NETS = 4
"""How many moments and sights of a graph are kept ready."""
