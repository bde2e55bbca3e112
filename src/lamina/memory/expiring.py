"""Expiry: what was said before a moment is withdrawn, where somebody asks for it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from lamina.errors import BadInput
from lamina.memory import edit, listing
from lamina.memory.read import KINDS
from lamina.memory.write import MOST
from lamina.model import At, Message, Note, Scope
from lamina.ports import Operation, Writing
from lamina.work.engine import Engine


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
    if not _old(engine, scope, before, wanted):
        return None

    def attempt() -> tuple[Operation, Writing]:
        old = _old(engine, scope, before, wanted)
        moment = before.isoformat()
        read = max(map(edit.known_at, old), default=before)
        made = edit.operation(
            engine, scope, "expire", moment, cause=f"said before {moment}", read=read
        )
        return made, edit.withdrawal(engine, scope, made, old, always=False)

    return edit.retried(engine, scope, attempt)


def _old(
    engine: Engine, scope: Scope, before: datetime, kinds: Collection[str]
) -> list[Message | Note]:
    """Return the live messages and notes of these kinds that were last said before a moment."""
    said: list[Message] = []
    if "message" in kinds:
        known = engine.store.latest(scope, MOST, at=At(as_of=before))
        said = engine.store.messages(scope, [message.id for message in known])
    notes = listing.every_note(engine, scope, superseded=True)
    return [*said, *(n for n in notes if n.kind in kinds and n.said_at < before)]
