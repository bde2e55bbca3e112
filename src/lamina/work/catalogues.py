"""What words tell in each recommender's catalogue, kept while its descriptions only grow."""

from __future__ import annotations

from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

import numpy as np

from lamina.model import Scope
from lamina.ports import DESCRIPTION, NEVER, Graph, Store
from lamina.recall.analysis import terms
from lamina.strategies.atomrec.catalogue import Catalogue


@dataclass(slots=True)
class _Kept:
    catalogue: Catalogue = field(default_factory=Catalogue)
    refs: list[str] = field(default_factory=list)
    """Ids of the descriptions that are counted, in order."""
    items: set[str] = field(default_factory=set)
    """The items that are counted: each by the description that was known first."""


_kept: WeakKeyDictionary[Store, dict[Scope, _Kept]] = WeakKeyDictionary()


def catalogue_of(store: Store, scope: Scope, graph: Graph) -> Catalogue:
    """Return in how many items' descriptions each term occurs; each item counts once."""
    found = np.flatnonzero((graph.kinds == DESCRIPTION) & (graph.known_until == NEVER))
    found = found[np.argsort(graph.known_from[found], kind="stable")]
    rows = [int(row) for row in found]
    refs = [graph.refs[row] for row in rows]
    scopes = _kept.setdefault(store, {})
    kept = scopes.get(scope)
    if kept is None or kept.refs != refs[: len(kept.refs)]:
        kept = scopes[scope] = _Kept()
    new = rows[len(kept.refs) :]
    said = {m.id: m.text for m in store.messages(scope, [graph.refs[row] for row in new])}
    for row in new:
        ref, item = graph.refs[row], graph.items[int(graph.about[row])]
        kept.refs.append(ref)
        if item not in kept.items and ref in said:
            kept.items.add(item)
            kept.catalogue.add(terms(said[ref]), int(graph.known_from[row]))
    return kept.catalogue
