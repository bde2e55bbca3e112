"""What a pool can do without: patterns that nobody shares, old ones, too many, near-twins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lamina.ports.rows import VectorRows
from lamina.strategies.amem4rec.measures import TWIN
from lamina.times import DAY

Why = Literal["never evolved", "too old", "over the cap"]
BLOCK = 128
"""Rows that are held against all others at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A pattern as upkeep looks at it."""

    id: str
    evolution_count: int
    last_at: int
    """Microseconds: when the latest of its parts was done."""


class Twin(NamedTuple):
    """A pattern that says what another says."""

    heir: str
    """Id of the one that stays: the more evolved one, of equals the one whose id is first."""
    twin: str
    cosine: float


def surplus(
    patterns: Sequence[Held],
    now: int,
    *,
    lone: bool = False,
    keep_days: float | None = None,
    cap: int | None = None,
) -> dict[str, Why]:
    """Return the ids of the patterns that are to go, with the first reason that holds.

    Args:
        patterns: All of a pool.
        now: Microseconds: from when age is told.
        lone: Whether those go that never evolved; wise once everybody's parts are in.
        keep_days: After how long without support one goes; `None`: never.
        cap: How many may stay; the least evolved go first, of equals the longest without support,
            then by id. `None`: any number.
    """
    oldest = now - int(keep_days * DAY) if keep_days is not None else None
    found: dict[str, Why] = {}
    for each in patterns:
        if lone and not each.evolution_count:
            found[each.id] = "never evolved"
        elif oldest is not None and each.last_at < oldest:
            found[each.id] = "too old"
    rest = [each for each in patterns if each.id not in found]
    if cap is not None and len(rest) > cap:
        rest.sort(key=lambda each: (each.evolution_count, each.last_at, each.id))
        found.update((each.id, "over the cap") for each in rest[: len(rest) - cap])
    return found


def twins(
    patterns: Sequence[Held],
    vectors: VectorRows | NDArray[np.float32],
    above: float = TWIN,
) -> list[Twin]:
    """Return which patterns say what another says; each of them goes into one that stays.

    Cosine alone tells them: whoever merges them asks the gate of meaning as well, for "likes" and
    "dislikes" are near to each other.

    Args:
        patterns: p of them.
        vectors: Shape (p, dim), unit rows, in the same order.
        above: The cosine above which they are twins.
    """
    order = sorted(
        range(len(patterns)), key=lambda i: (-patterns[i].evolution_count, patterns[i].id)
    )
    rows = np.asarray(vectors, dtype=np.float32)[order]
    stays = np.ones(len(rows), dtype=np.bool_)
    found: list[Twin] = []
    for start in range(0, len(rows), BLOCK):
        block = rows[start : start + BLOCK] @ rows[start:].T
        for i in range(start, min(start + BLOCK, len(rows))):
            if not stays[i]:
                continue
            later = start + np.flatnonzero(block[i - start] > above)
            for j in later[(later > i) & stays[later]].tolist():
                stays[j] = False
                cosine = float(block[i - start, j - start])
                found.append(Twin(patterns[order[i]].id, patterns[order[j]].id, cosine))
    return found
