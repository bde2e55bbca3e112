"""The step `write` of a pool: parts that wait are taken in, one after the other.

Each part is one operation; those of a batch are written in one transaction. What comes of it does
not depend on the size of batches, on the clock or on who else works: parts are gone through in the
order recorded, and ids come from content.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from lamina.identity import digest
from lamina.model import Link, Message, Scope, Step
from lamina.ports import Failure, Job, Lease, Operation, Writing
from lamina.strategies.amem4rec.config import AMEM4RecConfig, Taus
from lamina.strategies.amem4rec.forming import Formed, Part, form
from lamina.work.engine import Engine
from lamina.work.pool_view import Made, PoolView, Taking
from lamina.work.pools import asks, config_of, last_number, part_of
from lamina.work.retrying import retry_at

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

AT_ONCE = 256
"""Parts of a batch without a model."""
ASKED_AT_ONCE = 32
"""With one."""

WAITING = Step(kind="write", subject="")
"""The step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Round:
    """What a batch is taken in with."""

    engine: Engine
    scope: Scope
    view: PoolView
    config: AMEM4RecConfig
    taus: Taus
    now: datetime


def take_in(engine: Engine, job: Job, lease: Lease) -> str | None:
    """Do the step; returns why it is to be tried again later, if it is.

    A reply that made no sense keeps nothing out: the part is stored. Where there is none, that part
    and those after it wait.

    Raises:
        LeaseLost: Another worker has the pool, or part of it was erased; nothing was written.
        StoreError: The store failed; nothing was written.
        EncoderMismatch: The thresholds were set for another encoder; nothing was written.
        Conflict: What it read has changed meanwhile; nothing was written.
    """
    store, scope = engine.store, job.scope
    number = last_number(store, scope)
    limit = ASKED_AT_ONCE if asks(engine, scope) else AT_ONCE
    waiting = store.waiting(scope, limit + 1)
    if not waiting:
        store.finish(job, lease, now=engine.clock.now())
        return None
    batch = waiting[:limit]
    writings, failure = _taken(engine, scope, batch, number)
    now = engine.clock.now()
    reason = f"{failure.reason}: {failure.detail}" if failure else None
    if not writings:
        store.postpone(job, lease, due_at=retry_at(job, now), error=reason or "", now=now)
        return reason
    more = len(batch) < len(waiting)
    writings[0] = replace(writings[0], after=number)
    writings[-1] = replace(
        writings[-1],
        job=job,
        steps=(job.step,) if more and reason is None else (),
        redo_at=retry_at(job, now) if reason else None,
        error=reason,
    )
    store.apply_all(scope, writings, now=now, lease=lease)
    return reason


def _taken(
    engine: Engine, scope: Scope, batch: Sequence[Message], last: int
) -> tuple[list[Writing], Failure | None]:
    """Return what is written of each part, up to the first that there is no reply for, and why."""
    config = config_of(engine, scope)
    view = PoolView(engine, scope)
    during = _Round(
        engine=engine,
        scope=scope,
        view=view,
        config=config,
        taus=config.taus(engine.encoder.space.id, written=asks(engine, scope)),
        now=engine.clock.now(),
    )
    writings: list[Writing] = []
    parts = [part_of(message) for message in batch]
    vectors = view.vectors(parts)
    view.patterns.expect(vectors)
    for message, part, vector in zip(batch, parts, vectors, strict=True):
        id_ = _id(scope, message, last + len(writings))
        writing = _writing(during, message, part, vector, id_)
        if isinstance(writing, Failure):
            return writings, writing
        writings.append(writing)
    return writings, None


def _writing(
    during: _Round, message: Message, part: Part, vector: NDArray[np.float32], id_: str
) -> Writing | Failure:
    """Take one part in; return what is written, or why it is not known yet.

    Each part has stages of its own: what it asked is on record as its own, under the id of its
    operation, whatever the batch.
    """
    view = during.view
    llm = during.engine.llm(during.scope, "memory", id_)
    stages = during.engine.pool_stages(during.config, llm)
    formed = form(part, vector, view.patterns, stages, during.config, during.taus)
    if formed.failure:
        return formed.failure
    known = view.known_at(near for near, _ in formed.near)
    operation = Operation(
        id=id_,
        kind="write",
        strategy=stages.name,
        model=stages.model,
        prompt_digest=None if stages.model is None else _prompts(),
        cause=f"part {message.id}",
        known_at=max([message.said_at, *known]),
        recorded_at=during.now,
    )
    made, taking = Made(operation=operation, said_at=message.said_at), Taking()
    links = _changed(during, part, formed, taking, made)
    if formed.stores:
        own = view.store(part, vector, taking, made)
        links = tuple(replace(link, source=own) for link in links)
    return Writing(
        operation=operation,
        notes=tuple(taking.notes),
        documents=tuple(taking.documents),
        links=links if formed.stores else (),
        progress={part.id: "bound"},
    )


def _changed(
    during: _Round, part: Part, formed: Formed, taking: Taking, made: Made
) -> tuple[Link, ...]:
    """Let those that the part belongs to take it in; return the links to them.

    One that has taken it in already, when it was first there, does not do so again.
    """
    for each in formed.linked if formed.evolves else ():
        if not during.view.supports(part.id, each.id):
            during.view.evolve(each.id, part, each.merged, taking, made)
    return tuple(Link(source="", target=each.id, relation=each.reason) for each in formed.linked)


def _id(scope: Scope, message: Message, last: int) -> str:
    """Return the id of the operation that takes a part in after `last` others."""
    return digest(scope.tenant, scope.kind, scope.id, "take in", message.id, last)


def _prompts() -> str:
    from lamina.strategies.amem4rec.prompted import prompt_digest

    return prompt_digest("judge")
