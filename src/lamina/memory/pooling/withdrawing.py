"""Withdrawing parts and patterns of a pool, so that it can be undone."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from lamina.identity import digest
from lamina.memory import edit
from lamina.model import Message, Scope
from lamina.ports import Operation, Writing
from lamina.work.engine import Engine
from lamina.work.pools import last_number

RETURNING = "withdraw"
"""The kind of operation by which `refresh` withdraws parts: what it withdrew may come back."""


def withdraw(engine: Engine, scope: Scope, parts: Sequence[Message]) -> Operation | None:
    """Withdraw parts at every moment, with their support; return the operation, if there are any.

    What rested on them is formed anew of the others' parts; see `lamina.memory.supporting`.

    Raises:
        Conflict: Others kept changing the pool.
    """
    ids = [part.id for part in parts]
    if not ids:
        return None
    read = max(part.said_at for part in parts)
    cause = "what they tell is there no longer"

    def attempt() -> tuple[Operation, Writing]:
        made = operation(engine, scope, RETURNING, ids, cause=cause, read=read)
        live = engine.store.messages(scope, ids)
        return made, edit.withdrawal(engine, scope, made, live, always=True)

    return edit.retried(engine, scope, attempt)


def operation(
    engine: Engine, scope: Scope, kind: str, about: Sequence[str], *, cause: str, read: datetime
) -> Operation:
    """Return an operation whose id and times come from content, not from the clock.

    Args:
        engine: Whose store it is.
        scope: The pool.
        kind: Of change.
        about: Ids of what it is about.
        cause: Why.
        read: When the latest of what it was based on was known.
    """
    number = last_number(engine.store, scope)
    return Operation(
        id=digest(scope.tenant, scope.kind, scope.id, kind, number, *about),
        kind=kind,
        cause=cause,
        known_at=read,
        recorded_at=engine.clock.now(),
    )
