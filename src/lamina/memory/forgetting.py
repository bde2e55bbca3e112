"""Forgetting: rows at once, then every byte; and what somebody said where others did as well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lamina.memory import lending
from lamina.model import Scope, Step
from lamina.ports import Grant, Receipt, Store
from lamina.work.engine import Engine
from lamina.work.pools import begun, pool_of


def forget(engine: Engine, scope: Scope, *, purge: bool = True) -> Receipt:
    """Erase all of a scope, messages and what was made of them. It cannot be undone.

    Of a user also what it was granted, what it wrote into spaces of its tenant, said in its
    conversations, did in its recommenders and has in their pools; of a recommender also its pool.
    What rested on that goes; the rest waits to be formed anew. No writer in flight brings anything
    back. Called again, it goes on where it was interrupted.

    Args:
        engine: Whose store it is.
        scope: What is erased.
        purge: Whether every byte is to go from the store's files as well. Where somebody still
            reads an older state it cannot; the receipt then says `logical`, and `compact` may be
            tried later.
    """
    if scope.kind == "recommender":
        lending.end(engine, scope)
    parts = _parts(engine, scope) if scope.kind == "user" else []
    own = engine.store.forget(scope, now=engine.clock.now())
    if scope.kind == "recommender" and begun(engine.store, pool_of(scope)):
        # After it: what was read of it before is stopped by the pool's epoch.
        parts = [engine.store.forget(pool_of(scope), now=engine.clock.now())]
    erased = replace(
        own,
        messages=own.messages + sum(part.messages for part in parts),
        notes=own.notes + sum(part.notes for part in parts),
        documents=own.documents + sum(part.documents for part in parts),
        parts=tuple(parts),
    )
    return _physical(erased) if purge and engine.store.purge() else erased


def reached(engine: Engine, scope: Scope) -> list[Scope]:
    """Return the shared scopes in which a user has a part, or was granted anything."""
    store, author = engine.store, f"user:{scope.id}"
    granted = store.granted(scope.tenant, author)
    return list(dict.fromkeys([*granted, *store.parts(scope.tenant, author, scope.id)]))


def _physical(receipt: Receipt) -> Receipt:
    return replace(receipt, stage="physical", parts=tuple(map(_physical, receipt.parts)))


def _parts(engine: Engine, scope: Scope) -> list[Receipt]:
    """Erase a user's part in shared scopes.

    Grants go first: who was let in before is stopped by the epoch, which rises with the part.
    """
    store, author = engine.store, f"user:{scope.id}"
    granted = store.granted(scope.tenant, author)
    for space in granted:
        nothing = Grant(principal=author, read=False, write=False, given_at=engine.clock.now())
        store.grant(space, nothing)
    shared = _shared(store, [*granted, *store.parts(scope.tenant, author, scope.id)])
    return [
        store.forget_part(
            each,
            author=author,
            speaker=scope.id,
            now=engine.clock.now(),
            steps=_anew(store, each, author, scope.id),
        )
        for each in shared
    ]


def _shared(store: Store, scopes: Sequence[Scope]) -> list[Scope]:
    """Return each scope once, pools last, also those of recommenders which have nothing of it yet.

    So whatever a refresh read of a recommender before, its pool's epoch tells it.
    """
    pools = [pool_of(each) for each in scopes if each.kind == "recommender"]
    own = [each for each in scopes if each.kind == "pool"]
    rest = [each for each in scopes if each.kind != "pool"]
    return list(dict.fromkeys([*rest, *own, *(each for each in pools if begun(store, each))]))


def _anew(store: Store, scope: Scope, author: str, speaker: str) -> list[Step]:
    """Return the work that forms what remains: of each session in which somebody else spoke."""
    if scope.kind in ("recommender", "pool"):
        return [Step(kind="write", subject="")]
    steps: list[Step] = []
    for session in store.sessions(scope):
        said = store.in_session(scope, session.id)
        if scope.kind == "space":
            others = any(message.author != author for message in said)
        else:
            others = any(message.speaker != speaker for message in said)
        if others:
            steps += [Step(kind="index", subject=session.id), Step(kind="bind", subject=session.id)]
        if others and session.closed:
            steps.append(Step(kind="consolidate", subject=session.id))
    return steps
