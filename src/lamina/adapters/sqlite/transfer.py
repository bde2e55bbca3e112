"""Taking a scope out and putting it in, whole: see `lamina.ports.Transfer`."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path

from lamina.adapters.sqlite import queueing, rows, scopes
from lamina.adapters.sqlite.loading import Loading
from lamina.adapters.sqlite.part import Part
from lamina.adapters.sqlite.queries import load
from lamina.adapters.sqlite.recall import Shelves
from lamina.adapters.sqlite.rows import Row
from lamina.adapters.sqlite.undoing import MATTERS
from lamina.adapters.sqlite.words import unpack, unpack_maybe
from lamina.errors import Conflict
from lamina.model import Gone, Link, Note, Scope, Step
from lamina.ports import NOTE_KINDS, Archive, Document, Grant, Operation
from lamina.times import from_micros

SQL = load("transfer")

Evidence = dict[tuple[int, int], list[str]]
"""Ids by the number of a note and of its revision."""


class SqliteTransfer(Part):
    """Archives and backups."""

    _shelves: Shelves

    def dump(self, scope: Scope) -> Archive:
        """See `Transfer.dump`."""
        with self._db.reading() as tx:
            row = scopes.find(tx, scope)
            return _dumped(tx, row.key) if row else Archive()

    def load(
        self,
        scope: Scope,
        archive: Archive,
        documents: Sequence[Document],
        *,
        steps: Sequence[Step],
        now: datetime,
    ) -> None:
        """See `Transfer.load`."""
        with self._db.writing() as tx:
            row = scopes.ensure(tx, scope)
            (holds,) = tx.execute(SQL["holds"], (row.key,)).fetchone()
            if holds:
                raise Conflict("there is something in this scope already; load into an empty one")
            Loading(tx, row.key, now, self._space).load(archive, documents)
            queueing.ask(tx, row.key, steps, now)
        self._shelves.drop(scope)

    def backup(self, path: Path) -> None:
        """See `Transfer.backup`."""
        self._db.copy(path)


def _dumped(tx: sqlite3.Connection, scope: int) -> Archive:
    def found(query: str) -> list[Row]:
        return tx.execute(SQL[query], (scope,)).fetchall()

    sources, parents = _evidence(found("all_sources")), _evidence(found("all_parents"))
    return Archive(
        messages=tuple(rows.messages(found("all_messages"))),
        closed=tuple(unpack(name) for (name,) in found("closed")),
        operations=tuple(map(_operation, found("log"))),
        revisions=tuple(_note(row, sources, parents) for row in found("all_revisions")),
        links=tuple(map(_link, found("all_links"))),
        gone=tuple(map(_gone, found("all_marks"))),
        consolidated=dict(found("consolidated")),
        grants=tuple(map(_grant, found("grants"))),
    )


def _evidence(found: Iterable[Row]) -> Evidence:
    evidence: Evidence = defaultdict(list)
    for note, revision, id_ in found:
        evidence[note, revision].append(id_)
    return evidence


def _operation(row: Row) -> Operation:
    id_, kind, strategy, model, prompt_digest, cause, known_at, recorded_at, number, undone_by = row
    return Operation(
        id=id_,
        kind=kind,
        strategy=strategy,
        model=model,
        prompt_digest=prompt_digest,
        cause=unpack(cause),
        known_at=from_micros(known_at),
        recorded_at=from_micros(recorded_at),
        number=number,
        undone_by=undone_by,
    )


def _note(row: Row, sources: Evidence, parents: Evidence) -> Note:
    note, id_, kind, event, number, operation, role, about, said_by, certainty = row[:10]
    supported, indexed, by_person, began_at, said_at, valid_at, invalid_at = row[10:17]
    known_at, recorded_at, offset, text, superseded_by = row[17:]
    return Note(
        id=id_,
        kind=NOTE_KINDS[kind],
        text=unpack(text),
        event=event,
        sources=tuple(sources.get((note, number), ())),
        parents=tuple(parents.get((note, number), ())),
        role=role,
        about=unpack_maybe(about),
        said_by=unpack_maybe(said_by),
        certainty=certainty,
        supported=bool(supported),
        indexed=bool(indexed),
        began_at=from_micros(began_at, offset),
        said_at=from_micros(said_at, offset),
        valid_at=_maybe(valid_at, offset),
        invalid_at=_maybe(invalid_at, offset),
        superseded_by=superseded_by,
        known_at=from_micros(known_at),
        recorded_at=from_micros(recorded_at),
        revision=number,
        operation=operation,
        by_person=bool(by_person),
    )


def _link(row: Row) -> tuple[Link, str]:
    source, target, relation, operation = row
    return Link(source=source, target=target, relation=unpack(relation)), operation


def _gone(row: Row) -> tuple[Gone, str]:
    what, id_, revision, always, operation = row
    return Gone(what=MATTERS[what], id=id_, revision=revision, always=bool(always)), operation


def _grant(row: Row) -> Grant:
    principal, may_read, may_write, given_at = row
    return Grant(
        principal=unpack(principal),
        read=bool(may_read),
        write=bool(may_write),
        given_at=from_micros(given_at),
    )


def _maybe(micros: int | None, offset: int) -> datetime | None:
    return None if micros is None else from_micros(micros, offset)
