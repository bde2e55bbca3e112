"""Counting, checking and repairing: see `lamina.ports.Upkeep`."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from lamina.adapters.sqlite import checking, scopes
from lamina.adapters.sqlite.part import Part
from lamina.adapters.sqlite.queries import load
from lamina.adapters.sqlite.recall import Shelves
from lamina.adapters.sqlite.repairing import Lacking, Repair
from lamina.model import Scope
from lamina.ports import Repaired

SQL = load("upkeep")
COUNTED = (
    "messages",
    "sessions",
    "facts",
    "relations",
    "summaries",
    "user_notes",
    "item_notes",
    "patterns",
    "documents",
    "pending",
    "unextracted",
    "unconsolidated",
    "jobs",
)


class SqliteUpkeep(Part):
    """What operators ask."""

    _shelves: Shelves

    def counts(self, scope: Scope | None = None) -> dict[str, int]:
        """See `Upkeep.counts`."""
        with self._db.reading() as tx:
            found = tx.execute(SQL["counts"], scopes.keys(tx, scope)).fetchone()
            counts = dict(zip(COUNTED, found, strict=True))
            if scope is None:
                counts["scopes"] = len(tx.execute(scopes.SQL["with_messages"]).fetchall())
                counts["unpurged"] = len(tx.execute(SQL["unpurged"]).fetchall())
            return counts

    def check(self) -> list[str]:
        """See `Upkeep.check`."""
        with self._db.reading() as tx:
            return checking.problems(tx)

    def repair(self, *, now: datetime) -> Repaired:
        """See `Upkeep.repair`. Each scope is one transaction, so that others are not kept long."""
        lacking: list[Lacking] = []
        rebuilt: Counter[str] = Counter()
        with self._db.writing() as tx:
            rebuilt["rows of no scope"] = checking.drop_strays(tx)
            found = checking.scopes(tx)
        for scope in found:
            with self._db.writing() as tx:
                if scope in checking.scopes(tx):  # nobody erased it meanwhile
                    repair = Repair(tx, scope)
                    lacking += repair.repair(now)
                    rebuilt += repair.rebuilt
        self._shelves.drop()
        return Repaired(rebuilt=dict(+rebuilt), lacking=tuple(lacking))
