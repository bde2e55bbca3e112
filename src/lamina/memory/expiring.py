"""Expiry: what was said before a moment is withdrawn, where somebody asks for it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from lamina.errors import BadInput
from lamina.memory import edit
from lamina.memory.read import KINDS
from lamina.memory.undoing import Undoing
from lamina.model import At, Gone, Message, Note, Scope
from lamina.ports import Operation, Writing
from lamina.work.engine import Engine

AT_ONCE = 1000
"""Notes read at once."""
ALL = 2**31 - 1
"""More messages than a scope has."""


def expire(
    engine: Engine, scope: Scope, before: datetime, kinds: Sequence[str] | None
) -> Operation | None:
    """Withdraw what was last said before a moment; see `Upkeep.expire`.

    Raises:
        BadInput: A kind is unknown.
        Conflict: Others kept changing what is to go.
    """
    wanted = frozenset(KINDS if kinds is None else kinds)
    if isinstance(kinds, str) or wanted - set(KINDS):
        raise BadInput(f"kinds is a list of some of {', '.join(KINDS)}, not {kinds!r}")
    if not any(_old(engine, scope, before, wanted)):
        return None

    def attempt() -> tuple[Operation, Writing]:
        messages, notes = _old(engine, scope, before, wanted)
        read = max(e.said_at if isinstance(e, Message) else e.known_at for e in messages + notes)
        moment = before.isoformat()
        made = edit.operation(
            engine, scope, "expire", moment, cause=f"said before {moment}", read=read
        )
        standing = Undoing(engine.store, scope)
        standing.hide([message.id for message in messages])
        for note in notes:
            for each in standing.past.counting(note.id).values():
                standing.lose(each, root=True)
        standing.settle()
        marks = (
            *(Gone(what="message", id=m.id, always=False) for m in messages),
            *(Gone(what="note", id=n.id, always=False) for n in notes),
            *standing.marks(always=False),
        )
        return made, Writing(operation=made, gone=marks, steps=standing.steps())

    return edit.retried(engine, scope, attempt)


def _old(
    engine: Engine, scope: Scope, before: datetime, kinds: Collection[str]
) -> tuple[list[Message], list[Note]]:
    """Return the live messages and notes of these kinds that were last said before a moment."""
    said: list[Message] = []
    if "message" in kinds:
        known = engine.store.latest(scope, ALL, at=At(as_of=before))
        said = engine.store.messages(scope, [message.id for message in known])
    notes: list[Note] = []
    passed = 0
    while part := engine.store.list_notes(scope, limit=AT_ONCE, offset=passed, superseded=True):
        notes += [n for n in part if n.kind in kinds and n.said_at < before]
        passed += len(part)
    return said, notes
