"""Arrays that grow, and what is read into them of a scope: its names, vectors and postings."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from lamina.adapters.sqlite.queries import load
from lamina.adapters.sqlite.words import Column, pack, unpack
from lamina.ports import Postings

if TYPE_CHECKING:
    from numpy.typing import NDArray

SQL = load("recall")
ROOM = 1.25
"""How much larger than needed an array is made, so that few additions copy it."""

Integers: TypeAlias = "NDArray[np.int64]"
Places: TypeAlias = "NDArray[np.int32]"


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
class Term:
    """The postings of a term that were read so far."""

    upto: int = 0
    """The last document that there was when they were read."""
    rows: Places = field(default_factory=lambda: np.empty(0, np.int32))
    counts: Places = field(default_factory=lambda: np.empty(0, np.int32))


class Occurrences:
    """Where the terms that were asked for occur, among the documents of a shelf."""

    def __init__(self, scope: int) -> None:
        self._scope = scope
        self._terms: dict[str, Term] = {}
        self._lock = Lock()
        self.nbytes = 0
        """About how many bytes it holds."""

    def of(
        self, tx: sqlite3.Connection, terms: Sequence[str], ids: Integers, upto: int
    ) -> list[Term]:
        """Return the postings of `terms`, at least of the documents up to the id `upto`.

        Args:
            tx: A transaction in which that was the last document.
            terms: In the order wanted.
            ids: Shape (n,): the documents of the rows.
            upto: What was read by then is not read again.
        """
        with self._lock:
            return [self._read(tx, term, ids, upto) for term in terms]

    def _read(self, tx: sqlite3.Connection, term: str, ids: Integers, upto: int) -> Term:
        known = self._terms.get(term, Term())
        if known.upto >= upto:
            return known
        new = tx.execute(SQL["postings"], (self._scope, pack(term), known.upto)).fetchall()
        documents, counts = integers(new, 2).T
        at = places(ids, documents)
        there = at >= 0
        self.nbytes += (0 if known.upto else 400) + 8 * len(at[there])
        self._terms[term] = Term(
            upto,
            np.concatenate([known.rows, at[there].astype(np.int32)]),
            np.concatenate([known.counts, counts[there].astype(np.int32)]),
        )
        return self._terms[term]


def joined(found: Sequence[tuple[Places, Places]]) -> Postings:
    """Return the rows and counts of each term as one table."""
    starts = np.zeros(len(found) + 1, np.int64)
    np.cumsum([len(rows) for rows, _ in found], out=starts[1:])
    none = [np.empty(0, np.int32)]
    return Postings(
        starts=starts,
        rows=np.concatenate([rows for rows, _ in found] or none),
        counts=np.concatenate([counts for _, counts in found] or none),
    )


def integers(rows: Sequence[tuple[Any, ...]], width: int) -> Integers:
    """Return rows of a query as an array of shape (n, width)."""
    return np.array(rows, np.int64).reshape(-1, width)


def places(ascending: Integers, wanted: Integers) -> Integers:
    """Return where each of `wanted` stands in `ascending`, -1 where it does not."""
    at = np.searchsorted(ascending, wanted)
    padded = np.append(ascending, np.iinfo(np.int64).max)
    return np.where(padded[at] == wanted, at, -1)


def names(tx: sqlite3.Connection, query: str, scope: int) -> tuple[str, ...]:
    """Return the sessions or speakers of a scope, by number from 1."""
    rows: list[tuple[Column]] = tx.execute(SQL[query], (scope,)).fetchall()
    return tuple([unpack(name) for (name,) in rows])


def read_vectors(
    tx: sqlite3.Connection, scope: int, space: int, after: int, ids: Integers, dim: int
) -> NDArray[Any]:
    """Return a row for each of `ids`, all > `after`; zeros, near to nothing, where one lacks."""
    found = tx.execute(SQL["new_vectors"], (scope, space, after)).fetchall()
    stored = np.frombuffer(b"".join([value for _, value in found]), "<f4")
    stored = stored.reshape(len(found), dim)
    documents = np.array([id_ for id_, _ in found], np.int64)
    if np.array_equal(documents, ids):
        return stored
    at = places(documents, ids)
    return np.append(stored, np.zeros((1, dim), np.float32), axis=0)[at]


def turn_order(said: Integers, sessions: Integers, by_said: Integers, count: int) -> Integers:
    """Return some messages by their session's begin, then (said_at, position).

    Args:
        said: Shape (t,): when each message was said.
        sessions: Shape (t,): the number, from 1, of the session of each.
        by_said: Rows of those wanted, by (said_at, position).
        count: How many sessions there are.
    """
    of = sessions[by_said]
    began = np.full(count + 1, np.iinfo(np.int64).max)
    np.minimum.at(began, of, said[by_said])
    rank = np.empty_like(began)
    rank[np.argsort(began, kind="stable")] = np.arange(len(began))
    return by_said[np.argsort(rank[of], kind="stable")]
