"""Looking up the patterns that tell of somebody, by what they did lately in general terms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from lamina.errors import BadInput, NotFound
from lamina.identity import digest
from lamina.items import Item, Pattern
from lamina.memory.pooling import cutting, given
from lamina.memory.pooling.given import GivenDone
from lamina.memory.pooling.showing import Sight, config_to_read
from lamina.model import At, Scope
from lamina.ports import Failure, Graph, counting, is_interaction
from lamina.ranking import linked
from lamina.ranking.shared import Told
from lamina.strategies.amem4rec import retrieval
from lamina.strategies.amem4rec.extractive import selected
from lamina.strategies.amem4rec.retrieval import Retrieved
from lamina.strategies.amem4rec.stages import Abstraction
from lamina.strategies.amem4rec.windows import Done, recent
from lamina.strategies.amem4rec.wording import leaning
from lamina.work import encoded, keeping
from lamina.work.engine import Engine
from lamina.work.pools import begin, said_of

Vector: TypeAlias = NDArray[np.float32]
BESIDES = 4
"""Parts of a user that are looked through for the one that tells of what they did last: what was
done at the same moment has no order."""
SOMEBODY = ""
"""Whose history is encoded, where nobody is named."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LookedUp:
    """What was looked up for a user."""

    patterns: tuple[Pattern, ...] = ()
    """Weightiest first."""
    told: tuple[Told, ...] = ()
    """The same, as rankings go by them."""
    done: tuple[Done, ...] = ()
    """What the user did last, by which they were looked up, oldest first."""
    by_many: bool = False
    """Whether they were taken by evolution and age alone, for nothing tells what the user did."""


NOTHING = LookedUp()


def encode(engine: Engine, scope: Scope, history: Sequence[GivenDone], at: At | None) -> Vector:
    """Return the vector of what was done lately; see `Pool.encode`."""
    w = config_to_read(engine, scope).w
    done = given.done(engine.store, scope, given.listed(history), at, w)
    said = _abstracted(engine, scope, SOMEBODY, done)
    text = said.shown if said else "\n".join(filter(None, map(_title, done)))
    if not text.strip():
        raise NotFound("nothing is known of these items; give their titles and categories")
    return vector_of(engine, text)


def vector_of(engine: Engine, text: str) -> Vector:
    """Return the vector of a text, shape (dim,), unit length."""
    found: Vector = encoded.encode(engine.encoder, [text])[0]
    return found


def checked(engine: Engine, vector: object) -> Vector:
    """Return a vector of unit length, as `encode` gives it.

    Raises:
        BadInput: It is none of the encoder's.
    """
    try:
        found: Vector = np.asarray(vector, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise BadInput("a vector is an array of numbers, as `encode` returns it") from error
    dim = engine.encoder.space.dim
    length = float(np.linalg.norm(found)) if found.shape == (dim,) else 0.0
    if not np.isfinite(length) or length <= 0.0:
        raise BadInput(f"a vector has {dim} finite numbers that are not all 0, as `encode` returns")
    return found / np.float32(length)


def for_ranking(
    seen: Sight, graph: Graph, user: str, item: Callable[[int], Item], k: int
) -> LookedUp:
    """Return the patterns that tell of a user's recent history; of somebody new the weightiest.

    Args:
        seen: The pool, as the user may see it.
        graph: Of the recommender.
        user: For whom.
        item: Gives an item as it was described then, by its place in `graph.items`.
        k: How many patterns, at most.
    """
    done = _recent(seen, graph, user, item)
    said = _part(seen, user, done) or _abstracted(seen.engine, seen.scope, user, done)
    query = vector_of(seen.engine, said.shown) if said else None
    found = _shared_out(seen.weightiest(k)) if query is None else seen.nearest(query, k)
    told = seen.told(found)
    known = {pattern.id for pattern in told}
    rows = [each for each in found if each.id in known]
    return LookedUp(
        patterns=tuple(told),
        told=_told(seen, graph, rows, told),
        done=tuple(done),
        by_many=query is None,
    )


def _shared_out(found: Sequence[Retrieved]) -> list[Retrieved]:
    """Return those that weigh anything, each with its share among these, above 0."""
    whole = sum(each.weight for each in found)
    return [replace(each, weight=each.weight / whole) for each in found if each.weight > 0]


def _recent(seen: Sight, graph: Graph, user: str, item: Callable[[int], Item]) -> list[Done]:
    """Return what a user did last, oldest first."""
    place = linked.places(graph).users.get(user, -1)
    mine = (graph.by == place) & counting(graph.said_at, graph.gone_at, seen.t)
    rows = np.flatnonzero(mine)[-seen.config.w :].tolist() if place >= 0 else []
    return [cutting.done(graph, row, item(int(graph.of[row]))) for row in rows]


def _part(seen: Sight, user: str, done: Sequence[Done]) -> Abstraction | None:
    """Return what the pool has of a user's recent history already, if it tells of just that."""
    if len(done) < seen.config.w:
        return None
    ids = [each.id for each in done]
    store, session = seen.engine.store, keeping.session(user)
    for said in reversed(store.latest(seen.scope, BESIDES, session=session, at=seen.at)):
        if is_interaction(said) and list(said.metadata.get("interactions", ())) == ids:
            return said_of(said)
    return None


def _abstracted(
    engine: Engine, scope: Scope, user: str, done: Sequence[Done]
) -> Abstraction | None:
    """Return what was done in general terms; selected, where a model fails to tell it."""
    window = recent(user, done, len(done)) if done else None
    if window is None:
        return None
    operation = digest(
        scope.tenant, scope.kind, scope.id, "encode", user, *(each.id for each in done)
    )
    llm = engine.llm(scope, "memory", operation)
    if llm is not None:
        begin(engine.store, scope)  # what it replies is kept there, and is to go with an erasure
    stages = engine.pool_stages(config_to_read(engine, scope), llm)
    [said] = stages.abstract([window])
    return selected(window) if isinstance(said, Failure) else said


def _told(
    seen: Sight, graph: Graph, found: Sequence[Retrieved], patterns: Sequence[Pattern]
) -> tuple[Told, ...]:
    """Return patterns as rankings go by them; who supports them, as users of the recommender."""
    pool = seen.graph
    users = linked.places(graph).users
    places = np.array([users.get(id_, -1) for id_ in pool.users], dtype=np.intp)
    supports = retrieval.supports(pool, seen.t, [each.row for each in found])
    return tuple(
        Told(
            weight=pattern.weight,
            explanation=pattern.explanation,
            description=pattern.description,
            keywords=pattern.keywords,
            dislikes=leaning(pattern.explanation) == "dislikes",
            vector=pool.vectors[each.row],
            by=places[by] if len(by) else np.zeros(0, dtype=np.intp),
            at=at,
        )
        for each, pattern, (by, at) in zip(found, patterns, supports, strict=True)
    )


def _title(done: Done) -> str:
    return ". ".join(filter(None, (done.item.title, done.item.description)))
