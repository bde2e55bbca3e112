"""Taking a scope out and putting it in, whole: see `lamina.ports.Transfer`."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from lamina.adapters.sqlite import in_force, interactions, queueing, rows, scopes
from lamina.adapters.sqlite.loading import Loading
from lamina.adapters.sqlite.part import Part
from lamina.adapters.sqlite.queries import load
from lamina.adapters.sqlite.recall import Shelves
from lamina.adapters.sqlite.rows import Row
from lamina.adapters.sqlite.words import unpack
from lamina.errors import Conflict
from lamina.model import Link, Scope, Step
from lamina.ports import Archive, Document

SQL = load("transfer")


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

    sources, parents = map(rows.evidence, (found("all_sources"), found("all_parents")))
    return Archive(
        messages=tuple(rows.messages(found("all_messages"))),
        closed=tuple(unpack(name) for (name,) in found("closed")),
        operations=tuple(map(rows.operation, found("log"))),
        revisions=tuple(rows.note(row, sources, parents) for row in found("all_revisions")),
        links=tuple(map(_link, found("all_links"))),
        gone=tuple(map(in_force.mark, found("all_marks"))),
        consolidated=dict(found("consolidated")),
        grants=tuple(map(rows.grant, found("grants"))),
        configuration=interactions.configuration(tx, scope),
    )


def _link(row: Row) -> tuple[Link, str]:
    source, target, relation, operation = row
    return Link(source=source, target=target, relation=unpack(relation)), operation
