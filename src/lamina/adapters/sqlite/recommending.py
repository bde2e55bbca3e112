"""What a recommender keeps and reads: see `lamina.ports.Recommending`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from lamina.adapters.sqlite import interactions, rows, scopes, views
from lamina.adapters.sqlite.part import Part
from lamina.adapters.sqlite.recall import Shelves
from lamina.model import At, Message, Scope
from lamina.ports import Graph

SQL = interactions.SQL


class SqliteRecommending(Part):
    """Items, interactions, and the graph of notes."""

    _shelves: Shelves

    def graph(self, scope: Scope) -> Graph:
        """See `Recommending.graph`."""
        slot = self._shelves.slot(scope)
        with self._db.reading() as tx, slot.lock:
            graph = slot.graph(tx, scope, self._space).graph
        self._shelves.trim()
        return graph

    def waiting(self, scope: Scope, limit: int) -> list[Message]:
        """See `Recommending.waiting`."""
        query = SQL["waiting_as_recorded" if scope.kind == "pool" else "waiting"]
        with self._db.reading() as tx:
            row = scopes.find(tx, scope)
            return rows.messages(views.select(tx, query, row, None, limit=limit))

    def unformed(self, scope: Scope) -> int:
        """See `Recommending.unformed`."""
        with self._db.reading() as tx:
            row = scopes.find(tx, scope)
            found = tx.execute(SQL["unformed"], (row.key,)).fetchone() if row else (0,)
            return int(found[0])

    def described(
        self, scope: Scope, items: Sequence[str], *, at: At | None = None
    ) -> dict[str, Message]:
        """See `Recommending.described`."""
        with self._db.reading() as tx:
            row = scopes.find(tx, scope)
            wanted = interactions.numbers_of(tx, row.key, dict.fromkeys(items)) if row else []
            asked = json.dumps(wanted)
            found = rows.messages(views.select(tx, SQL["described"], row, at, items=asked))
        last = {str(message.item): message for message in found}
        return {item: last[item] for item in items if item in last}

    def configure(self, scope: Scope, configuration: Mapping[str, Any]) -> None:
        """See `Recommending.configure`."""
        with self._db.writing() as tx:
            interactions.configure(tx, scopes.ensure(tx, scope).key, configuration)

    def configuration(self, scope: Scope) -> dict[str, Any]:
        """See `Recommending.configuration`."""
        with self._db.reading() as tx:
            row = scopes.find(tx, scope)
            return interactions.configuration(tx, row.key) if row else {}
