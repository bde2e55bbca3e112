"""What does not agree in a store: see `Upkeep.check`."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lamina.adapters.sqlite import erasure, indexing
from lamina.adapters.sqlite.queries import load

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]

CHECKS = load("check")
"""Each query counts what its name says is wrong."""
SQL = load("upkeep")
DERIVED = ("document", "posting", "vector", "job", "lease")
"""Tables without which nothing that was said is lost."""
AT_ONCE = 2**20
"""Postings that are held in memory before they are counted."""


class Index(NamedTuple):
    """What is wrong with the index of one scope."""

    uneven: list[int]
    """Documents whose postings do not add up."""
    blind: list[int]
    """Documents without a vector in the present space, those of the past too."""
    loose_postings: int
    """How many there are of no document."""
    loose_vectors: int
    """How many there are of no document, in any space."""


def problems(tx: sqlite3.Connection) -> list[str]:
    """Return what does not agree, a sentence and a number each."""
    found = Counter(_broken_names(tx))
    for name, query in CHECKS.items():
        found[name.replace("_", " ")] += tx.execute(query).fetchone()[0]
    for scope in scopes(tx):
        found.update(_of_index(index(tx, scope)))
    found.update(_strays(tx))
    return [*_pages(tx), *(f"{what}: {count}" for what, count in found.items() if count)]


def drop_strays(tx: sqlite3.Connection) -> int:
    """Delete what is derived and belongs to no scope; return how many rows."""
    named = "scope NOT IN (SELECT key FROM scope)"
    return sum(tx.execute(f"DELETE FROM {table} WHERE {named}").rowcount for table in DERIVED)


def scopes(tx: sqlite3.Connection) -> list[int]:
    """Return the key of every scope."""
    return [key for (key,) in tx.execute(SQL["scopes"])]


def index(tx: sqlite3.Connection, scope: int) -> Index:
    """Compare a scope's documents with its postings, in one pass through them, and its vectors."""
    rows = tx.execute(SQL["documents"], (scope,)).fetchall()
    ids, lengths, terms = np.array(rows, np.int64).reshape(-1, 3).T
    sums, counts, loose = _summed(tx, scope, ids)
    uneven = ids[(sums != lengths) | (counts != terms)]
    present = indexing.present_space(tx)
    blind, loose_vectors = ids, 0
    for space, listed in tx.execute(SQL["vectors"], (scope,)).fetchall():
        shown = _integers(listed)
        loose_vectors += int((~np.isin(shown, ids)).sum())
        if present and space == present.number:
            blind = ids[~np.isin(ids, shown)]
    return Index(uneven.tolist(), blind.tolist(), loose, loose_vectors)


def _summed(tx: sqlite3.Connection, scope: int, ids: Integers) -> tuple[Integers, Integers, int]:
    """Return the sum of each document's counts, how many terms it has, and how many are of none."""
    sums, terms = np.zeros(len(ids) + 1, np.int64), np.zeros(len(ids) + 1, np.int64)
    padded = np.append(ids, np.iinfo(np.int64).max)
    for documents, counts in _postings(tx, scope):
        places = np.searchsorted(ids, documents)
        places[padded[places] != documents] = len(ids)
        terms += np.bincount(places, minlength=len(terms))
        sums += np.bincount(places, counts, len(sums)).astype(np.int64)
    return sums[:-1], terms[:-1], int(terms[-1])


def _postings(tx: sqlite3.Connection, scope: int) -> Iterator[tuple[Integers, Integers]]:
    """Yield documents and counts of a scope's postings, many at once."""
    held: list[tuple[str, str]] = []
    size = 0
    for documents, counts in tx.execute(SQL["postings"], (scope,)):
        held.append((documents, counts))
        size += len(counts) // 2
        if size >= AT_ONCE:
            yield _joined(held)
            held, size = [], 0
    if held:
        yield _joined(held)


def _joined(listed: list[tuple[str, str]]) -> tuple[Integers, Integers]:
    documents, counts = zip(*listed, strict=True)
    return _integers(",".join(documents)), _integers(",".join(counts))


def _integers(listed: str) -> Integers:
    """Return the numbers that SQLite put in one text: much faster than a row for each."""
    return np.fromstring(listed, np.int64, sep=",")


def _of_index(found: Index) -> dict[str, int]:
    return {
        "documents whose postings do not add up": len(found.uneven),
        "postings without a document": found.loose_postings,
        "documents without a vector": len(found.blind),
        "vectors without a document": found.loose_vectors,
    }


def _pages(tx: sqlite3.Connection) -> list[str]:
    """Return what SQLite finds wrong with the file itself."""
    return [row[0] for row in tx.execute("PRAGMA quick_check") if row[0] != "ok"]


def _broken_names(tx: sqlite3.Connection) -> Iterator[str]:
    for table, _, named, _ in tx.execute("PRAGMA foreign_key_check"):
        yield f"a {table} names a {named} that is not there"


def _strays(tx: sqlite3.Connection) -> dict[str, int]:
    """Count the rows of scopes that are not there, by table; 0 stands for erased ones."""
    found = {}
    for (table,) in tx.execute(erasure.SQL["owned"]).fetchall():
        query = f'SELECT count(*) FROM "{table}" WHERE scope NOT IN (SELECT key FROM scope)'
        (count,) = tx.execute(f"{query} AND scope != 0").fetchone()
        found[f"rows of {table} that belong to no scope"] = count
    return found
