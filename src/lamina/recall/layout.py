"""How the documents of a scope hang together: turns, their exchanges, sessions and neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from lamina.ports import VIEWS, Documents
from lamina.recall.arrays import Floats, Ints

_TURN, _EXCHANGE, _NOTE = (VIEWS.index(view) for view in ("turn", "exchange", "note"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Rows of `Documents` by what they are. t turns that have a document, m notes."""

    turn_rows: Ints
    """Shape (t,): the row of each turn, in the order of the turns."""
    exchange_rows: Ints
    """Shape (t,): the row of its exchange; its own row where there is none (yet), as a session's
    first turn has none."""
    sessions: Ints
    """Shape (t,): from 0, ascending without a gap."""
    note_rows: Ints
    """Shape (m,)."""
    turn_places: Ints
    exchange_places: Ints
    note_places: Ints
    """Shape (n,) each: where each row of `Documents` stands in `turn_rows` and so on, else -1."""
    rest_notes: Ints
    rest_turns: Ints
    """Shape (r,) each, by place in `note_rows` and `turn_rows`: which note, ascending, rests on
    which turn."""

    @property
    def session_count(self) -> int:
        """How many sessions have turns."""
        return int(self.sessions[-1]) + 1 if len(self.sessions) else 0


_KNOWN: WeakKeyDictionary[Documents, Layout] = WeakKeyDictionary()
"""The layouts of states that are still in use: most searches find the scope as the last one did."""


def layout(documents: Documents) -> Layout:
    """Return the layout of these documents."""
    found = _KNOWN.get(documents)
    if found is None:
        found = _KNOWN[documents] = _laid_out(documents)
    return found


def _laid_out(documents: Documents) -> Layout:
    turn_count = len(documents.turn_refs)
    own = _rows_by_turn(documents, _TURN, turn_count)
    pair = _rows_by_turn(documents, _EXCHANGE, turn_count)
    there = own >= 0
    turn_rows = own[there]
    exchange_rows = np.where(pair >= 0, pair, own)[there]
    note_rows = np.flatnonzero(documents.views == _NOTE).astype(np.int32)
    total = len(documents.ids)
    note_places = _places(note_rows, total)
    sessions = documents.sessions[turn_rows]
    changes = np.diff(sessions, prepend=sessions[:1]) != 0
    notes = note_places[documents.rest_rows]
    turns = _places(np.flatnonzero(there), turn_count)[documents.rest_turns]
    known = np.flatnonzero((notes >= 0) & (turns >= 0))
    known = known[np.argsort(notes[known], kind="stable")]
    return Layout(
        turn_rows=turn_rows,
        exchange_rows=exchange_rows,
        sessions=np.cumsum(changes, dtype=np.int32),
        note_rows=note_rows,
        turn_places=_places(turn_rows, total),
        exchange_places=_places(exchange_rows, total),
        note_places=note_places,
        rest_notes=notes[known],
        rest_turns=turns[known],
    )


def _places(chosen: NDArray[np.integer], total: int) -> Ints:
    """Return (total,): the place of each number in `chosen`, or -1."""
    found = np.full(total, -1, dtype=np.int32)
    found[chosen] = np.arange(len(chosen), dtype=np.int32)
    return found


def _rows_by_turn(documents: Documents, view: int, turn_count: int) -> Ints:
    rows = np.flatnonzero(documents.views == view).astype(np.int32)
    by_turn = np.full(turn_count, -1, dtype=np.int32)
    by_turn[documents.turns[rows]] = rows
    return by_turn


def best_near(values: Floats, sessions: Ints) -> Floats:
    """Return for each turn the greatest value of it and the turns next to it in its session."""
    together = sessions[1:] == sessions[:-1]
    found = values.copy()
    found[:-1] = np.maximum(found[:-1], np.where(together, values[1:], 0))
    found[1:] = np.maximum(found[1:], np.where(together, values[:-1], 0))
    return found


def session_maxima(values: Floats, sessions: Ints) -> Floats:
    """Return (session count,) the greatest value in each session."""
    if not len(values):
        return values
    starts = np.flatnonzero(np.diff(sessions, prepend=-1))
    return np.maximum.reduceat(values, starts)


def handed_on(values: Floats, shape: Layout) -> Floats:
    """Return for each turn the greatest of the (m,) values, at least 0, of notes resting on it."""
    found = np.zeros(len(shape.turn_rows), dtype=np.float32)
    np.maximum.at(found, shape.rest_turns, values[shape.rest_notes].astype(np.float32))
    return found


def best_of_sources(values: Floats, shape: Layout) -> Floats:
    """Return (m, k): for each note the greatest of the (t, k) values, at least 0, of its turns."""
    found = np.zeros((len(shape.note_rows), values.shape[1]), dtype=np.float32)
    starts = np.flatnonzero(np.diff(shape.rest_notes, prepend=-1))
    if len(starts):
        best = np.maximum.reduceat(values[shape.rest_turns], starts, axis=0)
        found[shape.rest_notes[starts]] = best
    return found
