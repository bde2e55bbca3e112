"""What a user states of themselves in a recommender: kept and erased as all that they said."""

from __future__ import annotations

from datetime import datetime

from lamina.identity import digest, message_ids
from lamina.memory.values import Added
from lamina.model import Scope
from lamina.ports import MessageDraft, Operation
from lamina.work import indexing
from lamina.work.engine import Engine


def state(engine: Engine, scope: Scope, draft: MessageDraft, now: datetime) -> Added:
    """Keep a statement, as an operation of its own.

    Args:
        engine: Whose store it is.
        scope: The recommender.
        draft: Of no item, by the user.
        now: When it is kept.
    """
    [id_] = message_ids(scope, [draft])
    operation = Operation(
        id=digest(scope.tenant, scope.kind, scope.id, "add", now.isoformat(), id_),
        kind="add",
        cause="a person",
        known_at=draft.said_at,
        recorded_at=now,
    )
    [appended] = engine.store.append(
        scope,
        [draft],
        indexing.documents([indexing.turn(draft)], engine.encoder),
        steps=(),
        now=now,
        epoch=engine.store.epoch(scope),
        operation=operation,
    )
    made = operation.id if appended.new else None
    return Added(ids=(appended.id,), new=int(appended.new), operation=made)
