"""One scope's live documents as arrays that grow: what search reads, kept between searches.

Rows are only ever added. Where a document was changed or went, the shelf is thrown away and filled
anew; so an older `Documents` that shares its arrays stays what it was.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from lamina.adapters.sqlite.queries import load
from lamina.adapters.sqlite.scopes import ScopeRow
from lamina.adapters.sqlite.words import Column, pack, unpack
from lamina.ports import VIEWS, Documents, Postings

if TYPE_CHECKING:
    from numpy.typing import NDArray

SQL = load("recall")
NOTE = VIEWS.index("note")
ROOM = 1.25
"""How much larger than needed an array is made, so that few additions copy it."""

Integers: TypeAlias = "NDArray[np.int64]"


class Grown:
    """An array whose rows are added at the end; views of it stay valid."""

    def __init__(self, width: int, dtype: Any) -> None:
        self.width = width
        self._array = np.empty((0, width), dtype=dtype)
        self.rows = 0

    def add(self, rows: NDArray[Any]) -> None:
        """Add rows of shape (n, width)."""
        needed = self.rows + len(rows)
        if needed > len(self._array):
            larger = np.empty((int(needed * ROOM) + 16, self._array.shape[1]), self._array.dtype)
            larger[: self.rows] = self._array[: self.rows]
            self._array = larger
        self._array[self.rows : needed] = rows
        self.rows = needed

    def view(self) -> NDArray[Any]:
        """Return the rows that there are now, shape (rows, width); it cannot be written."""
        view = self._array[: self.rows]
        view.flags.writeable = False
        return view

    @property
    def nbytes(self) -> int:
        """How many bytes it holds."""
        return self._array.nbytes


@dataclass
class _Term:
    """The postings of a term that were read so far."""

    upto: int = 0
    """The last document among them."""
    rows: NDArray[np.int32] = field(default_factory=lambda: np.empty(0, np.int32))
    counts: NDArray[np.int32] = field(default_factory=lambda: np.empty(0, np.int32))


class Shelf:
    """The live documents of one scope, up to a state of the store."""

    def __init__(self, scope: ScopeRow, space: int, dim: int) -> None:
        """Begin empty.

        Args:
            scope: The state of the scope; its counters say what has been read.
            space: The number of the space whose vectors are kept.
            dim: Their dimension.
        """
        self.key, self.changes, self.space = scope.key, scope.changes, space
        self.upto = (0, 0)
        """The last message and the last document that were read."""
        self._messages = Grown(4, np.int64)  # position, session, speaker, said_at
        self._message_ids: list[str] = []
        # id, view, kind, message (its own or its event), said_at, refers_from, refers_until, length
        self._documents = Grown(8, np.int64)
        self._refs: list[str] = []
        self._vectors = Grown(dim, np.float32)
        self._rests = Grown(2, np.int64)  # row, position
        self._sessions: tuple[str, ...] = ()
        self._speakers: tuple[str, ...] = ()
        self._terms: dict[str, _Term] = {}
        self._lock = Lock()
        self.documents = self._numbered()
        self.nbytes = 0
        """About how many bytes it holds."""

    def extend(self, tx: sqlite3.Connection, scope: ScopeRow) -> None:
        """Read what was added since."""
        last_message, last_document = self.upto
        if scope.messages > last_message:
            self._add_messages(tx, last_message)
        if scope.documents > last_document:
            self._add_documents(tx, last_document)
        self.upto = (scope.messages, scope.documents)
        self.documents = self._numbered()
        self.nbytes = self._size()

    def postings(self, tx: sqlite3.Connection, terms: Sequence[str], n: int) -> Postings:
        """Return the postings of `terms` in the first `n` documents."""
        with self._lock:
            found = [self._postings(tx, term) for term in terms]
        ends = [int(np.searchsorted(term.rows, n)) for term in found]
        starts = np.zeros(len(terms) + 1, np.int64)
        np.cumsum(ends, out=starts[1:])
        none = [np.empty(0, np.int32)]
        return Postings(
            starts=starts,
            rows=np.concatenate([t.rows[:end] for t, end in zip(found, ends, strict=True)] or none),
            counts=np.concatenate(
                [t.counts[:end] for t, end in zip(found, ends, strict=True)] or none
            ),
        )

    def _postings(self, tx: sqlite3.Connection, term: str) -> _Term:
        known = self._terms.get(term, _Term())
        new = tx.execute(SQL["postings"], (self.key, pack(term), known.upto)).fetchall()
        if not new:
            return known
        documents, counts = np.array(new, np.int64).T
        at = _places(self._documents.view()[:, 0], documents)
        live = at >= 0
        self._terms[term] = _Term(
            int(documents[-1]),
            np.concatenate([known.rows, at[live].astype(np.int32)]),
            np.concatenate([known.counts, counts[live].astype(np.int32)]),
        )
        return self._terms[term]

    def _size(self) -> int:
        arrays = (self._messages, self._documents, self._vectors, self._rests)
        postings = sum(400 + term.rows.nbytes + term.counts.nbytes for term in self._terms.values())
        names = 100 * (len(self._message_ids) + len(self._refs))
        return sum(array.nbytes for array in arrays) + names + postings

    def _add_messages(self, tx: sqlite3.Connection, after: int) -> None:
        new = tx.execute(SQL["new_messages"], (self.key, after)).fetchall()
        self._messages.add(_integers([row[:4] for row in new], 4))
        self._message_ids += [row[4] for row in new]
        self._sessions = _names(tx, "session_names", self.key)
        self._speakers = _names(tx, "speaker_names", self.key)

    def _add_documents(self, tx: sqlite3.Connection, after: int) -> None:
        since = (self.key, after)
        new = _integers(tx.execute(SQL["new_documents"], since).fetchall(), 6)
        ids, views, subjects, lengths, refers_from, refers_until = new.T
        notes = {row[0]: row[1:] for row in tx.execute(SQL["new_notes"], since)}
        messages = self._messages.view()
        at = _places(messages[:, 0], subjects)
        said = np.append(messages[:, 3], 0)[at]
        kinds, owners = np.full(len(new), -1), subjects.copy()
        for row in np.flatnonzero(views == NOTE):
            _, kinds[row], owners[row], said[row] = notes[int(ids[row])]
        self._refs += [
            notes[id_][0] if view == NOTE else self._message_ids[place]
            for id_, view, place in zip(ids.tolist(), views.tolist(), at.tolist(), strict=True)
        ]
        rows = np.column_stack(
            (ids, views, kinds, owners, said, refers_from, refers_until, lengths)
        )
        self._documents.add(rows)
        self._vectors.add(self._read_vectors(tx, after, ids))
        rests = _integers(tx.execute(SQL["new_rests"], since).fetchall(), 2)
        rests[:, 0] = _places(self._documents.view()[:, 0], rests[:, 0])
        self._rests.add(rests)

    def _read_vectors(self, tx: sqlite3.Connection, after: int, ids: Integers) -> NDArray[Any]:
        """Return a row for each of `ids`; zeros, near to nothing, where one is missing."""
        found = tx.execute(SQL["new_vectors"], (self.key, self.space, after)).fetchall()
        stored = np.frombuffer(b"".join([value for _, value in found]), "<f4")
        stored = stored.reshape(len(found), self._vectors.width)
        at = _places(np.array([id_ for id_, _ in found], np.int64), ids)
        if len(found) == len(ids) and (at >= 0).all():
            return stored
        return np.append(stored, np.zeros((1, self._vectors.width), np.float32), axis=0)[at]

    def _numbered(self) -> Documents:
        """Number the turns, and return all documents as they are now."""
        positions, sessions, speakers, _ = self._messages.view().T
        order = self._turn_order()
        numbers = np.empty(len(order) + 1, np.int64)
        numbers[order], numbers[-1] = np.arange(len(order)), -1
        ids, views, kinds, owners, said_at, refers_from, refers_until, lengths = (
            np.ascontiguousarray(column) for column in self._documents.view().T
        )
        at = _places(positions, owners)
        rests = self._rests.view()
        rest_turns = numbers[_places(positions, rests[:, 1])]
        return Documents(
            ids=ids,
            views=views.astype(np.int8),
            kinds=kinds.astype(np.int8),
            refs=tuple(self._refs),
            turns=numbers[at].astype(np.int32),
            sessions=np.append(sessions - 1, -1)[at].astype(np.int32),
            session_names=self._sessions,
            speakers=np.append(speakers - 1, -1)[at].astype(np.int32),
            speaker_names=self._speakers,
            said_at=said_at,
            refers_from=refers_from,
            refers_until=refers_until,
            lengths=lengths.astype(np.int32),
            vectors=self._vectors.view(),
            rest_rows=rests[rest_turns >= 0, 0].astype(np.int32),
            rest_turns=rest_turns[rest_turns >= 0].astype(np.int32),
            turn_refs=self._ids_in(order),
        )

    def _ids_in(self, order: Integers) -> tuple[str, ...]:
        if (np.diff(order) == 1).all():  # as good as always: said in the order recorded
            return tuple(self._message_ids)
        return tuple([self._message_ids[i] for i in order.tolist()])

    def _turn_order(self) -> Integers:
        """Return the rows of messages by their session's begin, then (said_at, position)."""
        positions, sessions, _, said = self._messages.view().T
        began = np.full(len(self._sessions) + 1, np.iinfo(np.int64).max)
        np.minimum.at(began, sessions, said)
        rank = np.empty_like(began)
        rank[np.argsort(began, kind="stable")] = np.arange(len(began))
        return np.lexsort((positions, said, rank[sessions]))


def _integers(rows: Sequence[tuple[Any, ...]], width: int) -> Integers:
    return np.array(rows, np.int64).reshape(-1, width)


def _places(ascending: Integers, wanted: Integers) -> Integers:
    """Return where each of `wanted` stands in `ascending`, -1 where it does not."""
    at = np.searchsorted(ascending, wanted)
    padded = np.append(ascending, np.iinfo(np.int64).max)
    return np.where(padded[at] == wanted, at, -1)


def _names(tx: sqlite3.Connection, query: str, scope: int) -> tuple[str, ...]:
    rows: list[tuple[Column]] = tx.execute(SQL[query], (scope,)).fetchall()
    return tuple([unpack(name) for (name,) in rows])
