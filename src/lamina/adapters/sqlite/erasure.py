"""Forgetting: see `lamina.ports.Erasure`."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime

from lamina.adapters.sqlite import queueing, scopes
from lamina.adapters.sqlite.part import Part
from lamina.adapters.sqlite.parting import Parting
from lamina.adapters.sqlite.queries import load
from lamina.adapters.sqlite.recall import Shelves
from lamina.adapters.sqlite.words import pack
from lamina.model import Scope, Step
from lamina.ports import Receipt
from lamina.times import to_micros

SQL = load("erasure")
ALL = load("upkeep")


class SqliteErasure(Part):
    """Erasing whole scopes, and somebody's part in shared ones."""

    _shelves: Shelves

    def forget(self, scope: Scope, *, now: datetime) -> Receipt:
        """See `Erasure.forget`."""
        with self._db.writing() as tx:
            row = scopes.find(tx, scope)
            epoch = scopes.epoch(tx, scope) + 1
            held = tx.execute(SQL["held"], (row.key if row else 0,)).fetchone()
            if row:
                _erase(tx, row.key)
            _remember(tx, scope, epoch, row.fence if row else 0, now)
        self._shelves.drop(scope)
        return _receipt(scope, epoch, held, now)

    def parts(self, tenant: str, author: str, speaker: str) -> list[Scope]:
        """See `Erasure.parts`."""
        asked = (pack(tenant), pack(author), pack(speaker))
        with self._db.reading() as tx:
            return [scopes.from_columns(*row) for row in tx.execute(SQL["shared"], asked)]

    def forget_part(
        self, scope: Scope, *, author: str, speaker: str, now: datetime, steps: Sequence[Step]
    ) -> Receipt:
        """See `Erasure.forget_part`."""
        with self._db.writing() as tx:
            row = scopes.ensure(tx, scope)
            held = _erase_part(tx, row.key, scope, author, speaker)
            tx.execute(SQL["unname"], (row.key, pack(author)))
            (epoch,) = tx.execute(SQL["raise_epoch"], (row.key,)).fetchone()
            tx.execute(SQL["log_erasure"], (row.key, _named(scope, epoch), to_micros(now)))
            queueing.ask(tx, row.key, steps, now)
            _remember(tx, scope, epoch, row.fence, now)
        self._shelves.drop(scope)
        return _receipt(scope, epoch, held, now, author)

    def purge(self) -> bool:
        """See `Erasure.purge`.

        The file is written anew and its log emptied; only then is it noted, of the erasures that
        there were before. A process that dies in between leaves all of it to the next.
        """
        with self._db.reading() as tx:
            waiting = tx.execute(ALL["unpurged"]).fetchall()
        if not self._db.purge():
            return False
        with self._db.writing() as tx:
            tx.executemany(SQL["purged"], waiting)
        return True

    def occurrences(self, needles: Sequence[bytes]) -> list[int]:
        """See `Erasure.occurrences`."""
        return self._db.occurrences(needles)

    def own_words(self) -> list[str]:
        """See `Erasure.own_words`."""
        with self._db.reading() as tx:
            return [words for (words,) in tx.execute(ALL["own_words"])]


def _erase(tx: sqlite3.Connection, scope: int) -> None:
    """Delete all rows of a scope.

    Those that name others go first: else whatever is named would be looked for in all of them.
    """
    tx.execute("PRAGMA defer_foreign_keys = ON")
    tx.execute(SQL["keep_costs"], (scope,))
    for (table,) in tx.execute(SQL["owned"]).fetchall():
        tx.execute(f'DELETE FROM "{table}" WHERE scope = ?', (scope,))
    tx.execute(SQL["remove_scope"], (scope,))


def _erase_part(
    tx: sqlite3.Connection, key: int, scope: Scope, author: str, speaker: str
) -> tuple[int, int, int]:
    """Erase what somebody wrote into a space, recommender or pool, or said in a conversation.

    Returns:
        How many messages, notes and documents it was.
    """
    if scope.kind in ("space", "recommender", "pool"):
        return Parting(tx, key).erase("authored", author, scope.kind)
    if scope.kind == "conversation":
        return Parting(tx, key).erase("spoken_by", speaker, scope.kind)
    return 0, 0, 0


def _remember(tx: sqlite3.Connection, scope: Scope, epoch: int, fence: int, now: datetime) -> None:
    named = scopes.erased_name(scope)
    tx.execute(SQL["remember_erasure"], (named, epoch, fence, to_micros(now)))


def _named(scope: Scope, epoch: int) -> str:
    """Return the id of the operation that stands for an erasure in the log."""
    return f"erasure-{scopes.erased_name(scope)}-{epoch}"


def _receipt(
    scope: Scope, epoch: int, held: tuple[int, int, int], now: datetime, author: str | None = None
) -> Receipt:
    messages, notes, documents = held
    return Receipt(
        scope=scope,
        author=author,
        stage="logical",
        epoch=epoch,
        messages=messages,
        notes=notes,
        documents=documents,
        recorded_at=now,
    )
