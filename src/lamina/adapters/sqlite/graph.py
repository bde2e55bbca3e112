"""One recommender's memory as arrays that grow: see `lamina.ports.Graph`.

Interactions are read by their positions, documents by their ids, revisions and links by the numbers
of their operations: what was read once is not read again, until something that was there changes or
goes (`upheavals`). A revision that is added ends the row of the one before it, in a copy, so that a
`Graph` that was handed out stays what it was.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby, pairwise
from typing import Any, NamedTuple

import numpy as np

from lamina.adapters.sqlite.deeds import ID_BYTES, SQL, Column, Deeds, Ids
from lamina.adapters.sqlite.growing import Grown, integers, places, read_vectors
from lamina.adapters.sqlite.scopes import ScopeRow
from lamina.adapters.sqlite.supports import Supports
from lamina.ports import DESCRIPTION, ITEM_NOTE, NEVER, PROFILE, Graph, VectorRows

Revised = tuple[Any, ...]
"""A row of the query `new_revisions`."""


class Row(NamedTuple):
    """A document of an item or note, for a stretch of time."""

    document: int
    kind: int
    ref: str
    whose: int
    about: int
    done_at: int
    known_from: int
    known_until: int
    note: int
    """By number; 0 for an item."""


class GraphShelf:
    """The graph of one scope, up to a state of the store."""

    def __init__(self, scope: ScopeRow, space: int, dim: int) -> None:
        """Begin empty.

        Args:
            scope: The state of the scope.
            space: The number of the space whose vectors are kept.
            dim: Their dimension.
        """
        self.key, self.upheavals, self.space = scope.key, scope.upheavals, space
        self.upto = (0, 0, 0)
        """The last message, document and operation that were read."""
        self._deeds = Deeds()
        self._rows = Rows(dim)
        self._links = Links()
        self._supports = Supports()
        self.graph = self._drawn()

    def extend(self, tx: sqlite3.Connection, scope: ScopeRow) -> None:
        """Read what was added since; if that is nothing, the graph stays the same object."""
        (last,) = tx.execute(SQL["last_operation"], (self.key,)).fetchone()
        if self.upto == (scope.messages, scope.documents, last):
            return
        messages, documents, operations = self.upto
        self.upto = (scope.messages, scope.documents, last)
        revised = tx.execute(SQL["new_revisions"], (self.key, operations)).fetchall()
        new = [
            self._deeds.extend(tx, self.key, messages),
            self._rows.extend(tx, self.key, self.space, self._deeds, documents, revised),
            self._links.extend(tx, self.key, operations, self._rows.places),
            self._supports.extend(revised, self._rows.places, self._deeds.users),
        ]
        if any(new):
            self.graph = self._drawn()

    def _drawn(self) -> Graph:
        deeds, rows, links = self._deeds, self._rows, self._links
        return Graph(
            users=Ids(deeds.users.ids),
            items=Ids(deeds.items.ids),
            by=deeds.by.values,
            of=deeds.of.values,
            said_at=deeds.said_at.values,
            gone_at=deeds.gone_at.values,
            ratings=deeds.ratings.values,
            actions=deeds.actions.values,
            action_names=deeds.action_names,
            messages=deeds.ids,
            kinds=rows.kinds.values,
            refs=Ids(rows.refs),
            whose=rows.whose.values,
            about=rows.about.values,
            done_at=rows.done_at.values,
            known_from=rows.known_from,
            known_until=rows.known_until,
            vectors=VectorRows(rows.vectors.view()),
            link_from=links.sources.values,
            link_to=links.targets.values,
            link_known_from=links.known_from.values,
            note_names=Ids(rows.names),
            notes=rows.notes.values,
            support=self._supports.drawn(),
        )

    @property
    def nbytes(self) -> int:
        """About how many bytes it holds."""
        parts = (self._deeds, self._rows, self._links, self._supports)
        return sum(part.nbytes for part in parts)


class Rows:
    """All documents of notes and of items, in the order written."""

    def __init__(self, dim: int) -> None:
        self.kinds, self.notes = Column(np.int8), Column(np.int32)
        self.whose, self.about = Column(np.int32), Column(np.int32)
        self.done_at = Column(np.int64)
        self.known_from = np.empty(0, np.int64)
        self.known_until = np.empty(0, np.int64)
        self.vectors = Grown(dim, np.float32)
        self.refs: list[str] = []
        self.names: list[str] = []
        """Ids of the notes with rows."""
        self.places: dict[int, int] = {}
        """By the number of a note: its place in `names`."""
        self._ids = Column(np.int64)  # of the documents
        self._last: list[int] = []  # by place of a note: the row written last
        self._before: list[int] = []  # by row: the one of the same note written before it

    def extend(
        self,
        tx: sqlite3.Connection,
        scope: int,
        space: int,
        deeds: Deeds,
        after: int,
        revised: Sequence[Revised],
    ) -> bool:
        """Read the documents after an id, which show items or what was revised since.

        Returns:
            Whether there was anything.
        """
        described = tx.execute(SQL["new_descriptions"], (scope, after)).fetchall()
        if not described and not revised:
            return False
        rows = [_described(row, deeds) for row in described]
        knotty = self._knotty(revised)
        for revisions in knotty.values():
            rows += [_row(told, deeds)._replace(known_from=since, known_until=until)
                     for told, since, until in stretches(revisions)]  # fmt: skip
        plain = [row for row in revised if row[0] not in knotty]
        shown = {row[1]: row for row in reversed(plain) if row[1] > after}
        rows += [_row(row, deeds) for row in shown.values()]
        self._add(rows)
        self._chain(knotty.keys())
        self._begin(plain)
        width = self.vectors.width
        ids = self._ids.values[self.vectors.rows :]
        self.vectors.add(read_vectors(tx, scope, space, after, ids, width))
        return True

    def _knotty(self, revised: Sequence[Revised]) -> dict[int, list[Revised]]:
        """Return by note the revisions of those that are new and do not just follow each other.

        Some went, though not at every moment; or what one showed is shown again after another.
        """
        by_note: dict[int, list[Revised]] = defaultdict(list)
        for row in revised:
            if row[0] not in self.places:
                by_note[row[0]].append(row)
        return {note: rows for note, rows in by_note.items() if len(rows) > 1 and _is_knotty(rows)}

    def _add(self, rows: list[Row]) -> None:
        """Add rows, in the order of their documents."""
        if not rows:
            return
        rows.sort(key=lambda row: (row.document, row.known_from))
        ids, kinds, refs, whose, about, done_at, known_from, known_until, notes = zip(
            *rows, strict=True
        )
        for number, ref in zip(notes, refs, strict=True):
            if number and number not in self.places:
                self.places[number] = len(self.names)
                self.names.append(ref)
                self._last.append(-1)
        self.refs += refs
        self.notes.add([self.places.get(number, -1) for number in notes])
        for column, values in ((self._ids, ids), (self.kinds, kinds), (self.whose, whose),
                               (self.about, about), (self.done_at, done_at)):  # fmt: skip
            column.add(values)
        self._before += [-1] * len(ids)
        self.known_from = np.concatenate([self.known_from, np.array(known_from, np.int64)])
        self.known_until = np.concatenate([self.known_until, np.array(known_until, np.int64)])

    def _chain(self, numbers: Collection[int]) -> None:
        """Let the rows of some notes, which are all there, be known as following each other."""
        places = [self.places[number] for number in numbers if number in self.places]
        rows = np.flatnonzero(np.isin(self.notes.values, places)) if places else ()
        for row in sorted(map(int, rows), key=lambda row: int(self.known_from[row])):
            place = int(self.notes.values[row])
            self._before[row], self._last[place] = self._last[place], row

    def _begin(self, revised: Sequence[Revised]) -> None:
        """Let rows count from when they were known, and end those before them."""
        self.known_from, self.known_until = self.known_from.copy(), self.known_until.copy()
        ids = self._ids.values
        rows = places(ids, integers([row[1:2] for row in revised], 1)[:, 0])
        for row, (note, document, known_at, *_) in zip(rows.tolist(), revised, strict=True):
            place = self.places.get(note)
            if place is not None:
                last = self._last[place]  # of the stretches in which one shows it, if several do
                row = last if last >= 0 and ids[last] == document else row
                self._revise(place, row, known_at)

    def _revise(self, place: int, row: int, known_at: int) -> None:
        """Let a note be as the document of a row shows, or, with -1, as none does."""
        before = self._last[place]
        if row >= 0:
            self.known_from[row] = min(self.known_from[row], known_at)
            if row != before:
                self._before[row], self._last[place] = before, row
            before = self._before[row]
        while before >= 0 and self.known_until[before] > known_at:
            self.known_until[before] = known_at
            before = self._before[before]

    @property
    def nbytes(self) -> int:
        """About how many bytes it holds."""
        arrays = (self.kinds, self.notes, self.whose, self.about, self.done_at, self._ids)
        ids = 2 * ID_BYTES * len(self.names) + 32 * len(self.refs)
        spans = self.known_from.nbytes + self.known_until.nbytes
        return ids + spans + self.vectors.nbytes + sum(array.nbytes for array in arrays)


def _described(row: Sequence[Any], deeds: Deeds) -> Row:
    """Return the row of the document of a description."""
    document, id_, item, said_at, gone_at = row
    place = deeds.items.meet(item)
    return Row(document, DESCRIPTION, id_, -1, place, said_at, said_at, gone_at, 0)


def _row(revised: Revised, deeds: Deeds) -> Row:
    """Return the row of the document of a revision, known at no moment yet."""
    note, document, _, gone_at, id_, kind, note_gone_at, speaker, done_at, item = revised[:10]
    whose = -1 if kind == ITEM_NOTE else deeds.users.meet(speaker)
    about = -1 if kind == PROFILE else deeds.items.meet(item)
    until = min(gone_at, note_gone_at)
    return Row(document, kind, id_, whose, about, done_at, NEVER, until, note)


def _is_knotty(revisions: Sequence[Revised]) -> bool:
    shown = [document for document, _ in groupby(row[1] for row in revisions)]
    return len(set(shown)) < len(shown) or any(row[3] != NEVER for row in revisions)


def stretches(revisions: Sequence[Revised]) -> Iterator[tuple[Revised, int, int]]:
    """Yield the stretches of time in which one document shows a note.

    Args:
        revisions: All of its revisions, in order.

    Yields:
        The first revision that it shows, and from when until when.
    """
    first: dict[int, Revised] = {}
    for row in revisions:
        first.setdefault(row[1], row)
    spans = [(row[2], min(row[3], row[6]), row) for row in revisions]
    moments = sorted({moment for span in spans if span[0] < span[1] for moment in span[:2]})
    latest = [
        ([row for start, end, row in spans if start <= since and until <= end], since, until)
        for since, until in pairwise(moments)
    ]
    shown = ((rows[-1] if rows else None, since, until) for rows, since, until in latest)
    for document, each in groupby(shown, key=lambda stretch: stretch[0] and stretch[0][1]):
        rows = list(each)
        if document and rows[0][0]:
            yield first[document], rows[0][1], rows[-1][2]


class Links:
    """What links notes that have rows: the same two once, known when it was first."""

    def __init__(self) -> None:
        self.sources, self.targets = Column(np.int32), Column(np.int32)
        self.known_from = Column(np.int64)
        self._rows: dict[tuple[int, int], int] = {}
        self._loose: list[tuple[int, int, int]] = []
        """What links notes of which one has no row yet."""

    def extend(
        self, tx: sqlite3.Connection, scope: int, operation: int, places: dict[int, int]
    ) -> bool:
        """Read what operations after one have linked; return whether there was anything."""
        found = [*self._loose, *tx.execute(SQL["new_links"], (scope, operation))]
        self._loose = []
        since: dict[tuple[int, int], int] = {}
        for source, target, known_at in found:
            ends = (places.get(source, -1), places.get(target, -1))
            if min(ends) < 0:
                self._loose.append((source, target, known_at))
            else:
                since[ends] = min(since.get(ends, NEVER), known_at)
        earlier = {
            self._rows[ends]: known_at
            for ends, known_at in since.items()
            if ends in self._rows and self.known_from.values[self._rows[ends]] > known_at
        }
        new = {ends: known_at for ends, known_at in since.items() if ends not in self._rows}
        if earlier:
            self._correct(earlier)
        self._add(new)
        return bool(earlier or new)

    def _correct(self, earlier: dict[int, int]) -> None:
        """Let some rows be known earlier; arrays that were handed out stay what they were."""
        known_from = self.known_from.values.copy()
        known_from[list(earlier)] = list(earlier.values())
        self.known_from = Column(np.int64, known_from)

    def _add(self, new: dict[tuple[int, int], int]) -> None:
        self._rows |= {ends: row for row, ends in enumerate(new, start=len(self._rows))}
        ends = np.array(list(new), np.int32).reshape(-1, 2)
        self.sources.add(ends[:, 0])
        self.targets.add(ends[:, 1])
        self.known_from.add(list(new.values()))

    @property
    def nbytes(self) -> int:
        """About how many bytes it holds."""
        arrays = (self.sources, self.targets, self.known_from)
        return 200 * len(self._rows) + sum(array.nbytes for array in arrays)
