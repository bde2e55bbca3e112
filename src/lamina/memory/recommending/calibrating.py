"""From which cosine on notes hang together, for the encoder at hand; see `Recommender.calibrate`.

Two notes that share neither a tag nor a keyword, but for those that most notes have, have nothing
to do with each other, as far as can be told without reading them. The threshold that is proposed is
the cosine that only so many of such pairs exceed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from lamina.errors import NotFound
from lamina.model import Note, Scope, Value
from lamina.ports import NEVER, Graph
from lamina.strategies.atomrec.calibration import tau_for
from lamina.work.engine import Engine

if TYPE_CHECKING:
    from numpy.typing import NDArray

SAMPLE = 1_000
"""Notes that are looked at, the latest: all pairs of these."""
UNRELATED = 0.01
"""Which share of the pairs that share nothing may exceed the threshold."""
FEWEST = 20
"""Notes without which nothing can be said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration(Value):
    """A threshold that is proposed. Cosines, in [-1, 1]."""

    encoder: str
    tau: float
    """`UNRELATED` of the pairs that share no tag and no keyword exceed it."""
    in_use: float
    """What holds now."""
    notes: int
    """How many were looked at."""
    unrelated: int
    """Pairs that share neither tag nor keyword."""
    related_above: float
    """Share of the other pairs that exceed it."""
    related_in_use: float
    unrelated_in_use: float
    """The shares that exceed what holds now."""


def calibrate(engine: Engine, scope: Scope) -> Calibration:
    """Return what is proposed.

    Raises:
        NotFound: There are too few notes.
    """
    notes = engine.store.list_notes(scope, kind="user_note", limit=SAMPLE)
    graph = engine.store.graph(scope)
    rows = _rows(graph)
    notes = [note for note in notes if note.id in rows]
    if len(notes) < FEWEST:
        raise NotFound(f"there are {len(notes)} notes to go by; form at least {FEWEST} first")
    vectors = graph.vectors[np.array([rows[note.id] for note in notes])]
    above = np.triu_indices(len(notes), 1)
    cosines = (vectors @ vectors.T)[above]
    related = _sharing(notes)[above]
    apart = cosines[~related]
    if not len(apart):
        raise NotFound("all notes share a tag or a keyword, so nothing can be told apart")
    tau = float(np.quantile(apart, 1 - UNRELATED))
    in_use = tau_for(engine.atomrec, engine.encoder.space.id)
    return Calibration(
        encoder=engine.encoder.space.id,
        tau=round(tau, 3),
        in_use=in_use,
        notes=len(notes),
        unrelated=len(apart),
        related_above=_share(cosines[related], tau),
        related_in_use=_share(cosines[related], in_use),
        unrelated_in_use=_share(apart, in_use),
    )


def _share(cosines: NDArray[np.float32], threshold: float) -> float:
    return float((cosines > threshold).mean()) if len(cosines) else 0.0


def _rows(graph: Graph) -> dict[str, int]:
    """Return the row of each note as it is now."""
    live = np.flatnonzero((graph.known_until == NEVER) & (graph.kinds >= 0))
    return {graph.refs[int(row)]: int(row) for row in live}


def _sharing(notes: list[Note]) -> NDArray[np.bool_]:
    """Return which pairs share a tag or a keyword that not most notes have. Shape (n, n)."""
    words = [{word.casefold() for word in (*note.tags, *note.keywords)} for note in notes]
    had = Counter(word for known in words for word in known)
    telling = sorted(word for word, count in had.items() if count * 2 <= len(notes))
    numbers = {word: n for n, word in enumerate(telling)}
    table = np.zeros((len(notes), max(len(numbers), 1)), np.float32)
    for row, known in enumerate(words):
        table[row, [numbers[word] for word in known if word in numbers]] = 1
    return table @ table.T > 0
