"""A second pass: what one user alone supports is held once more against the pool.

The first pass depends on the order of users: what came early was held against little. Patterns of
one contributor are withdrawn, all in one operation, and their parts wait to be taken in again, in
their order. So each is held against all that several users share by now, and against those that are
taken in before it. What still belongs to nothing becomes a pattern again, with the same words.
"""

from __future__ import annotations

from lamina.errors import Conflict
from lamina.memory import edit
from lamina.memory.pooling import withdrawing
from lamina.memory.pooling.inventory import inventory
from lamina.model import Gone, Progress, Scope
from lamina.ports import Operation, Writing
from lamina.work.engine import Engine
from lamina.work.pooling import WAITING


def revisit(engine: Engine, scope: Scope) -> int:
    """Let the parts of patterns of one contributor wait anew; return how many patterns it were.

    Nothing, while other parts wait: these may join them.

    Raises:
        Conflict: Others kept changing the pool.
    """
    if engine.store.unformed(scope):
        return 0
    if not _lone(engine, scope):
        return 0
    counted = [0]

    def attempt() -> tuple[Operation, Writing]:
        parts = _lone(engine, scope)
        notes = engine.store.notes(scope, list(parts))
        if not notes:
            raise Conflict("these patterns are gone already")
        counted[0] = len(notes)
        read = max(note.known_at for note in notes)
        ids = list(parts)
        made = withdrawing.operation(
            engine, scope, "revisit", ids, cause="one contributor", read=read
        )
        waiting: dict[str, Progress] = {
            part: "pending" for taken in parts.values() for part in taken
        }
        gone = tuple(Gone(what="note", id=note.id, always=False) for note in notes)
        return made, Writing(operation=made, gone=gone, progress=waiting, steps=(WAITING,))

    edit.retried(engine, scope, attempt)
    return counted[0]


def _lone(engine: Engine, scope: Scope) -> dict[str, list[str]]:
    """Return the patterns of one contributor, each with its parts that are live."""
    held = inventory(engine.store.graph(scope))
    parts = {id_: held.parts[id_] for id_, count in held.contributors.items() if count == 1}
    asked = [part for taken in parts.values() for part in taken]
    live = {message.id for message in engine.store.messages(scope, asked)}
    return {id_: [part for part in taken if part in live] for id_, taken in parts.items()}
