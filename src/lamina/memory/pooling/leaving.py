"""Who has no part in a pool: their own statement, kept in the recommender as all that they said."""

from __future__ import annotations

from dataclasses import replace

from lamina.memory.statements import state
from lamina.memory.values import Added
from lamina.model import Message, Scope
from lamina.ports import MessageDraft, Receipt, Store
from lamina.work import keeping
from lamina.work.engine import Engine
from lamina.work.pooling import WAITING
from lamina.work.pools import recommender_of

LEAVING = "leaving"
"""The session of such statements."""
LEAVE, ENTER = "leave", "enter"
"""The actions of those messages; the last one counts."""
WORDS = {LEAVE: "left the pool of patterns", ENTER: "entered the pool of patterns"}


def leave(engine: Engine, scope: Scope, user: str, *, purge: bool) -> Receipt:
    """Keep that a user left, then erase their parts; see `Pool.leave`.

    The statement comes first: a refresh that read what was done before it is stopped by the epoch,
    which rises as the parts go.
    """
    _say(engine, recommender_of(scope), user, LEAVE)
    store, author = engine.store, keeping.session(user)
    now = engine.clock.now()
    erased = store.forget_part(scope, author=author, speaker=user, now=now, steps=(WAITING,))
    return replace(erased, stage="physical") if purge and store.purge() else erased


def enter(engine: Engine, scope: Scope, user: str) -> Added:
    """Keep that a user has a part again; see `Pool.enter`."""
    return _say(engine, recommender_of(scope), user, ENTER)


def left(store: Store, recommender: Scope) -> frozenset[str]:
    """Return the users of a recommender who have no part in its pool, as each said last."""
    last = {said.speaker: said.action for said in _statements(store, recommender)}
    return frozenset(user for user, action in last.items() if action == LEAVE)


def _statements(store: Store, recommender: Scope) -> list[Message]:
    """Return who left or entered, each in their own words, in the order recorded."""
    said = store.in_session(recommender, LEAVING)
    own = [m for m in said if m.action in WORDS and m.author == keeping.session(m.speaker)]
    return sorted(own, key=lambda m: m.position)


def _say(engine: Engine, recommender: Scope, user: str, action: str) -> Added:
    said = [each for each in _statements(engine.store, recommender) if each.speaker == user]
    if said and said[-1].action == action:
        return Added(ids=(said[-1].id,), new=0)
    now = engine.clock.now()
    draft = MessageDraft(
        session=LEAVING,
        role="user",
        speaker=user,
        text=WORDS[action],
        said_at=now,
        timed=True,
        key=f"{action} {len(said)}",
        infer=False,
        author=keeping.session(user),
        action=action,
    )
    return state(engine, recommender, draft, now)
