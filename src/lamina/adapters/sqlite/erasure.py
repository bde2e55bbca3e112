"""Forgetting: see `lamina.ports.Erasure`."""

from __future__ import annotations

import sqlite3
from datetime import datetime

from lamina.adapters.sqlite import scopes
from lamina.adapters.sqlite.part import Part
from lamina.adapters.sqlite.queries import load
from lamina.adapters.sqlite.recall import Shelves
from lamina.model import Scope
from lamina.ports import Receipt
from lamina.times import to_micros

SQL = load("erasure")


class SqliteErasure(Part):
    """Erasing whole scopes."""

    _shelves: Shelves

    def forget(self, scope: Scope, *, now: datetime) -> Receipt:
        """See `Erasure.forget`.

        When the rows are gone the file is written anew and its log is emptied. Where somebody still
        reads an older state that must wait, and the receipt says `logical`.
        """
        with self._db.writing() as tx:
            row = scopes.find(tx, scope)
            epoch = scopes.epoch(tx, scope) + 1
            held = tx.execute(SQL["held"], (row.key if row else 0,)).fetchone()
            if row:
                _erase(tx, row.key)
            name, fence = scopes.erased_name(scope), row.fence if row else 0
            tx.execute(SQL["remember_erasure"], (name, epoch, fence, to_micros(now)))
        self._shelves.drop(scope)
        messages, notes, documents = held
        return Receipt(
            scope=scope,
            stage="physical" if self._db.purge() else "logical",
            epoch=epoch,
            messages=messages,
            notes=notes,
            documents=documents,
            recorded_at=now,
        )


def _erase(tx: sqlite3.Connection, scope: int) -> None:
    tx.execute("PRAGMA defer_foreign_keys = ON")
    tx.execute(SQL["keep_costs"], (scope,))
    for (table,) in tx.execute(SQL["owned"]).fetchall():
        tx.execute(f'DELETE FROM "{table}" WHERE scope = ?', (scope,))
    tx.execute(SQL["remove_scope"], (scope,))
