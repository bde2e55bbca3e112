"""What search reads: see `lamina.ports.Recall`."""

from __future__ import annotations

import json
import sqlite3
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from lamina.adapters.sqlite import indexing, rows, scopes
from lamina.adapters.sqlite.graph import GraphShelf
from lamina.adapters.sqlite.part import Part
from lamina.adapters.sqlite.past import PastShelf
from lamina.adapters.sqlite.scopes import ScopeRow
from lamina.adapters.sqlite.shelf import Shelf
from lamina.adapters.sqlite.words import pack
from lamina.errors import EncoderMismatch
from lamina.model import At, Scope
from lamina.ports import VIEWS, Documents, EncoderSpace, Exchange, Indexed, Postings, Snapshot

if TYPE_CHECKING:
    from numpy.typing import NDArray

SQL = indexing.SQL
NOW = At()
NOWHERE = ScopeRow(key=0, epoch=0, fence=0, messages=0, documents=0, changes=0)
Kept = TypeVar("Kept", Shelf, PastShelf)


class SqliteSnapshot:
    """See `Snapshot`: what is live."""

    def __init__(self, tx: sqlite3.Connection, shelf: Shelf) -> None:
        self._tx = tx
        self._shelf = shelf
        self._upto = shelf.upto[1]
        self.documents = shelf.documents

    def postings(self, terms: Sequence[str]) -> Postings:
        """See `Snapshot.postings`."""
        return self._shelf.postings(self._tx, terms, len(self.documents.ids), self._upto)


class SqliteMoment:
    """See `Snapshot`: what was visible at a moment."""

    def __init__(self, tx: sqlite3.Connection, past: PastShelf, at: At) -> None:
        self._tx = tx
        self._past = past
        self._upto = past.upto[1]
        self._moment = past.seen(tx, at)
        self.documents: Documents = self._moment.documents

    def postings(self, terms: Sequence[str]) -> Postings:
        """See `Snapshot.postings`."""
        return self._past.postings(self._tx, terms, self._moment, self._upto)


class Slot:
    """Where what was read of one scope is kept."""

    def __init__(self) -> None:
        self.lock = Lock()
        self._shelf: Shelf | None = None
        self._past: PastShelf | None = None
        self._graph: GraphShelf | None = None

    def shelf(self, tx: sqlite3.Connection, scope: Scope, expected: EncoderSpace | None) -> Shelf:
        """Return what is live as of this transaction, whose first read must be under `lock`.

        So what is kept is never newer than the transaction that reads through it.
        """
        kept, self._shelf = self._shelf, None  # gone if reading fails halfway
        self._shelf = _filled(Shelf, kept, tx, scope, expected)
        return self._shelf

    def past(
        self, tx: sqlite3.Connection, scope: Scope, expected: EncoderSpace | None
    ) -> PastShelf:
        """Return what there was at all times; see `shelf`."""
        kept, self._past = self._past, None
        self._past = _filled(PastShelf, kept, tx, scope, expected)
        return self._past

    def graph(
        self, tx: sqlite3.Connection, scope: Scope, expected: EncoderSpace | None
    ) -> GraphShelf:
        """Return a recommender's memory; see `shelf`."""
        kept, self._graph = self._graph, None
        self._graph = _drawn(kept, tx, scope, expected)
        return self._graph

    @property
    def nbytes(self) -> int:
        """About how many bytes it holds."""
        return sum(kept.nbytes for kept in (self._shelf, self._past, self._graph) if kept)


def _filled(
    kind: Callable[[ScopeRow, int, int], Kept],
    kept: Kept | None,
    tx: sqlite3.Connection,
    scope: Scope,
    expected: EncoderSpace | None,
) -> Kept:
    """Return what was kept, brought up to this transaction, or filled anew."""
    row = scopes.find(tx, scope)
    present = indexing.present_space(tx)
    if row is None or present is None:
        return kind(NOWHERE, 0, present.space.dim if present else 0)
    indexing.check_space(present, expected)
    state = (row.key, row.changes, present.number)
    if kept is None or (kept.key, kept.changes, kept.space) != state:
        kept = kind(row, present.number, present.space.dim)
    if kept.upto != (row.messages, row.documents):
        kept.extend(tx, row)
    return kept


def _drawn(
    kept: GraphShelf | None, tx: sqlite3.Connection, scope: Scope, expected: EncoderSpace | None
) -> GraphShelf:
    """Return the graph that was kept, brought up to this transaction, or drawn anew."""
    row = scopes.find(tx, scope) or NOWHERE
    present = indexing.present_space(tx)
    if present:
        indexing.check_space(present, expected)
    space, dim = (present.number, present.space.dim) if present else (0, 0)
    if kept is None or (kept.key, kept.upheavals, kept.space) != (row.key, row.upheavals, space):
        kept = GraphShelf(row, space, dim)
    kept.extend(tx, row)
    return kept


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
            sizes = [(scope, slot.nbytes) for scope, slot in self._slots.items()]
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
    def snapshot(self, scope: Scope, *, at: At | None = None) -> Iterator[Snapshot]:
        """See `Recall.snapshot`."""
        slot = self._shelves.slot(scope)
        with self._db.reading() as tx:
            with slot.lock:
                found: Snapshot
                if at is None or at == NOW:
                    found = SqliteSnapshot(tx, slot.shelf(tx, scope, self._space))
                else:
                    found = SqliteMoment(tx, slot.past(tx, scope, self._space), at)
            self._shelves.trim()
            yield found

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

    def documents_of(self, scope: Scope, after: int, limit: int) -> list[Indexed]:
        """See `Recall.documents_of`."""
        with self._db.reading() as tx:
            row = scopes.find(tx, scope)
            found = tx.execute(SQL["documents_after"], (row.key, after, limit)) if row else []
            return [
                Indexed(id_, VIEWS[view], ref, revision, previous)
                for id_, view, ref, revision, previous in found
            ]

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
