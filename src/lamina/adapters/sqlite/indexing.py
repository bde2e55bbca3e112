"""Writing what search reads: documents, their postings and their vectors."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from lamina.adapters.sqlite.queries import load
from lamina.adapters.sqlite.words import Column, pack
from lamina.errors import BadInput, EncoderMismatch
from lamina.ports import VIEWS, Document, EncoderSpace

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SQL = load("recall")
ALWAYS, FOREVER = -(2**63), 2**63 - 1
"""The bounds of what was known from the first moment on, and of what still stands."""


class Shown(NamedTuple):
    """A document and what it stands for, in numbers."""

    document: Document
    subject: int
    """The position of its message, or the number of its note."""
    previous: int | None = None
    """For an exchange, the position of the message that it shows before its own."""
    revision: int = 0
    """Of a note: the number of the first revision that it shows."""
    hidden: bool = False
    """Whether it is not found now."""


class SpaceRow(NamedTuple):
    """The present space, as it is stored."""

    number: int
    space: EncoderSpace


def present_space(tx: sqlite3.Connection) -> SpaceRow | None:
    """Return the space that search uses; `None` in a new store."""
    row = tx.execute(SQL["present_space"]).fetchone()
    return _space_row(*row) if row else None


@lru_cache(maxsize=8)
def _space_row(number: int, id_: str, dim: int, max_tokens: int, languages: str) -> SpaceRow:
    known = frozenset(json.loads(languages))
    return SpaceRow(number, EncoderSpace(id=id_, dim=dim, max_tokens=max_tokens, languages=known))


def check_space(present: SpaceRow | None, expected: EncoderSpace | None) -> SpaceRow:
    """Return the present space if it is the one that this process has been told of.

    Raises:
        EncoderMismatch: There is none yet, or another process has switched to another one.
    """
    if present is None:
        raise EncoderMismatch("no encoder has been declared for this store yet")
    if expected is not None and expected.id != present.space.id:
        raise mismatch(present.space, expected)
    return present


def mismatch(stored: EncoderSpace, given: EncoderSpace) -> EncoderMismatch:
    """Return the error that names both spaces and the mend."""
    return EncoderMismatch(
        f"the store's vectors were made by {stored.id} (dimension {stored.dim}), not by {given.id} "
        f"(dimension {given.dim}); open it with that encoder, or run: lamina reencode"
    )


@dataclass
class Ink:
    """Documents whose postings and vectors are still to be written.

    Many at once are written faster, and in the order in which they lie.
    """

    tx: sqlite3.Connection
    scope: int
    postings: list[tuple[int, Column, int, int]] = field(default_factory=list)
    vectors: list[tuple[int, int, int, bytes]] = field(default_factory=list)

    def add(self, first: int, shown: Sequence[Shown], space: SpaceRow) -> None:
        """Write documents with the ids first, first + 1, ..."""
        documents = []
        for id_, each in enumerate(shown, start=first):
            document, *standing = each
            terms = {term: count for term, count in document.terms.items() if count > 0}
            span = (document.refers_from, document.refers_until)
            documents.append(
                (self.scope, id_, VIEWS.index(document.view), *standing, sum(terms.values()),
                 *span, json.dumps(terms))
            )  # fmt: skip
            self.postings += [(self.scope, pack(term), id_, count) for term, count in terms.items()]
            vector = as_bytes(document.vector, space.space)
            self.vectors.append((self.scope, space.number, id_, vector))
        self.tx.executemany(SQL["add_document"], documents)

    def dry(self) -> None:
        """Write what is still to be written."""
        self.postings.sort(key=_by_term)
        self.tx.executemany(SQL["add_posting"], self.postings)
        self.tx.executemany(SQL["add_vector"], self.vectors)
        self.postings, self.vectors = [], []


def _by_term(posting: tuple[int, Column, int, int]) -> tuple[bool, Column]:
    return isinstance(posting[1], bytes), posting[1]


def add(
    tx: sqlite3.Connection, scope: int, first: int, shown: Sequence[Shown], space: SpaceRow
) -> None:
    """Write documents with the ids first, first + 1, ..."""
    ink = Ink(tx, scope)
    ink.add(first, shown, space)
    ink.dry()


def remove(tx: sqlite3.Connection, scope: int, ids: Iterable[int]) -> int:
    """Delete documents with all that belongs to them; return how many."""
    removed = 0
    for id_ in ids:
        (terms,) = tx.execute(SQL["document_terms"], (scope, id_)).fetchone()
        tx.executemany(
            SQL["remove_posting"], [(scope, pack(term), id_) for term in json.loads(terms)]
        )
        tx.execute(SQL["remove_vectors"], {"scope": scope, "document": id_})
        tx.execute(SQL["remove_document"], (scope, id_))
        removed += 1
    return removed


def showing(tx: sqlite3.Connection, scope: int, view: int, subject: int) -> list[int]:
    """Return the ids of the documents of a view of a subject, of the past too."""
    return [id_ for (id_,) in tx.execute(SQL["showing"], (scope, view, subject))]


def as_bytes(vector: NDArray[np.float32], space: EncoderSpace) -> bytes:
    """Return a vector as it is stored.

    Raises:
        BadInput: It has not the dimension of its space.
    """
    if vector.shape != (space.dim,):
        raise BadInput(f"a vector of shape {vector.shape}; the space has dimension {space.dim}")
    return vector.astype("<f4", copy=False).tobytes()
