"""What search reads: see `lamina.ports.Recall`."""

from __future__ import annotations

import json
import sqlite3
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from lamina.adapters.sqlite import indexing, rows, scopes
from lamina.adapters.sqlite.part import Part
from lamina.adapters.sqlite.shelf import Shelf
from lamina.adapters.sqlite.words import pack
from lamina.errors import EncoderMismatch
from lamina.model import Scope, View
from lamina.ports import VIEWS, Documents, EncoderSpace, Exchange, Postings

if TYPE_CHECKING:
    from numpy.typing import NDArray

SQL = indexing.SQL
NOWHERE = scopes.ScopeRow(key=0, epoch=0, fence=0, messages=0, documents=0, changes=0)


class SqliteSnapshot:
    """See `Snapshot`."""

    def __init__(self, tx: sqlite3.Connection, shelf: Shelf, documents: Documents) -> None:
        self._tx = tx
        self._shelf = shelf
        self.documents = documents

    def postings(self, terms: Sequence[str]) -> Postings:
        """See `Snapshot.postings`."""
        return self._shelf.postings(self._tx, terms, len(self.documents.ids))


class Slot:
    """Where one scope's shelf is kept."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.shelf: Shelf | None = None

    def filled(self, tx: sqlite3.Connection, scope: Scope, expected: EncoderSpace | None) -> Shelf:
        """Return the shelf as of this transaction, whose first read must be under `lock`.

        So no shelf is ever newer than the transaction that reads through it.
        """
        shelf, self.shelf = self.shelf, None  # gone if reading fails halfway
        row = scopes.find(tx, scope)
        present = indexing.present_space(tx)
        if row is None or present is None:
            return Shelf(NOWHERE, 0, present.space.dim if present else 0)
        indexing.check_space(present, expected)
        state = (row.key, row.changes, present.number)
        if shelf is None or (shelf.key, shelf.changes, shelf.space) != state:
            shelf = Shelf(row, present.number, present.space.dim)
        if shelf.upto != (row.messages, row.documents):
            shelf.extend(tx, row)
        self.shelf = shelf
        return shelf


class Shelves:
    """The shelves of the scopes that were searched last, within a bound of bytes."""

    def __init__(self, bound: int) -> None:
        self._bound = bound
        self._slots: OrderedDict[Scope, Slot] = OrderedDict()
        self._lock = Lock()

    def slot(self, scope: Scope) -> Slot:
        """Return the slot of a scope, as the one used last."""
        with self._lock:
            slot = self._slots.setdefault(scope, Slot())
            self._slots.move_to_end(scope)
            return slot

    def trim(self) -> None:
        """Let go of the shelves that were not used for longest; the last one stays."""
        with self._lock:
            sizes = [(s, slot.shelf.nbytes if slot.shelf else 0) for s, slot in self._slots.items()]
            held = sum(size for _, size in sizes)
            for scope, size in sizes[:-1]:
                if held <= self._bound:
                    return
                del self._slots[scope]
                held -= size

    def drop(self, scope: Scope | None = None) -> None:
        """Let go of a scope's shelf, or of all."""
        with self._lock:
            if scope is None:
                self._slots.clear()
            else:
                self._slots.pop(scope, None)


class SqliteRecall(Part):
    """Documents, postings and vectors."""

    _shelves: Shelves

    @contextmanager
    def snapshot(self, scope: Scope) -> Iterator[SqliteSnapshot]:
        """See `Recall.snapshot`."""
        slot = self._shelves.slot(scope)
        with self._db.reading() as tx:
            with slot.lock:
                shelf = slot.filled(tx, scope, self._space)
                documents = shelf.documents
            self._shelves.trim()
            yield SqliteSnapshot(tx, shelf, documents)

    def space(self) -> EncoderSpace | None:
        """See `Recall.space`."""
        with self._db.reading() as tx:
            present = indexing.present_space(tx)
        if present and self._space is None:
            self._space = present.space
        return present.space if present else None

    def set_space(self, space: EncoderSpace) -> None:
        """See `Recall.set_space`."""
        with self._db.writing() as tx:
            present = indexing.present_space(tx)
            if present is None:
                _add_space(tx, space, present=True)
            elif (present.space.id, present.space.dim) != (space.id, space.dim):
                raise indexing.mismatch(present.space, space)
        self._space = space

    def stale_exchanges(self, scope: Scope, session: str, limit: int) -> list[Exchange]:
        """See `Recall.stale_exchanges`."""
        with self._db.reading() as tx:
            row = scopes.find(tx, scope)
            if row is None:
                return []
            asked = (row.key, pack(session), limit)
            pairs = tx.execute(SQL["stale_exchanges"], asked).fetchall()
            places = json.dumps(sorted({place for pair in pairs for place in pair}))
            found = rows.messages(tx.execute(SQL["by_position"], (row.key, places)))
        said = {message.position: message for message in found}
        return [Exchange(previous=said[before], message=said[own]) for own, before in pairs]

    def documents_of(self, scope: Scope, after: int, limit: int) -> list[tuple[int, View, str]]:
        """See `Recall.documents_of`."""
        with self._db.reading() as tx:
            row = scopes.find(tx, scope)
            found = tx.execute(SQL["documents_after"], (row.key, after, limit)) if row else []
            return [(id_, VIEWS[view], ref) for id_, view, ref in found]

    def reencode(
        self, scope: Scope, vectors: Mapping[int, NDArray[np.float32]], space: EncoderSpace
    ) -> None:
        """See `Recall.reencode`. Documents that are gone meanwhile are passed over."""
        with self._db.writing() as tx:
            row = scopes.find(tx, scope)
            if row is None:
                return
            number = _space_number(tx, space) or _add_space(tx, space, present=False)
            known = tx.execute(SQL["documents_known"], (row.key, json.dumps(list(vectors))))
            written = [
                (row.key, number, id_, indexing.as_bytes(vectors[id_], space))
                for (id_,) in known.fetchall()
            ]
            tx.executemany(SQL["add_vector"], written)
            tx.execute(SQL["changed"], (row.key,))

    def switch_space(self, space: EncoderSpace) -> None:
        """See `Recall.switch_space`."""
        with self._db.writing() as tx:
            number = _space_number(tx, space) or _add_space(tx, space, present=False)
            (lacking,) = tx.execute(SQL["vectors_lacking"], (number,)).fetchone()
            if lacking:
                raise EncoderMismatch(
                    f"{lacking} documents have no vector by {space.id} yet; run: lamina reencode"
                )
            for query in ("make_present", "drop_other_vectors", "drop_other_spaces"):
                tx.execute(SQL[query], (number,))
        self._space = space


def _space_number(tx: sqlite3.Connection, space: EncoderSpace) -> int | None:
    row = tx.execute(SQL["space"], (space.id,)).fetchone()
    return int(row[0]) if row else None


def _add_space(tx: sqlite3.Connection, space: EncoderSpace, *, present: bool) -> int:
    values = (space.id, space.dim, space.max_tokens, json.dumps(sorted(space.languages)), present)
    return int(tx.execute(SQL["add_space"], values).fetchone()[0])
