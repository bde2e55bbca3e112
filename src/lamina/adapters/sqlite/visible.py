"""What is visible at a moment, worked out on arrays of all that a scope ever had.

It is what `lamina.model.At` says: a message shows if it was said before the moment and not gone; a
note as the last of its revisions that was known then says; an exchange if both its messages show,
and of several the one whose first message was said last.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from lamina.adapters.sqlite.growing import Integers, Places, turn_order
from lamina.ports import VIEWS, Documents, VectorRows

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from lamina.model import Vectors

    Mask = NDArray[np.bool_]
    Refs = NDArray[np.object_]

TURN, EXCHANGE, NOTE = (VIEWS.index(view) for view in ("turn", "exchange", "note"))


class Said(NamedTuple):
    """All messages, by position: shape (t,) each."""

    positions: Integers
    sessions: Integers
    """By number, from 1."""
    speakers: Integers
    """By number, from 1."""
    said_at: Integers
    gone_at: Integers
    """The greatest integer where it stands."""
    recorded_at: Integers
    operations: Integers
    """The number of the one that added it; 0 for none."""
    ids: Refs


class Shown(NamedTuple):
    """All documents, by id: shape (n,) each."""

    ids: Integers
    views: NDArray[np.int8]
    kinds: NDArray[np.int8]
    owners: Places
    """The row of its message in `Said`, of its event for a note; -1 for none."""
    previous: Places
    """The row of the message that an exchange shows before its own; -1 for none."""
    lengths: Places
    refers_from: Integers
    refers_until: Integers
    refs: Refs


class Told(NamedTuple):
    """All revisions of the notes that have documents: shape (r,) each."""

    notes: Integers
    numbers: Integers
    rows: Places
    """The row of its document in `Shown`; -1 for none."""
    said_at: Integers
    known_at: Integers
    gone_at: Integers
    note_gone_at: Integers
    """From when on the whole note is gone."""
    recorded_at: Integers
    operations: Integers


class Rests(NamedTuple):
    """What the revisions rest on: shape (m,) each."""

    revisions: Places
    """Rows of `Told`."""
    messages: Places
    """Rows of `Said`."""


class Past(NamedTuple):
    """All that a scope ever had."""

    said: Said
    shown: Shown
    told: Told
    rests: Rests
    sessions: tuple[str, ...]
    speakers: tuple[str, ...]
    vectors: Vectors


class Orders(NamedTuple):
    """Rows of a `Past`, sorted once for all moments."""

    messages: Integers
    """By (said_at, position)."""
    exchanges: Integers
    """By (its message, the one before it as they were said)."""
    revisions: Integers
    """By (note, number)."""


class Visible(NamedTuple):
    """A scope as it shows at a moment."""

    documents: Documents
    numbers: Places
    """Shape (n,): the row in `documents` of each document there ever was; -1 for none."""


Rows = TypeVar("Rows", Said, Shown, Told, Rests)


def appended(known: Rows, new: Rows) -> Rows:
    """Return both, the new ones last."""
    pairs: Iterable[tuple[NDArray[Any], NDArray[Any]]] = zip(known, new, strict=True)
    return type(known)(*map(np.concatenate, pairs))


def sorted_once(past: Past) -> Orders:
    """Return the orders that every moment needs."""
    said, shown, told = past.said, past.shown, past.told
    by_said = np.argsort(said.said_at, kind="stable")
    rank = np.empty(len(by_said), np.int64)
    rank[by_said] = np.arange(len(by_said))
    exchanges = np.flatnonzero((shown.views == EXCHANGE) & (shown.previous >= 0))
    before = rank[shown.previous[exchanges]]
    return Orders(
        messages=by_said,
        exchanges=exchanges[np.lexsort((before, shown.owners[exchanges]))],
        revisions=np.lexsort((told.numbers, told.notes)),
    )


def seen(past: Past, orders: Orders, before: int) -> Visible:
    """Return what shows of what was known strictly before a time, in microseconds."""
    heard = (past.said.said_at < before) & (before <= past.said.gone_at)
    counting = _counting(past.told, orders.revisions, before)
    chosen = _spoken(past.shown, orders.exchanges, heard)
    chosen[past.told.rows[counting]] = True
    return _laid_out(past, orders, heard, counting, np.flatnonzero(chosen))


def _counting(told: Told, order: Integers, before: int) -> Integers:
    """Return the revisions by which notes are found: the last that counts, if it has a document."""
    counts = (told.known_at < before) & (before <= told.gone_at)
    rows = order[counts[order]]
    rows = rows[_last_of_each(told.notes[rows])]
    return rows[(told.rows[rows] >= 0) & (before <= told.note_gone_at[rows])]


def _spoken(shown: Shown, exchanges: Integers, heard: Mask) -> Mask:
    """Return which documents are turns or exchanges that show."""
    chosen: Mask = shown.views == TURN
    chosen[chosen] = heard[shown.owners[chosen]]
    pairs = exchanges[heard[shown.owners[exchanges]] & heard[shown.previous[exchanges]]]
    chosen[pairs[_last_of_each(shown.owners[pairs])]] = True
    return chosen


def _last_of_each(groups: NDArray[Any]) -> Mask:
    """Return which of some numbers, equal ones side by side, are the last of their kind."""
    last = np.ones(len(groups), dtype=bool)
    np.not_equal(groups[1:], groups[:-1], out=last[:-1])
    return last


def _laid_out(
    past: Past, orders: Orders, heard: Mask, counting: Integers, rows: Integers
) -> Visible:
    said, shown, told, rests = past.said, past.shown, past.told, past.rests
    by_said = orders.messages[heard[orders.messages]]
    order = turn_order(said.said_at, said.sessions, by_said, len(past.sessions))
    turns = _numbered(order, len(heard) + 1)  # the last is that of no message
    owners = shown.owners[rows]
    owners[turns[owners] < 0] = -1
    said_at = np.append(said.said_at, 0)[shown.owners]
    said_at[told.rows[counting]] = told.said_at[counting]
    counted = np.zeros(len(told.notes), dtype=bool)
    counted[counting] = True
    kept = counted[rests.revisions] & heard[rests.messages]
    numbers = _numbered(rows, len(shown.ids))
    documents = Documents(
        ids=shown.ids[rows],
        views=shown.views[rows],
        kinds=shown.kinds[rows],
        refs=tuple(shown.refs[rows].tolist()),
        turns=turns[owners],
        sessions=np.append(said.sessions - 1, -1).astype(np.int32)[owners],
        session_names=past.sessions,
        speakers=np.append(said.speakers - 1, -1).astype(np.int32)[owners],
        speaker_names=past.speakers,
        said_at=said_at[rows],
        refers_from=shown.refers_from[rows],
        refers_until=shown.refers_until[rows],
        lengths=shown.lengths[rows],
        vectors=VectorRows(past.vectors, rows),
        rest_rows=numbers[told.rows[rests.revisions[kept]]],
        rest_turns=turns[rests.messages[kept]],
        turn_refs=tuple(said.ids[order].tolist()),
    )
    return Visible(documents, numbers)


def _numbered(chosen: Integers, total: int) -> Places:
    """Return (total,): the place of each number in `chosen`, or -1."""
    found = np.full(total, -1, np.int32)
    found[chosen] = np.arange(len(chosen), dtype=np.int32)
    return found
