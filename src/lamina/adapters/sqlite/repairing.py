"""Putting right what is derived: see `Upkeep.repair`."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from lamina.adapters.sqlite import checking, in_force, parting, queueing, scopes
from lamina.adapters.sqlite.queries import load
from lamina.adapters.sqlite.words import unpack
from lamina.model import Scope, Step, StepKind, View
from lamina.ports import VIEWS

SQL = load("repair")
FIXES = {
    "drop_marks": "marks on nothing",
    "drop_links": "links of nothing",
    "drop_sources": "sources of nothing",
    "drop_parents": "parents of nothing",
    "fix_heirs": "revisions superseded by nothing",
    "fix_adders": "messages added by no operation",
    "fix_sources": "sources of no operation",
    "fix_last": "counts of revisions",
    "fix_messages": "counts of messages",
    "fix_documents": "counts of documents",
    "fix_fence": "counts of leases",
    "drop_interactions": "interactions of no message",
    "fix_items": "interactions with no item",
    "drop_items": "items of nothing",
    "fix_exchanges": "what is in no exchange",
}
"""What each query puts right, in this order."""
LOST: dict[str, StepKind] = {
    "unindexed": "index",
    "waiting": "bind",
    "unwritten": "write",
    "unconsolidated": "consolidate",
}
"""The step that the sessions found by each query need; of `write`, the whole scope."""

Lacking = tuple[Scope, View, str, int]


@dataclass
class Repair:
    """Repairs one scope inside a transaction."""

    tx: sqlite3.Connection
    scope: int
    rebuilt: Counter[str] = field(default_factory=Counter)
    """What was wrong, and how often."""

    def repair(self, now: datetime) -> list[Lacking]:
        """Put right what can be; return what has no sound document."""
        for query, what in FIXES.items():
            self.rebuilt[what] += self._execute(query).rowcount
        self.rebuilt["numbers of names"] += parting.close_gaps(self.tx, self.scope)
        while undone := self._execute("fix_undone").rowcount:
            self.rebuilt["undone operations"] += undone
        exchanges = self._drop_unsound()
        self._settle()
        if self.rebuilt.total():
            self._execute("changed")
        self._ask(now)
        return self._lacking(exchanges)

    def _drop_unsound(self) -> list[str]:
        """Drop documents that are not sound; return the messages of the exchanges among them."""
        index = checking.index(self.tx, self.scope)
        unsound = {*index.uneven, *index.blind}
        for query in ("of_nothing", "doubled", "of_another_space"):
            unsound |= self._numbers(query)
        given = json.dumps(sorted(unsound))
        exchanges = [id_ for (id_,) in self._execute("exchanges", given)]
        if unsound:
            for query in ("drop_postings", "drop_vectors"):
                self._execute(query, given)
            self.rebuilt["unsound documents"] += self._execute("drop_documents", given).rowcount
        if index.loose_postings:
            self.rebuilt["loose postings"] += self._execute("drop_loose_postings").rowcount
        if index.loose_vectors:
            self.rebuilt["loose vectors"] += self._execute("drop_loose_vectors").rowcount
        self._execute("unshow")
        self.rebuilt["documents of other revisions"] += self._execute("fix_first").rowcount
        return exchanges

    def _settle(self) -> None:
        """Work out anew what is live, of everything."""
        before, due = set(self._execute("flags")), self._numbers("due")
        touched = in_force.Touched(self._numbers("messages"), self._numbers("notes"))
        in_force.settle(self.tx, self.scope, touched)
        for row in set(self._execute("flags")) - before:
            self.rebuilt[f"flags of {row[0]}"] += 1
        self.rebuilt["exchanges to be made"] += len(self._numbers("due") - due)

    def _ask(self, now: datetime) -> None:
        """Ask for the steps that sessions need and nobody would do."""
        steps = [
            Step(kind=kind, subject=unpack(session))
            for query, kind in LOST.items()
            for (session,) in self._execute(query)
        ]
        queueing.ask(self.tx, self.scope, steps, now)
        self.rebuilt["steps"] += len(steps)

    def _lacking(self, exchanges: Iterable[str]) -> list[Lacking]:
        name = scopes.from_columns(*self._execute("name").fetchone())
        found = [(name, VIEWS[view], id_, number) for view, id_, number in self._execute("lacking")]
        return [*found, *((name, "exchange", id_, 0) for id_ in exchanges)]

    def _numbers(self, query: str) -> set[int]:
        return {number for (number,) in self._execute(query)}

    def _execute(self, query: str, *given: Any) -> sqlite3.Cursor:
        return self.tx.execute(SQL[query], (self.scope, *given))
