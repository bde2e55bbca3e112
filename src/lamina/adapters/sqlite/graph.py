"""One recommender's memory as arrays that grow: see `lamina.ports.Graph`.

Interactions are read by their positions, documents by their ids, revisions and links by the numbers
of their operations: what was read once is not read again, until something that was there changes or
goes (`upheavals`). A revision that is added ends the row of the one before it, in a copy, so that a
`Graph` that was handed out stays what it was.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

import numpy as np

from lamina.adapters.sqlite.deeds import ID_BYTES, SQL, Column, Deeds, Ids
from lamina.adapters.sqlite.growing import Grown, integers, places, read_vectors
from lamina.adapters.sqlite.scopes import ScopeRow
from lamina.ports import NEVER, NOTE_KINDS, Graph, VectorRows

ITEM_NOTE, PROFILE = NOTE_KINDS.index("item_note"), NOTE_KINDS.index("profile")


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
        self._memory = Memory(dim)
        self._links = Links()
        self.graph = self._drawn()

    def extend(self, tx: sqlite3.Connection, scope: ScopeRow) -> None:
        """Read what was added since; if that is nothing, the graph stays the same object."""
        (last,) = tx.execute(SQL["last_operation"], (self.key,)).fetchone()
        if self.upto == (scope.messages, scope.documents, last):
            return
        messages, documents, operations = self.upto
        self.upto = (scope.messages, scope.documents, last)
        new = [
            self._deeds.extend(tx, self.key, messages),
            self._memory.extend(tx, self.key, self.space, self._deeds, documents, operations),
            self._links.extend(tx, self.key, operations, self._memory.places),
        ]
        if any(new):
            self.graph = self._drawn()

    def _drawn(self) -> Graph:
        deeds, memory, links = self._deeds, self._memory, self._links
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
            messages=Ids(deeds.ids),
            kinds=memory.kinds.values,
            refs=Ids(memory.refs),
            whose=memory.whose.values,
            about=memory.about.values,
            done_at=memory.done_at.values,
            known_from=memory.known_from,
            known_until=memory.known_until,
            vectors=VectorRows(memory.vectors.view()),
            link_from=links.sources.values,
            link_to=links.targets.values,
            link_known_from=links.known_from.values,
            note_names=Ids(memory.names),
            notes=memory.notes.values,
        )

    @property
    def nbytes(self) -> int:
        """About how many bytes it holds."""
        return self._deeds.nbytes + self._memory.nbytes + self._links.nbytes


class Memory:
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
        operation: int,
    ) -> bool:
        """Read the documents after an id and what operations after one wrote.

        Returns:
            Whether there was anything.
        """
        described = tx.execute(SQL["new_descriptions"], (scope, after)).fetchall()
        revised = tx.execute(SQL["new_revisions"], (scope, operation)).fetchall()
        if not described and not revised:
            return False
        told = {row[0]: (-1, row[1], -1, deeds.items.find(row[2]), row[3], row[4], 0)
                for row in described}  # fmt: skip
        for row in revised:
            if row[1] > after:
                told.setdefault(row[1], _told(row, deeds))
        self._add(told)
        self._begin(described, revised)
        width = self.vectors.width
        ids = self._ids.values[self.vectors.rows :]
        self.vectors.add(read_vectors(tx, scope, space, after, ids, width))
        return True

    def _add(self, told: dict[int, tuple[Any, ...]]) -> None:
        """Add a row for each of some documents, by their ids."""
        ids = sorted(told)
        rows = [told[id_] for id_ in ids]
        kinds, refs, whose, about, done_at, until, notes = (
            zip(*rows, strict=True) if rows else ((),) * 7
        )
        for number, ref in zip(notes, refs, strict=True):
            if number and number not in self.places:
                self.places[number] = len(self.names)
                self.names.append(ref)
                self._last.append(-1)
        self._ids.add(ids)
        self.refs += refs
        self.notes.add([self.places.get(number, -1) for number in notes])
        for column, values in ((self.kinds, kinds), (self.whose, whose), (self.about, about),
                               (self.done_at, done_at)):  # fmt: skip
            column.add(values)
        self._before += [-1] * len(ids)
        never = np.full(len(ids), NEVER)
        self.known_from = np.concatenate([self.known_from, never])
        self.known_until = np.concatenate([self.known_until, np.array(until, np.int64)])

    def _begin(self, described: Sequence[Any], revised: Sequence[Any]) -> None:
        """Let rows count from when they were known, and end those before them."""
        ids = self._ids.values
        of_items = places(ids, integers([row[:1] for row in described], 1)[:, 0])
        self.known_from[of_items] = [row[3] for row in described]
        rows = places(ids, integers([row[1:2] for row in revised], 1)[:, 0])
        for row, (note, _, known_at, gone_at, *_) in zip(rows.tolist(), revised, strict=True):
            place = self.places.get(note)
            if place is not None:
                self._revise(place, row, known_at, gone_at)

    def _revise(self, place: int, row: int, known_at: int, gone_at: int) -> None:
        """Let a note be as the document of a row shows, or, with -1, as none does."""
        before = self._last[place]
        if row >= 0:
            self.known_from[row] = min(self.known_from[row], known_at)
            if row != before:
                self._before[row], self._last[place] = before, row
            else:
                before = self._before[row]
        if gone_at != NEVER:
            return
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


def _told(row: Sequence[Any], deeds: Deeds) -> tuple[Any, ...]:
    """Return the row of a document of a note."""
    note, _, _, gone_at, id_, kind, note_gone_at, speaker, done_at, item = row
    whose = -1 if kind == ITEM_NOTE else deeds.users.find(speaker)
    about = -1 if kind == PROFILE else deeds.items.find(item)
    return kind, id_, whose, about, done_at, min(gone_at, note_gone_at), note


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
