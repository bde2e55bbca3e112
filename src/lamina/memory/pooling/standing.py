"""The patterns of a pool as upkeep looks at them: how evolved, by whom, how old."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from lamina.ports import NEVER, PATTERN, Graph
from lamina.strategies.amem4rec.upkeep import Held

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Patterns:
    """The p patterns of a pool that are live, in the order written."""

    held: tuple[Held, ...]
    vectors: NDArray[np.float32]
    """Shape (p, dim)."""
    contributors: dict[str, int]
    """By pattern: how many users support it."""
    parts: dict[str, list[str]]
    """By pattern: the parts that it took in, in that order."""


def patterns_of(graph: Graph) -> Patterns:
    """Return the patterns that are live now."""
    rows = np.flatnonzero((graph.kinds == PATTERN) & (graph.known_until == NEVER))
    numbers = graph.notes[rows]
    support = graph.support
    live = np.flatnonzero(support.known_until == NEVER)
    of, size = support.of[live], len(graph.note_names)
    counts = np.bincount(of, minlength=size)
    last_at = np.full(size, -(2**63), np.int64)
    np.maximum.at(last_at, of, support.at[live])
    users = np.unique(np.stack([of, support.by[live]]), axis=1)[0]
    contributors = np.bincount(users, minlength=size)
    parts: dict[str, list[str]] = {}
    for row in live.tolist():
        parts.setdefault(graph.note_names[support.of[row]], []).append(support.parts[row])
    names = [graph.refs[row] for row in rows.tolist()]
    return Patterns(
        held=tuple(
            Held(id=name, evolution_count=int(counts[n]) - 1, last_at=int(last_at[n]))
            for name, n in zip(names, numbers.tolist(), strict=True)
        ),
        vectors=graph.vectors[rows],
        contributors={
            name: int(contributors[n]) for name, n in zip(names, numbers.tolist(), strict=True)
        },
        parts={name: parts.get(name, []) for name in names},
    )
