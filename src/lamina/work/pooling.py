"""The step `write` of a pool: parts that wait are taken in, one after the other.

Each part is one operation; those of a batch are written in one transaction. What comes of it does
not depend on the size of batches, on the clock or on who else works: parts are gone through in the
order recorded, and ids come from content.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from lamina.identity import digest
from lamina.model import Link, Message, Scope, Step
from lamina.ports import LLM, Failure, Job, Lease, Operation, Writing
from lamina.strategies.amem4rec.config import AMEM4RecConfig
from lamina.strategies.amem4rec.forming import Formed, Part, form
from lamina.strategies.amem4rec.stages import Forming
from lamina.work.engine import Engine
from lamina.work.pool_view import Made, PoolView, Taking, config_of, part_of
from lamina.work.retrying import retry_at

AT_ONCE = 256
"""Parts of a batch without a model."""
ASKED_AT_ONCE = 32
"""With one."""

WAITING = Step(kind="write", subject="")
"""The step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Round:
    """What a batch is taken in with."""

    scope: Scope
    view: PoolView
    stages: Forming
    config: AMEM4RecConfig
    encoder: str
    """The id of its space."""
    last: int
    """The number of the last operation before the batch."""
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
    last = next(iter(store.list_operations(scope, limit=1)), None)
    number = last.number if last else 0
    limit = _limit(engine, scope)
    waiting = store.waiting(scope, limit + 1)
    if not waiting:
        store.finish(job, lease, now=engine.clock.now())
        return None
    batch = waiting[:limit]
    llm = engine.llm(scope, "memory", _id(scope, batch[0], number))
    writings, failure = _taken(engine, scope, batch, llm, number)
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


def _limit(engine: Engine, scope: Scope) -> int:
    return AT_ONCE if engine.llm(scope, "memory", "") is None else ASKED_AT_ONCE


def _taken(
    engine: Engine, scope: Scope, batch: Sequence[Message], llm: LLM | None, last: int
) -> tuple[list[Writing], Failure | None]:
    """Return what is written of each part, up to the first that there is no reply for, and why."""
    config = config_of(engine, scope)
    parts = [part_of(message) for message in batch]
    view = PoolView(engine, scope)
    during = _Round(
        scope=scope,
        view=view,
        stages=engine.pool_stages(config, llm),
        config=config,
        encoder=engine.encoder.space.id,
        last=last,
        now=engine.clock.now(),
    )
    writings: list[Writing] = []
    vectors = view.vectors(parts)
    view.patterns.expect(vectors)
    for message, part, vector in zip(batch, parts, vectors, strict=True):
        taus = config.taus(during.encoder)
        formed = form(part, vector, view.patterns, during.stages, config, taus)
        if formed.failure:
            return writings, formed.failure
        made = Made(
            operation=_operation(during, message, formed, len(writings)), said_at=message.said_at
        )
        taking = Taking()
        links = _changed(during, part, formed, taking, made)
        if formed.stores:
            own = view.store(part, vector, taking, made)
            links = tuple(replace(link, source=own) for link in links)
        writings.append(
            Writing(
                operation=made.operation,
                notes=tuple(taking.notes),
                documents=tuple(taking.documents),
                links=links if formed.stores else (),
                progress={part.id: "bound"},
            )
        )
    return writings, None


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


def _operation(during: _Round, message: Message, formed: Formed, place: int) -> Operation:
    """Return the operation of a part; what it read tells since when that is known."""
    near = during.view.known_at(id_ for id_, _ in formed.near)
    stages = during.stages
    return Operation(
        id=_id(during.scope, message, during.last + place),
        kind="write",
        strategy=stages.name,
        model=stages.model,
        prompt_digest=None if stages.model is None else _prompts(),
        cause=f"part {message.id}",
        known_at=max([message.said_at, *near]),
        recorded_at=during.now,
    )


def _id(scope: Scope, message: Message, last: int) -> str:
    """Return the id of the operation that takes a part in after `last` others."""
    return digest(scope.tenant, scope.kind, scope.id, "take in", message.id, last)


def _prompts() -> str:
    from lamina.strategies.amem4rec.prompted import prompt_digest

    return prompt_digest("judge")
