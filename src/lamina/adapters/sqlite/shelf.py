"""One scope's live documents as arrays that grow: what search reads, kept between searches.

Rows are only ever added. Where a document was changed or went, the shelf is thrown away and filled
anew; so an older `Documents` that shares its arrays stays what it was.
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import numpy as np

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
    turn_order,
)
from lamina.adapters.sqlite.scopes import ScopeRow
from lamina.ports import VIEWS, Documents, Postings, VectorRows

if TYPE_CHECKING:
    from collections.abc import Sequence

NOTE = VIEWS.index("note")


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
        self._occurrences = Occurrences(scope.key)
        self.documents = self._numbered()

    def extend(self, tx: sqlite3.Connection, scope: ScopeRow) -> None:
        """Read what was added since."""
        last_message, last_document = self.upto
        if scope.messages > last_message:
            self._add_messages(tx, last_message)
        if scope.documents > last_document:
            self._add_documents(tx, last_document)
        self.upto = (scope.messages, scope.documents)
        self.documents = self._numbered()

    def postings(self, tx: sqlite3.Connection, terms: Sequence[str], n: int, upto: int) -> Postings:
        """Return the postings of `terms` in the first `n` documents, the last of them `upto`."""
        found = self._occurrences.of(tx, terms, self._documents.view()[:, 0], upto)
        ends = [int(np.searchsorted(term.rows, n)) for term in found]
        cut = [(t.rows[:end], t.counts[:end]) for t, end in zip(found, ends, strict=True)]
        return joined(cut)

    @property
    def nbytes(self) -> int:
        """About how many bytes it holds."""
        arrays = (self._messages, self._documents, self._vectors, self._rests)
        ids = 100 * (len(self._message_ids) + len(self._refs))
        return sum(array.nbytes for array in arrays) + ids + self._occurrences.nbytes

    def _add_messages(self, tx: sqlite3.Connection, after: int) -> None:
        new = tx.execute(SQL["new_messages"], (self.key, after)).fetchall()
        self._messages.add(integers([row[:4] for row in new], 4))
        self._message_ids += [row[4] for row in new]
        self._sessions = names(tx, "session_names", self.key)
        self._speakers = names(tx, "speaker_names", self.key)

    def _add_documents(self, tx: sqlite3.Connection, after: int) -> None:
        since = (self.key, after)
        new = integers(tx.execute(SQL["new_documents"], since).fetchall(), 6)
        ids, views, subjects, lengths, refers_from, refers_until = new.T
        notes = {row[0]: row[1:] for row in tx.execute(SQL["new_notes"], since)}
        messages = self._messages.view()
        at = places(messages[:, 0], subjects)
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
        width = self._vectors.width
        self._vectors.add(read_vectors(tx, self.key, self.space, after, ids, width))
        rests = integers(tx.execute(SQL["new_rests"], since).fetchall(), 2)
        rests[:, 0] = places(self._documents.view()[:, 0], rests[:, 0])
        self._rests.add(rests)

    def _numbered(self) -> Documents:
        """Number the turns, and return all documents as they are now."""
        positions, sessions, speakers, _ = self._messages.view().T
        order = self._turn_order()
        numbers = np.empty(len(order) + 1, np.int64)
        numbers[order], numbers[-1] = np.arange(len(order)), -1
        ids, views, kinds, owners, said_at, refers_from, refers_until, lengths = (
            np.ascontiguousarray(column) for column in self._documents.view().T
        )
        at = places(positions, owners)
        rests = self._rests.view()
        rest_turns = numbers[places(positions, rests[:, 1])]
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
            vectors=VectorRows(self._vectors.view()),
            rest_rows=rests[rest_turns >= 0, 0].astype(np.int32),
            rest_turns=rest_turns[rest_turns >= 0].astype(np.int32),
            turn_refs=self._ids_in(order),
        )

    def _ids_in(self, order: Integers) -> tuple[str, ...]:
        if (np.diff(order) == 1).all():  # as good as always: said in the order recorded
            return tuple(self._message_ids)
        return tuple([self._message_ids[i] for i in order.tolist()])

    def _turn_order(self) -> Integers:
        """Return the rows of messages in the order of the turns."""
        _, sessions, _, said = self._messages.view().T
        by_said = np.argsort(said, kind="stable")
        return turn_order(said, sessions, by_said, len(self._sessions))
