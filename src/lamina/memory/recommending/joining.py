"""Which group a user says to be in: their own words, kept and erased as all that they said."""

from __future__ import annotations

from lamina.errors import BadInput
from lamina.identity import digest, message_ids
from lamina.memory.values import Added
from lamina.memory.write import name
from lamina.model import Scope
from lamina.ports import MessageDraft, Operation
from lamina.times import Moment, parse
from lamina.work import indexing, keeping
from lamina.work.engine import Engine
from lamina.work.visibility import GROUPS, JOIN


def join(
    engine: Engine, scope: Scope, user: str, group: str, timestamp: Moment | None = None
) -> Added:
    """Store that a user is in a group from now on, and in no other; see `Recommender.join`.

    Raises:
        BadInput: The user's id or the moment cannot be one, or the group's name is no text.
    """
    if not isinstance(group, str):
        raise BadInput("a group's name is a text; empty: no group")
    user, now = name("the user's id", user), engine.clock.now()
    draft = MessageDraft(
        session=GROUPS,
        role="user",
        speaker=user,
        text=f"joined {name('the group', group)}" if group else "left their group",
        said_at=now if timestamp is None else parse(timestamp),
        timed=timestamp is not None,
        metadata={"group": group},
        infer=False,
        author=keeping.session(user),
        action=JOIN,
    )
    [id_] = message_ids(scope, [draft])
    place = (scope.tenant, scope.kind, scope.id)
    operation = Operation(
        id=digest(*place, "add", now.isoformat(), id_),
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
    return Added(
        ids=(appended.id,),
        new=int(appended.new),
        operation=operation.id if appended.new else None,
    )
