"""What each revision of a pattern took in, and whose it was: for whoever runs the recommender."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import numpy as np

from lamina.errors import NotFound
from lamina.memory.write import identifier
from lamina.model import Message, Scope, Value
from lamina.ports import NEVER, Store
from lamina.strategies.amem4rec.retrieval import standings
from lamina.work.pools import said_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Contribution(Value):
    """A part that a revision of a pattern took in."""

    revision: int
    part: str
    """Its id."""
    user: str
    """Whose it is."""
    said_at: datetime
    """When the last of what it tells was done."""
    explanation: str
    description: str
    """What it says in general terms."""
    live: bool
    """Whether the part still counts."""


def ids(store: Store, scope: Scope) -> list[str]:
    """Return the ids of the patterns that are there now, in the order written."""
    graph = store.graph(scope)
    rows = np.flatnonzero(standings(graph, NEVER).live)
    return [graph.refs[row] for row in rows.tolist()]


def contributions(store: Store, scope: Scope, id_: str) -> list[Contribution]:
    """Return what the revisions of a pattern took in, first to last. Raises `NotFound`."""
    revisions = store.history(scope, identifier(id_))
    if not revisions:
        raise NotFound(f"no pattern here has the id {id_!r:.60}")
    asked = dict.fromkeys(source for each in revisions for source in each.sources)
    parts = {part.id: part for part in store.recorded(scope, list(asked))}
    return [
        _of(each.number, parts[source])
        for each in revisions
        for source in each.sources
        if source in parts
    ]


def _of(revision: int, part: Message) -> Contribution:
    said = said_of(part)
    return Contribution(
        revision=revision,
        part=part.id,
        user=part.speaker,
        said_at=part.said_at,
        explanation=said.explanation,
        description=said.description,
        live=not part.withdrawn,
    )
