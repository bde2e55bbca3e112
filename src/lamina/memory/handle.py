"""A handle: one scope and its verbs. No argument of theirs can reach another scope."""

from __future__ import annotations

from collections.abc import Iterator

from lamina.memory import transfer
from lamina.memory.reads import Reads
from lamina.memory.upkeep import Upkeep
from lamina.memory.writes import Writes
from lamina.model import Scope
from lamina.work.engine import Engine


class Handle(Reads, Writes, Upkeep):
    """The memory of one user or conversation."""

    def __init__(self, engine: Engine, scope: Scope) -> None:
        self._engine = engine
        self.scope = scope

    def __repr__(self) -> str:
        return f"<{self.scope.kind} {self.scope.id!r}>"

    def export(self) -> Iterator[str]:
        """Return all that is here, in one state, as the lines of an archive.

        `Memory.restore` puts them into an empty scope. Each line is JSON and ASCII.
        """
        return transfer.export(self._engine, self.scope)
