"""The notes of a graph at one moment: whose and of what, their vectors, and where links lead."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from lamina.ports.graph import Graph
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
    counts: NDArray[np.bool_] = (graph.known_from < t) & (graph.known_until >= t)
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
    names = len(graph.note_names)
    rows = np.flatnonzero(counts & (graph.notes >= 0))
    about = np.full(names, -1, dtype=np.intp)
    about[graph.notes[rows]] = graph.about[rows]
    known = np.zeros(names, dtype=np.bool_)
    known[graph.notes[rows]] = True
    ends = _ends(graph, t, known)
    here = np.zeros(names)
    np.maximum.at(here, graph.notes[start], 0.9 ** np.arange(len(start)))
    began, reached = here > 0, np.zeros(names)
    for _ in range(hops):
        here = _handed_on(here, ends, names)
        reached += here
    reached[began] = 0.0
    told = np.flatnonzero(about >= 0)
    found = sums(about[told], reached[told], len(graph.items))
    sizes = sums(about[told], None, len(graph.items))
    return found / np.sqrt(np.maximum(sizes, 1))


def _ends(graph: Graph, t: int, known: NDArray[np.bool_]) -> tuple[Rows, Rows]:
    """Return both ends of each link that counts, once each way."""
    kept = (graph.link_known_from < t) & known[graph.link_from] & known[graph.link_to]
    one, other = graph.link_from[kept], graph.link_to[kept]
    return np.concatenate([one, other]).astype(np.intp), np.concatenate([other, one]).astype(
        np.intp
    )


def _handed_on(here: Floats, ends: tuple[Rows, Rows], names: int) -> Floats:
    source, target = ends
    degree = np.maximum(sums(source, None, names), 1)
    sent = FADING * here / degree
    return sums(target, sent[source], names)
