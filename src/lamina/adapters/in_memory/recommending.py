"""What recommenders and pools keep and read: see `lamina.ports.Recommending`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from lamina.adapters.in_memory.graph import graph
from lamina.adapters.in_memory.part import Part
from lamina.model import At, Message, Scope
from lamina.ports import Graph, is_interaction


class InMemoryRecommending(Part):
    """Items, interactions, and the graph of what was made of them."""

    def graph(self, scope: Scope) -> Graph:
        """See `Recommending.graph`."""
        with self._lock:
            state = self._read(scope)
            if state.graph is None:
                state.graph = graph(state.at(), self._space)
        return state.graph

    def waiting(self, scope: Scope, limit: int) -> list[Message]:
        """See `Recommending.waiting`."""
        messages = self._see(scope).messages.values()
        pending = [m for m in messages if m.progress == "pending" and is_interaction(m)]
        if scope.kind == "pool":
            pending.sort(key=lambda message: message.position)
        return pending[:limit]

    def unformed(self, scope: Scope) -> int:
        """See `Recommending.unformed`."""
        messages = self._see(scope).messages.values()
        return sum(m.progress in ("pending", "unextracted") for m in messages if is_interaction(m))

    def described(
        self, scope: Scope, items: Sequence[str], *, at: At | None = None
    ) -> dict[str, Message]:
        """See `Recommending.described`."""
        descriptions = self._see(scope, at).descriptions
        return {item: descriptions[item] for item in items if item in descriptions}

    def configure(self, scope: Scope, configuration: Mapping[str, Any]) -> None:
        """See `Recommending.configure`."""
        with self._writing(scope) as state:
            state.configuration = json.loads(json.dumps(dict(configuration)))

    def configuration(self, scope: Scope) -> dict[str, Any]:
        """See `Recommending.configuration`."""
        return dict(self._read(scope).configuration)
