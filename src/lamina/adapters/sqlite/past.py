"""One scope's documents of all times as arrays: what a search of the past reads.

It is filled when it is first asked for, and kept as a `Shelf` is. A document, message or revision
that was changed after it was written, or went, must have raised the scope's `changes`.
"""

from __future__ import annotations

import sqlite3
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from lamina.adapters.sqlite import visible
from lamina.adapters.sqlite.growing import (
    SQL,
    Grown,
    Integers,
    Occurrences,
    integers,
    joined,
    names,
    places,
    read_vectors,
)
from lamina.adapters.sqlite.in_force import MATTERS
from lamina.adapters.sqlite.indexing import ALWAYS, FOREVER
from lamina.adapters.sqlite.scopes import ScopeRow
from lamina.adapters.sqlite.visible import (
    NOTE,
    Orders,
    Past,
    Rests,
    Said,
    Shown,
    Told,
    Visible,
)
from lamina.model import At
from lamina.ports import Postings
from lamina.times import to_micros

if TYPE_CHECKING:
    from numpy.typing import NDArray

KEPT = 4
"""So many moments that were asked for last are kept: who reads the past asks more than once."""
REVISIONS = 2**20
"""More than a note ever has."""
MESSAGE, NOTE_MATTER, REVISION, OPERATION = (
    MATTERS.index(matter) for matter in ("message", "note", "revision", "operation")
)


class PastShelf:
    """All documents of one scope, up to a state of the store, and the moments to see it from."""

    def __init__(self, scope: ScopeRow, space: int, dim: int) -> None:
        """Begin empty; see `Shelf`."""
        self.key, self.changes, self.space = scope.key, scope.changes, space
        self.upto = (0, 0)
        """The last message and the last document that were read."""
        self._vectors = Grown(dim, np.float32)
        self._past = _nothing(self._vectors.view())
        self._orders = visible.sorted_once(self._past)
        self._occurrences = Occurrences(scope.key)
        self._moments: OrderedDict[At, Visible] = OrderedDict()
        self._size = 0

    def extend(self, tx: sqlite3.Connection, scope: ScopeRow) -> None:
        """Read what was added since."""
        last_message, last_document = self.upto
        known = self._past
        said = visible.appended(known.said, _messages(tx, self.key, last_message))
        notes = tx.execute(SQL["past_notes"], (self.key, last_document)).fetchall()
        new = _documents(tx, self.key, last_document, said, notes)
        shown = visible.appended(known.shown, new)
        revisions = tx.execute(SQL["past_revisions"], (self.key, last_document)).fetchall()
        told = visible.appended(known.told, _revisions(revisions, shown))
        sources = tx.execute(SQL["past_rests"], (self.key, last_document)).fetchall()
        rests = visible.appended(known.rests, _rests(sources, told, said))
        width = self._vectors.width
        self._vectors.add(read_vectors(tx, self.key, self.space, last_document, new.ids, width))
        self._past = Past(
            said=said,
            shown=shown,
            told=told,
            rests=rests,
            sessions=names(tx, "session_names", self.key),
            speakers=names(tx, "speaker_names", self.key),
            vectors=self._vectors.view(),
        )
        self._orders = visible.sorted_once(self._past)
        self._size = _size(self._past, self._orders)
        self._moments.clear()
        self.upto = (scope.messages, scope.documents)

    def seen(self, tx: sqlite3.Connection, at: At) -> Visible:
        """Return the scope as it shows at a moment."""
        found = self._moments.pop(at, None)
        if found is None:
            before = FOREVER if at.as_of is None else to_micros(at.as_of)
            found = visible.seen(self._as_recorded(tx, at), self._orders, before)
        self._moments[at] = found
        if len(self._moments) > KEPT:
            self._moments.popitem(last=False)
        return found

    def postings(
        self, tx: sqlite3.Connection, terms: Sequence[str], moment: Visible, upto: int
    ) -> Postings:
        """Return the postings of `terms` in the documents of a moment, of those up to `upto`."""
        numbers = moment.numbers
        found = []
        for term in self._occurrences.of(tx, terms, self._past.shown.ids, upto):
            end = int(np.searchsorted(term.rows, len(numbers)))
            rows = numbers[term.rows[:end]]
            found.append((rows[rows >= 0], term.counts[:end][rows >= 0]))
        return joined(found)

    def _as_recorded(self, tx: sqlite3.Connection, at: At) -> Past:
        """Return the past as it had been recorded by then, where that is asked."""
        if at.recorded_as_of is None:
            return self._past
        recorded = to_micros(at.recorded_as_of)
        marks = tx.execute(SQL["marks_recorded"], (self.key, recorded)).fetchall()
        return _as_marked(self._past, marks, recorded)

    @property
    def nbytes(self) -> int:
        """About how many bytes it holds."""
        seen = 90 * len(self._past.shown.ids) * len(self._moments)
        return self._size + seen + self._vectors.nbytes + self._occurrences.nbytes


def _size(past: Past, orders: Orders) -> int:
    arrays = (*past.said, *past.shown, *past.told, *past.rests, *orders)
    ids = 100 * (len(past.said.ids) + len(past.shown.ids))
    return sum(array.nbytes for array in arrays) + ids


def _nothing(vectors: NDArray[np.float32]) -> Past:
    long, short, tiny = np.empty(0, np.int64), np.empty(0, np.int32), np.empty(0, np.int8)
    return Past(
        said=Said(long, long, long, long, long, long, long, _refs(())),
        shown=Shown(long, tiny, tiny, short, short, short, long, long, _refs(())),
        told=Told(long, long, short, long, long, long, long, long, long),
        rests=Rests(short, short),
        sessions=(),
        speakers=(),
        vectors=vectors,
    )


def _messages(tx: sqlite3.Connection, scope: int, after: int) -> Said:
    rows = tx.execute(SQL["past_messages"], (scope, after)).fetchall()
    positions, sessions, speakers, said_at, gone_at, recorded_at, operations = integers(
        [row[:7] for row in rows], 7
    ).T
    return Said(
        positions=positions,
        sessions=sessions,
        speakers=speakers,
        said_at=said_at,
        gone_at=gone_at,
        recorded_at=recorded_at,
        operations=operations,
        ids=_refs([row[7] for row in rows]),
    )


def _documents(
    tx: sqlite3.Connection, scope: int, after: int, said: Said, notes: Sequence[tuple[Any, ...]]
) -> Shown:
    rows = integers(tx.execute(SQL["past_documents"], (scope, after)).fetchall(), 7)
    ids, views, subjects, previous, lengths, refers_from, refers_until = rows.T
    owners, kinds = places(said.positions, subjects), np.full(len(ids), -1, np.int8)
    of_notes = views == NOTE
    _, note_kinds, events = integers([note[:3] for note in notes], 3).T
    owners[of_notes], kinds[of_notes] = places(said.positions, events), note_kinds
    refs = np.concatenate([said.ids, _refs([""])])[owners]
    refs[of_notes] = _refs([note[3] for note in notes])
    return Shown(
        ids=ids,
        views=views.astype(np.int8),
        kinds=kinds,
        owners=owners.astype(np.int32),
        previous=places(said.positions, previous).astype(np.int32),
        lengths=lengths.astype(np.int32),
        refers_from=refers_from,
        refers_until=refers_until,
        refs=refs,
    )


def _revisions(rows: Sequence[tuple[int, ...]], shown: Shown) -> Told:
    notes, numbers, documents, *rest = integers(rows, 9).T
    return Told(notes, numbers, places(shown.ids, documents).astype(np.int32), *rest)


def _rests(rows: Sequence[tuple[int, ...]], told: Told, said: Said) -> Rests:
    notes, numbers, messages = integers(rows, 3).T
    keys = _keys(told.notes, told.numbers)
    order = np.argsort(keys, kind="stable")
    at = order[places(keys[order], _keys(notes, numbers))]
    return Rests(at.astype(np.int32), places(said.positions, messages).astype(np.int32))


def _keys(notes: Integers, numbers: Integers) -> Integers:
    return notes * REVISIONS + numbers


def _refs(refs: Sequence[str]) -> NDArray[np.object_]:
    found = np.empty(len(refs), object)
    found[:] = refs
    return found


def _as_marked(past: Past, marks: Sequence[tuple[int, ...]], recorded: int) -> Past:
    """Return the past with what was gone by what had been recorded before a time.

    Args:
        past: Of all times.
        marks: What was put out of force by operations recorded before then: (operation, what,
            subject, revision, always, known_at), the latest operation first. So whatever undoes
            an operation comes before the operation's own marks.
        recorded: Microseconds.
    """
    undone: set[int] = set()
    gone: dict[int, dict[int, int]] = {what: {} for what in range(len(MATTERS))}
    for operation, what, subject, revision, always, known_at in marks:
        if operation in undone:
            continue
        if what == OPERATION:
            undone.add(subject)
        key = subject * REVISIONS + revision if what == REVISION else subject
        from_ = ALWAYS if always else known_at
        gone[what][key] = min(gone[what].get(key, FOREVER), from_)
    said, told = past.said, past.told
    of_revisions = _from_when(gone[REVISION], _keys(told.notes, told.numbers))
    said_gone = _from_when(gone[MESSAGE], said.positions)
    for rows, gone_at in ((said, said_gone), (told, of_revisions)):
        never = (rows.recorded_at >= recorded) | np.isin(rows.operations, list(undone))
        gone_at[never] = ALWAYS
    note_gone = _from_when(gone[NOTE_MATTER], told.notes)
    return past._replace(
        said=said._replace(gone_at=said_gone),
        told=told._replace(gone_at=of_revisions, note_gone_at=note_gone),
    )


def _from_when(gone: Mapping[int, int], subjects: Integers) -> Integers:
    """Return from when each subject is gone; the greatest integer where it is not."""
    marked = np.array(sorted(gone), np.int64)
    since = np.array([*(gone[key] for key in sorted(gone)), FOREVER], np.int64)
    return since[places(marked, subjects)]
