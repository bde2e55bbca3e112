"""The step `write`: interactions that wait become notes, links and changes of notes.

Each interaction is one operation; those of a batch are written in one transaction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from lamina.identity import digest
from lamina.model import Message, Progress, Scope, Step
from lamina.ports import LLM, Document, Failure, Job, Lease, Operation, Writing
from lamina.strategies.atomrec.calibration import tau_for
from lamina.strategies.atomrec.forming import Formed, form, redone
from lamina.strategies.atomrec.stages import Forming
from lamina.work import indexing, making, visibility
from lamina.work.batch_view import BatchView, Terms
from lamina.work.catalogues import catalogue_of
from lamina.work.engine import Engine
from lamina.work.retrying import operation_id, retry_at

AT_ONCE = 256
"""Interactions of a batch without a model."""
ASKED_AT_ONCE = 8
"""With one. A user's second interaction is left to the next batch: it rests on the first."""
WAITING = ""
"""The subject of the step that takes what is pending."""
AGAIN = "again"
"""Of the one that takes what a model's reply made no sense for; it waits before it asks anew."""
SENSELESS = "a model's replies made no sense; they are asked for again later"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Done:
    """A batch that is formed."""

    view: BatchView
    formed: Sequence[Formed]
    count: int
    """How many of it are to be written; the rest is to be tried again."""
    stages: Forming

    @property
    def failure(self) -> Failure | None:
        """Why the rest is to be tried again."""
        return self.formed[self.count].failure if self.count < len(self.formed) else None


def write(engine: Engine, job: Job, lease: Lease) -> str | None:
    """Do the step; returns why it is to be tried again later, if it is.

    Raises:
        LeaseLost: Another worker has the recommender; nothing was written.
        StoreError: The store failed; nothing was written.
        Conflict: What it read has changed meanwhile; nothing was written.
    """
    store, now = engine.store, engine.clock.now()
    if job.step.subject == AGAIN and not job.attempts:
        return _put_off(engine, job, lease, SENSELESS)
    identity = operation_id(job, now)
    llm = engine.llm(job.scope, "memory", identity)
    limit = AT_ONCE if llm is None else ASKED_AT_ONCE
    waiting = _waiting(engine, job, limit + 1)
    if not waiting:
        store.finish(job, lease, now=now)
        return None
    batch = waiting[:limit] if llm is None else _one_a_user(waiting[:limit])
    done = _form(engine, job.scope, batch, llm)
    if done.count == 0:
        return _put_off(engine, job, lease, _reason(done.failure))
    writings = _writings(engine, job, done, identity, more=len(batch) < len(waiting))
    store.apply_all(job.scope, writings, now=engine.clock.now(), lease=lease)
    return writings[-1].error


def _waiting(engine: Engine, job: Job, limit: int) -> list[Message]:
    """Return the interactions to be formed, oldest first.

    Of those that replies made no sense for others each time, lest some keep the rest from its turn.
    """
    store, scope = engine.store, job.scope
    if job.step.subject != AGAIN:
        return store.waiting(scope, limit)
    found = [
        message
        for session in store.sessions(scope)
        if session.pending
        for message in store.in_session(scope, session.id, ("unextracted",))
    ]
    found.sort(key=lambda m: (m.said_at, m.position))
    first = (job.attempts - 1) * (limit - 1) % max(1, len(found))
    return found[first : first + limit]


def _one_a_user(waiting: Sequence[Message]) -> list[Message]:
    """Return the first of them, up to where a user comes again."""
    seen: set[str] = set()
    for place, message in enumerate(waiting):
        if message.speaker in seen:
            return list(waiting[:place])
        seen.add(message.speaker)
    return list(waiting)


def _form(engine: Engine, scope: Scope, batch: Sequence[Message], llm: LLM | None) -> _Done:
    configuration = engine.store.configuration(scope)
    groups = visibility.groups_by(engine.store, scope, configuration, batch[0].said_at)
    config = engine.atomrec
    terms = Terms(config=config, configuration=configuration, groups=groups)
    view = BatchView(engine, scope, batch, terms)
    stages = engine.stages(config, llm, catalogue_of(engine.store, scope, view.graph))
    tau = tau_for(config, engine.encoder.space.id)
    formed = form(len(batch), stages, view, config, tau)
    return _Done(view=view, formed=formed, count=redone(formed), stages=stages)


def _writings(engine: Engine, job: Job, done: _Done, identity: str, *, more: bool) -> list[Writing]:
    """Return one writing an interaction; the last one finishes the job, or puts it off."""
    now = engine.clock.now()
    documents = _documents(engine, done)
    operations = _operations(done, identity, now)
    writings = [
        _writing(done, place, operation, documents[place])
        for place, operation in enumerate(operations)
    ]
    writings[-1] = _last(writings[-1], job, done, more=more)
    return writings


def _last(writing: Writing, job: Job, done: _Done, *, more: bool) -> Writing:
    """Let the last writing finish the job and ask for what follows, or put the job off."""
    now = writing.operation.recorded_at
    senseless = any(each.failure for each in done.formed[: done.count])
    again = Step(kind="write", subject=AGAIN)
    if job.step == again:
        error = _reason(done.failure) if done.failure else SENSELESS if senseless else None
        follows: tuple[Step, ...] = (again,) if more and error is None else ()
    else:
        error = _reason(done.failure) if done.failure else None
        follows = ((again,) if senseless else ()) + ((job.step,) if more and not error else ())
    redo_at = retry_at(job, now) if error else None
    return replace(writing, job=job, steps=follows, redo_at=redo_at, error=error)


def _operations(done: _Done, identity: str, now: datetime) -> list[Operation]:
    """Return the operation of each interaction that is to be written.

    The model calls of the batch are on record under that of the first.
    """
    view, stages = done.view, done.stages
    asked = None if stages.model is None else _prompts()
    times = making.known_at(view.makings)
    return [
        Operation(
            id=identity if place == 0 else digest(identity, message.id),
            kind="write",
            strategy=stages.name,
            model=stages.model,
            prompt_digest=asked,
            cause=f"interaction {message.id}",
            known_at=times[place] or message.said_at,
            recorded_at=now,
        )
        for place, message in enumerate(view.messages[: done.count])
    ]


def _prompts() -> str:
    from lamina.strategies.atomrec.prompted import prompt_digest

    return prompt_digest("write", "write_item", "link", "evolve", "reflect")


def _writing(
    done: _Done, place: int, operation: Operation, documents: Sequence[Document]
) -> Writing:
    view, formed = done.view, done.formed[place]
    made = view.makings[place]
    progress: Progress = "unextracted" if formed.failure else "bound"
    return Writing(
        operation=operation,
        notes=making.stamped(made, operation),
        documents=tuple(documents),
        links=making.links_of(made),
        progress={view.messages[place].id: progress},
    )


def _documents(engine: Engine, done: _Done) -> list[list[Document]]:
    """Return for each interaction what shows its notes; what has changed is encoded in one call."""
    found: list[list[Document]] = [[] for _ in range(done.count)]
    new = [(p, d) for p, d in done.view.documents() if p < done.count]
    changed = [
        (place, indexing.note(note))
        for place in range(done.count)
        for note in done.view.makings[place].changed.values()
    ]
    shown = indexing.documents([text for _, text in changed], engine.encoder) if changed else []
    for place, document in (*new, *zip((p for p, _ in changed), shown, strict=True)):
        found[place].append(document)
    return found


def _put_off(engine: Engine, job: Job, lease: Lease, reason: str) -> str:
    now = engine.clock.now()
    engine.store.postpone(job, lease, due_at=retry_at(job, now), error=reason, now=now)
    return reason


def _reason(failure: Failure | None) -> str:
    return f"{failure.reason}: {failure.detail}" if failure else ""
