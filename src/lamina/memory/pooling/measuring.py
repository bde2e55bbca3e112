"""How a pool stands; see `Pool.measure`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lamina.memory.pooling.configuring import least
from lamina.memory.pooling.cutting import is_raw
from lamina.memory.write import MOST
from lamina.model import Scope, Value
from lamina.ports import NEVER
from lamina.strategies.amem4rec import measures, retrieval
from lamina.work.engine import Engine

DIGITS = 6
"""Of a mean cosine."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured(Value):
    """A pool as it stands. Cosines, in [-1, 1]; `None` where there are no such pairs."""

    patterns: int
    told: int
    """How many of them others than their contributors are told of."""
    parts: int
    """Parts of users that patterns rest on."""
    raw: int
    """Parts that are selected, for what a model replied could not be used."""
    pending: int
    """Parts that wait to be taken in."""
    users: int
    """Who support patterns."""
    evolved: int
    """Patterns that took in more than one part."""
    most_evolved: int
    """How often the one did that did so most."""
    links: int
    linked_cosine: float | None
    """Mean over the pairs of patterns that are linked."""
    unlinked_cosine: float | None
    """Mean over all other pairs."""
    near_twins: float
    """Share of the patterns that have another above 0.95."""


def measure(engine: Engine, scope: Scope) -> Measured:
    """Return how a pool stands now; takes time by the square of its patterns."""
    graph = engine.store.graph(scope)
    state = retrieval.standings(graph, NEVER)
    rows = np.flatnonzero(state.live)
    place = np.full(len(graph.note_names), -1, dtype=np.intp)
    place[graph.notes[rows]] = np.arange(len(rows))
    ends = np.stack([place[graph.link_from], place[graph.link_to]], axis=1)
    ends = ends[(ends >= 0).all(axis=1)]
    vectors = graph.vectors[rows]
    linked, unlinked = measures.mean_cosines(vectors, ends)
    counting = graph.support.known_until == NEVER
    parts = {part for part, counts in zip(graph.support.parts, counting, strict=True) if counts}
    evolutions = state.evolutions[rows]
    return Measured(
        patterns=len(rows),
        told=int((state.contributors[rows] >= least(engine, scope)).sum()),
        parts=len(parts),
        raw=sum(map(is_raw, engine.store.latest(scope, MOST))),
        pending=engine.store.unformed(scope),
        users=len(np.unique(state.pairs[:, 1])),
        evolved=int((evolutions > 0).sum()),
        most_evolved=int(evolutions.max(initial=0)),
        links=len(ends),
        linked_cosine=_rounded(linked),
        unlinked_cosine=_rounded(unlinked),
        near_twins=measures.near_twins(vectors),
    )


def _rounded(cosine: float | None) -> float | None:
    """Return a mean without what the order of its sum makes of it."""
    return None if cosine is None else round(cosine, DIGITS)
