"""The patterns of a pool as upkeep looks at them: how evolved, by whom, how old."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from lamina.ports import NEVER, Graph
from lamina.strategies.amem4rec.retrieval import standings
from lamina.strategies.amem4rec.upkeep import Held

if TYPE_CHECKING:
    from lamina.model import Vectors


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Inventory:
    """The p patterns of a pool that are live, in the order written."""

    held: tuple[Held, ...]
    vectors: Vectors
    """Shape (p, dim)."""
    contributors: dict[str, int]
    """By pattern: how many users support it."""
    parts: dict[str, list[str]]
    """By pattern: the parts that it took in, in that order."""


def inventory(graph: Graph) -> Inventory:
    """Return the patterns that are live now."""
    state, support = standings(graph, NEVER), graph.support
    rows = np.flatnonzero(state.live)
    names = [graph.refs[row] for row in rows.tolist()]
    parts: dict[str, list[str]] = {name: [] for name in names}
    for row in np.flatnonzero(support.known_until == NEVER).tolist():
        name = graph.note_names[support.of[row]]
        if name in parts:
            parts[name].append(support.parts[row])
    evolutions, last_at = state.evolutions[rows].tolist(), state.last_at[rows].tolist()
    return Inventory(
        held=tuple(
            Held(id=name, evolution_count=evolved, last_at=at)
            for name, evolved, at in zip(names, evolutions, last_at, strict=True)
        ),
        vectors=graph.vectors[rows],
        contributors=dict(zip(names, state.contributors[rows].tolist(), strict=True)),
        parts=parts,
    )
