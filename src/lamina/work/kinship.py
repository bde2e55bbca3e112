"""Which facts of a scope are near to a fact: what a new one is to be held against."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from lamina.model import Note
from lamina.ports import NOTE_KINDS, VIEWS, Documents, Found

if TYPE_CHECKING:
    from numpy.typing import NDArray

SPARE = 4
"""Times as many documents as facts that are wanted: a turn may hold none, and two show one fact."""

Near = list[tuple[str, float]]
"""Ids of notes and messages with their cosine, most similar first."""


def nearest(documents: Documents, notes: Sequence[Note], k: int) -> list[Near]:
    """Return for each note the documents nearest to it: of facts, and of messages.

    A note without a document stands where the turn of its message does; one without either has no
    kin. Its own document and turn are among what is found.
    """
    rows = np.flatnonzero(
        (documents.views == VIEWS.index("turn")) | (documents.kinds == NOTE_KINDS.index("fact"))
    )
    at = {documents.refs[row]: int(row) for row in rows}
    return [_near(documents, rows, _row(note, at), k * SPARE) for note in notes]


def chosen(note: Note, near: Near, facts: Mapping[str, Sequence[Note]], k: int) -> list[Found]:
    """Return up to `k` other facts out of what is near, each with its best cosine.

    Args:
        note: Whose kin.
        near: Most similar first.
        facts: The live facts that each document stands for, by the id of what it shows.
        k: At least 1.
    """
    found: dict[str, Found] = {}
    for ref, similarity in near:
        for fact in facts.get(ref, ()):
            if fact.id != note.id and fact.id not in found:
                found[fact.id] = Found(entry=fact, similarity=similarity)
    return list(found.values())[:k]


def _row(note: Note, at: Mapping[str, int]) -> int | None:
    return at.get(note.id, at.get(note.event or ""))


def _near(documents: Documents, rows: NDArray[np.int64], row: int | None, count: int) -> Near:
    if row is None:
        return []
    line = documents.vectors.cosines(documents.vectors[row])[rows]
    best = (-line).argsort(kind="stable")[:count]
    return [(documents.refs[rows[i]], float(line[i])) for i in best]
