"""How long interactions are kept: what is older than configured is withdrawn, when asked for."""

from __future__ import annotations

from datetime import datetime, timedelta

from lamina.items import DESCRIBE
from lamina.memory import edit
from lamina.memory.recommending.configuring import configured
from lamina.memory.write import MOST
from lamina.model import At, Message, Scope
from lamina.ports import Operation, Writing
from lamina.work.engine import Engine


def expire(engine: Engine, scope: Scope) -> Operation | None:
    """Withdraw the interactions that are older than they are to be kept; see `Recommender.expire`.

    Raises:
        Conflict: Others kept changing what is to go.
    """
    days = configured(engine.store, scope).keep_days
    if not days:
        return None
    before = engine.clock.now() - timedelta(days=days)
    if not _old(engine, scope, before):
        return None

    def attempt() -> tuple[Operation, Writing]:
        old = _old(engine, scope, before)
        moment, read = before.isoformat(), max((m.said_at for m in old), default=before)
        cause = f"kept for {days} days"
        made = edit.operation(engine, scope, "expire", moment, cause=cause, read=read)
        return made, edit.withdrawal(engine, scope, made, old, always=True)

    return edit.retried(engine, scope, attempt)


def _old(engine: Engine, scope: Scope, before: datetime) -> list[Message]:
    """Return the live interactions of before a moment."""
    said = engine.store.latest(scope, MOST, at=At(as_of=before))
    ids = [m.id for m in said if m.item is not None and m.action != DESCRIBE]
    return engine.store.messages(scope, ids) if ids else []
