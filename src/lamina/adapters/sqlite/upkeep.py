"""Counting and checking: see `lamina.ports.Upkeep`."""

from __future__ import annotations

import sqlite3

from lamina.adapters.sqlite import erasure, scopes
from lamina.adapters.sqlite.part import Part
from lamina.adapters.sqlite.queries import load
from lamina.model import Scope

SQL = load("upkeep")
CHECKS = load("check")
"""Each query counts what its name says is wrong."""
COUNTED = (
    "messages",
    "sessions",
    "facts",
    "relations",
    "summaries",
    "documents",
    "pending",
    "unextracted",
    "unconsolidated",
    "jobs",
)


class SqliteUpkeep(Part):
    """What operators ask."""

    def counts(self, scope: Scope | None = None) -> dict[str, int]:
        """See `Upkeep.counts`."""
        with self._db.reading() as tx:
            found = tx.execute(SQL["counts"], scopes.keys(tx, scope)).fetchone()
            counts = dict(zip(COUNTED, found, strict=True))
            if scope is None:
                counts["scopes"] = len(tx.execute(scopes.SQL["with_messages"]).fetchall())
            return counts

    def check(self) -> list[str]:
        """See `Upkeep.check`."""
        with self._db.reading() as tx:
            found = [row[0] for row in tx.execute("PRAGMA quick_check") if row[0] != "ok"]
            broken = {(row[0], row[2]) for row in tx.execute("PRAGMA foreign_key_check")}
            found += [f"a {table} names a {named} that is not there" for table, named in broken]
            for name, query in CHECKS.items():
                (count,) = tx.execute(query).fetchone()
                if count:
                    found.append(f"{name.replace('_', ' ')}: {count}")
            return found + _strays(tx)


def _strays(tx: sqlite3.Connection) -> list[str]:
    """Return the tables that hold rows of scopes that are not there; 0 stands for erased ones."""
    found = []
    for (table,) in tx.execute(erasure.SQL["owned"]).fetchall():
        query = f'SELECT count(*) FROM "{table}" WHERE scope NOT IN (SELECT key FROM scope)'
        (count,) = tx.execute(f"{query} AND scope != 0").fetchone()
        if count:
            found.append(f"rows of {table} that belong to no scope: {count}")
    return found
