"""Which group a user says to be in: their own words, kept and erased as all that they said."""

from __future__ import annotations

from lamina.errors import BadInput
from lamina.memory.statements import state
from lamina.memory.values import Added
from lamina.memory.write import name
from lamina.model import Scope
from lamina.ports import MessageDraft
from lamina.times import Moment, parse
from lamina.work import keeping
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
    return state(engine, scope, draft, now)
