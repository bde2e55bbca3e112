"""Patterns as they may be told: to their contributors, and to others where enough support them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from lamina.errors import NotFound
from lamina.items import Pattern
from lamina.memory.pooling.configuring import configured, least
from lamina.memory.write import identifier
from lamina.model import At, Link, Note, Scope
from lamina.ports import Graph, moment
from lamina.strategies.amem4rec import retrieval
from lamina.strategies.amem4rec.config import AMEM4RecConfig
from lamina.strategies.amem4rec.retrieval import Retrieved
from lamina.times import from_micros
from lamina.work.engine import Engine


@dataclass(frozen=True, kw_only=True, eq=False)
class Sight:
    """A pool as somebody may see it at a moment."""

    engine: Engine
    scope: Scope
    """Of the pool."""
    graph: Graph
    at: At | None
    user: str | None
    """`None`: nobody in particular, who is told what enough users support alone."""

    @property
    def t(self) -> int:
        """Microseconds; `NEVER`: now."""
        return moment(self.at)

    @cached_property
    def config(self) -> AMEM4RecConfig:
        """Return how the pool is read."""
        return config_to_read(self.engine, self.scope)

    @cached_property
    def least(self) -> int:
        """Return how many users must support what others are told."""
        return least(self.engine, self.scope)

    def nearest(self, vector: NDArray[np.float32], k: int) -> list[Retrieved]:
        """Return what may be told and is nearest, weightiest first; see `retrieval.retrieve`."""
        return retrieval.retrieve(self.graph, vector, k, self.t, self.user, self.least, self.config)

    def weightiest(self, k: int) -> list[Retrieved]:
        """Return what may be told by evolution and age alone, weightiest first."""
        return retrieval.weightiest(self.graph, k, self.t, self.user, self.least, self.config)

    def named(self, id_: str) -> list[Retrieved]:
        """Return one pattern; none where there is none of that id, or it may not be told."""
        found = retrieval.named(self.graph, id_, self.t, self.user, self.least, self.config)
        return [found] if found else []

    def told(self, found: Sequence[Retrieved]) -> list[Pattern]:
        """Return patterns with what they say then, in their order."""
        if not found:
            return []
        store, ids = self.engine.store, [each.id for each in found]
        notes = {note.id: note for note in store.notes(self.scope, ids, at=self.at)}
        links = self._links(store.links(self.scope, ids, at=self.at))
        return [
            _pattern(each, notes[each.id], links.get(each.id, ()))
            for each in found
            if each.id in notes
        ]

    def _links(self, links: Sequence[Link]) -> dict[str, tuple[str, ...]]:
        """Return by pattern those that it hangs together with and that may be told."""
        told = self._told_ids if links else frozenset()
        found: dict[str, list[str]] = {}
        for link in links:
            for one, other in ((link.source, link.target), (link.target, link.source)):
                if other in told:
                    found.setdefault(one, []).append(other)
        return {id_: tuple(dict.fromkeys(others)) for id_, others in found.items()}

    @cached_property
    def _told_ids(self) -> frozenset[str]:
        visible = retrieval.visible(self.graph, self.t, self.user, self.least)
        return frozenset(self.graph.refs[row] for row in np.flatnonzero(visible).tolist())


def config_to_read(engine: Engine, scope: Scope) -> AMEM4RecConfig:
    """Return how a pool is read, whichever encoder its thresholds were set for."""
    kept = configured(engine, scope)
    return replace(engine.amem4rec, w=kept.w, half_life_days=kept.half_life_days)


def sight(engine: Engine, scope: Scope, user: str | None, at: At | None) -> Sight:
    """Return a pool as a user may see it."""
    return Sight(engine=engine, scope=scope, graph=engine.store.graph(scope), at=at, user=user)


def patterns(seen: Sight, limit: int) -> list[Pattern]:
    """Return what may be told, weightiest first."""
    return seen.told(seen.weightiest(limit))


def pattern(seen: Sight, id_: str) -> Pattern:
    """Return one pattern. Raises `NotFound`, `BadInput`."""
    found = seen.told(seen.named(identifier(id_)))
    if not found:
        raise NotFound(f"no pattern here has the id {id_!r:.60}")
    return found[0]


def _pattern(found: Retrieved, note: Note, links: tuple[str, ...]) -> Pattern:
    return Pattern(
        id=note.id,
        explanation=note.text,
        description=note.context,
        keywords=note.keywords,
        evolution_count=found.evolution_count,
        contributors=found.contributors,
        first_at=_day(found.first_at),
        last_at=_day(found.last_at),
        yours=found.yours,
        similarity=found.similarity,
        weight=found.weight,
        links=links,
    )


def _day(micros: int) -> datetime:
    return from_micros(micros).replace(hour=0, minute=0, second=0, microsecond=0)
