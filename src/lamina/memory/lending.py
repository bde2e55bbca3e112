"""What a user lets serve elsewhere: facts of their conversations in a recommender, and back.

A loan is a grant in the user's own scope. It ends when it is taken back, and when either side is
forgotten. Nothing of another user is ever lent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from lamina.memory.write import name
from lamina.model import At, Hit, Note, Scope, Value
from lamina.ports import USER_NOTE, Documents, Grant, Store, counting, moment
from lamina.work import visibility
from lamina.work.engine import Engine

Facts: TypeAlias = Sequence[tuple[Note, NDArray[np.float32]]]
"""Facts from a user's conversations, each with its vector, unit length."""

CHAT, NOTES = "chat-to:", "notes-of:"
"""How the grants to a recommender, and to the chat from one, are named."""
LATEST = 200
"""Facts that serve at most, those said last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loan(Value):
    """What a user and a recommender lend each other."""

    recommender: str
    chat: bool
    """Whether what the user said in conversation serves in rankings for them."""
    notes: bool
    """Whether the user's notes there are found by their own `search` and `context`."""


def lend(engine: Engine, scope: Scope, recommender: str, *, chat: bool, notes: bool) -> None:
    """Lend, in place of what was lent before; see `User.lend`. Raises `BadInput`."""
    name("the recommender's name", recommender)
    now = engine.clock.now()
    for prefix, lent in ((CHAT, chat), (NOTES, notes)):
        grant = Grant(principal=f"{prefix}{recommender}", read=lent, write=False, given_at=now)
        engine.store.grant(scope, grant)


def loans(store: Store, scope: Scope) -> list[Loan]:
    """Return what a user has lent, by recommender."""
    chat, notes = _granted(store, scope, CHAT), _granted(store, scope, NOTES)
    return [
        Loan(recommender=each, chat=each in chat, notes=each in notes)
        for each in sorted(chat | notes)
    ]


def end(engine: Engine, recommender: Scope) -> None:
    """End all that was lent to and from a recommender, which is about to be forgotten."""
    for scope in engine.store.scopes():
        if (scope.tenant, scope.kind) == (recommender.tenant, "user"):
            held = loans(engine.store, scope)
            if any(loan.recommender == recommender.id for loan in held):
                lend(engine, scope, recommender.id, chat=False, notes=False)


def chat(engine: Engine, recommender: Scope, user: str, at: At | None) -> Facts:
    """Return what a user said of themself in conversation, if it may serve in a recommender."""
    scope = Scope(recommender.tenant, "user", user)
    if recommender.id not in _granted(engine.store, scope, CHAT):
        return []
    told = engine.store.list_notes(scope, kind="fact", limit=LATEST, at=at)
    facts = [note for note in told if note.role == "user" and note.said_by == user]
    with engine.store.snapshot(scope, at=at) as snapshot:
        documents = snapshot.documents
    rows = _rows(documents)
    found = [(note, rows.get(note.id, rows.get(note.event or ""))) for note in facts]
    return [(note, documents.vectors[row]) for note, row in found if row is not None]


def with_notes(
    engine: Engine, scope: Scope, hits: list[Hit], query: NDArray[np.float32], count: int, at: At
) -> list[Hit]:
    """Return the hits of a user's search with their own notes from recommenders that lend them.

    Each stands before the first hit that is less like the query.

    Args:
        engine: Whose store it is.
        scope: The user's.
        hits: Most relevant first.
        query: Shape (dim,), unit length.
        count: Of all, at most so many.
        at: The moment to look from.
    """
    names = _granted(engine.store, scope, NOTES)
    if not names or at.recorded_as_of is not None:
        return hits
    found = [hit for each in sorted(names) for hit in _notes(engine, scope, each, query, count, at)]
    for hit in sorted(found, key=lambda hit: -hit.similarity):
        place = next((i for i, h in enumerate(hits) if h.similarity < hit.similarity), len(hits))
        hits = [*hits[:place], hit, *hits[place:]]
    return hits[:count]


def _notes(
    engine: Engine,
    user: Scope,
    recommender: str,
    query: NDArray[np.float32],
    count: int,
    at: At,
) -> list[Hit]:
    """Return a user's own notes in a recommender that are like a query."""
    store, scope = engine.store, Scope(user.tenant, "recommender", recommender)
    graph = store.graph(scope)
    if user.id not in graph.users:
        return []
    t = moment(at)
    mine = (graph.whose == graph.users.index(user.id)) & (graph.kinds == USER_NOTE)
    rows = np.flatnonzero(mine & counting(graph.known_from, graph.known_until, t))
    cosines = graph.vectors[rows] @ query
    best = [int(i) for i in np.argsort(-cosines, kind="stable")[:count] if cosines[i] > 0]
    near = {graph.refs[rows[i]]: float(cosines[i]) for i in best}
    notes = store.notes(scope, list(near), at=at)
    configuration = store.configuration(scope)
    groups = visibility.groups_of(store, scope, configuration, at)
    shown = visibility.Showing(store, scope, configuration, groups).to(user.id, notes)
    return [_hit(note, near[note.id]) for note in shown]


def _hit(note: Note, similarity: float) -> Hit:
    return Hit(
        kind=note.kind,
        id=note.id,
        text=note.text,
        relevance=similarity,
        similarity=similarity,
        session=None,
        speaker=note.said_by,
        role=note.role,
        certainty=note.certainty,
        began_at=note.began_at,
        said_at=note.said_at,
        sources=note.sources,
    )


def _rows(documents: Documents) -> dict[str, int]:
    """Return the row of each note and message."""
    return {ref: row for row, ref in reversed(list(enumerate(documents.refs)))}


def _granted(store: Store, scope: Scope, prefix: str) -> set[str]:
    grants: Sequence[Grant] = store.grants(scope)
    return {g.principal.removeprefix(prefix) for g in grants if g.principal.startswith(prefix)}
