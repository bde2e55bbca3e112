"""One step of work: read a batch, let the strategy digest it, write what it returns."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lamina.errors import Conflict
from lamina.identity import note_id
from lamina.model import Changes, Gone, Link, Note, NoteDraft, Scope, Step
from lamina.ports import Batch, Job, Lease, Operation, Strategy, Writing
from lamina.work import atomic, indexing, pooling
from lamina.work.drafts import note_of
from lamina.work.engine import Engine
from lamina.work.renewal import changes_behind
from lamina.work.retrying import operation_id, retry_at
from lamina.work.unlinked import unlinked
from lamina.work.view import RecordingView

EXCHANGES_AT_ONCE = 256
TRIES = 3
"""How often a step is redone when what it read has changed meanwhile."""
LOG_READ = 100
"""How much of the log is read to tell whether something is formed anew after an erasure."""


def run(engine: Engine, job: Job, lease: Lease) -> str | None:
    """Do one job and write its outcome. Returns why it is to be tried again later, if it is.

    Raises:
        LeaseLost: Another worker has the scope; nothing was written.
        StoreError: The store failed; nothing was written.
        Conflict: What it read kept changing, `TRIES` times.
    """
    if job.step.kind == "index":
        _index(engine, job, lease)
        return None
    do = _doing(job)
    for _ in range(TRIES - 1):
        try:
            return do(engine, job, lease)
        except Conflict:
            continue
    return do(engine, job, lease)


def _doing(job: Job) -> Callable[[Engine, Job, Lease], str | None]:
    """Return what does a job that forms memory."""
    if job.step.kind != "write":
        return _digest
    return pooling.take_in if job.scope.kind == "pool" else atomic.write


def _index(engine: Engine, job: Job, lease: Lease) -> None:
    """Index the exchanges of a session that are missing or out of date."""
    store, scope = engine.store, job.scope
    while stale := store.stale_exchanges(scope, job.step.subject, EXCHANGES_AT_ONCE):
        documents = indexing.documents([indexing.exchange(pair) for pair in stale], engine.encoder)
        now = engine.clock.now()
        writing = Writing(
            operation=Operation(
                id=operation_id(job, now),
                kind="index",
                known_at=max(pair.message.said_at for pair in stale),
                recorded_at=now,
            ),
            documents=tuple(documents),
        )
        store.apply(scope, writing, now=now, lease=lease)
    store.finish(job, lease, now=engine.clock.now())


def _digest(engine: Engine, job: Job, lease: Lease) -> str | None:
    strategy = _strategy(engine, job.step)
    now = engine.clock.now()
    operation = operation_id(job, now)
    view = RecordingView(engine, job.scope, operation)
    batch = _batch(engine, job, view) if strategy else None
    if strategy is None or batch is None or not _holds_something(batch):
        engine.store.finish(job, lease, now=now)
        return None
    changes = strategy.digest(batch, view)
    made = _operation(engine, job, strategy, changes, view, operation)
    writing = _writing(engine, job, changes, made)
    engine.store.apply(job.scope, writing, now=engine.clock.now(), lease=lease)
    return changes.redo


def _strategy(engine: Engine, step: Step) -> Strategy | None:
    return engine.supersession if step.kind == "supersede" else engine.strategy


def _holds_something(batch: Batch) -> bool:
    return bool(batch.messages or batch.events or batch.notes)


def _batch(engine: Engine, job: Job, view: RecordingView) -> Batch:
    """Read what the step works on, and note it as handed out."""
    store, step = engine.store, job.step
    if step.kind == "supersede":
        notes = _facts_of(engine, job.scope, step.subject)
        view.hand_out(note.known_at for note in notes)
        view.hand_out(changes_behind(store, job.scope, (note.id for note in notes)))
        return Batch(step=step, notes=tuple(notes))
    closed = store.is_closed(job.scope, step.subject)
    if step.kind == "bind":
        messages = store.in_session(job.scope, step.subject, ("pending", "unextracted"))
        view.hand_out(m.said_at for m in messages)
        return Batch(step=step, messages=tuple(messages), closed=closed)
    if step.kind == "sweep":
        waiting = unlinked(store, job.scope, step.subject)
    else:
        waiting = store.buffer(job.scope, step.subject)
    events = view.events([message.id for message in waiting])
    view.hand_out(changes_behind(store, job.scope, (message.id for message in waiting)))
    return Batch(step=step, events=tuple(events), closed=closed)


def _facts_of(engine: Engine, scope: Scope, operation: str) -> list[Note]:
    """Return the live facts that an operation wrote, as they are now."""
    written = [n.id for n in engine.store.written_by(scope, operation) if n.kind == "fact"]
    return engine.store.notes(scope, list(dict.fromkeys(written)))


def _operation(
    engine: Engine,
    job: Job,
    strategy: Strategy,
    changes: Changes,
    view: RecordingView,
    operation: str,
) -> Operation:
    now = engine.clock.now()
    return Operation(
        id=operation,
        kind=job.step.kind,
        strategy=strategy.name,
        model=changes.model,
        prompt_digest=changes.prompt_digest,
        cause=_cause(engine, job),
        known_at=view.known_at or now,
        recorded_at=now,
    )


def _cause(engine: Engine, job: Job) -> str:
    """Return what a step is about; and of what is formed anew, why."""
    if job.step.kind == "supersede":
        return f"operation {job.step.subject}"
    cause = f"session {job.step.subject}"
    return f"{cause}, after an erasure" if _erased_since(engine, job, cause) else cause


def _erased_since(engine: Engine, job: Job, cause: str) -> bool:
    """Whether a part of the scope was erased after the last consolidation of the session."""
    if job.step.kind != "consolidate" or not engine.store.epoch(job.scope):
        return False
    kinds = ("erasure", "consolidate")
    for operation in engine.store.list_operations(job.scope, kinds=kinds, limit=LOG_READ):
        if operation.kind == "erasure" or operation.cause.startswith(cause):
            return operation.kind == "erasure"
    return False


def _writing(engine: Engine, job: Job, changes: Changes, made: Operation) -> Writing:
    notes = formed(engine, job.scope, changes.notes, made)
    new_words = _with_new_words(engine, job.scope, notes)
    now = made.recorded_at
    return Writing(
        operation=made,
        notes=tuple(notes),
        documents=tuple(indexing.documents(new_words, engine.encoder)),
        links=_links(job.scope, changes, notes),
        progress=changes.progress,
        consolidated=changes.consolidated,
        gone=tuple(Gone(what="note", id=id_, always=False) for id_ in changes.withdraw),
        steps=(*changes.next, *_comparing(engine, job, notes, made)),
        job=job,
        redo_at=retry_at(job, now) if changes.redo else None,
        error=changes.redo,
    )


def _comparing(
    engine: Engine, job: Job, notes: Sequence[Note], made: Operation
) -> tuple[Step, ...]:
    """Return the step that holds new facts against what was known, if there are any."""
    new = job.step.kind == "bind" and any(note.kind == "fact" for note in notes)
    return (Step(kind="supersede", subject=made.id),) if new and engine.supersession else ()


def _with_new_words(engine: Engine, scope: Scope, notes: Sequence[Note]) -> list[indexing.Text]:
    """Return what recall must learn: not of a revision that says what the one before it did."""
    revised = engine.store.notes(scope, [note.id for note in notes if note.revision > 1])
    shown = {note.id: indexing.note(note).shown for note in revised}
    new = (indexing.note(note) for note in notes if note.indexed)
    return [text for text in new if shown.get(text.ref) != text.shown]


def _links(scope: Scope, changes: Changes, notes: Sequence[Note]) -> tuple[Link, ...]:
    """Return the links that the changes name, and those of the drafts that became notes."""
    kept = {note.id for note in notes}
    return changes.links + tuple(
        Link(source=source, target=target, relation=relation)
        for draft in changes.notes
        if (source := draft.revises or note_id(scope, draft)) in kept
        for target, relation in draft.links
    )


def formed(
    engine: Engine, scope: Scope, drafts: Sequence[NoteDraft], operation: Operation
) -> list[Note]:
    """Return the notes that drafts become, with what their sources tell.

    A draft without sources, or with one that is gone, is left out: every note names its evidence.
    So is a revision of what a person wrote, which outranks extraction.
    """
    revised = engine.store.notes(scope, [d.revises for d in drafts if d.revises])
    persons = {note.id for note in revised if note.by_person}
    drafts = [d for d in drafts if d.revises not in persons]
    wanted = list(dict.fromkeys(source for draft in drafts for source in draft.sources))
    known = {m.id: m for m in engine.store.messages(scope, wanted)}
    complete = [d for d in drafts if d.sources and all(s in known for s in d.sources)]
    notes = [note_of(scope, d, [known[s] for s in d.sources], operation) for d in complete]
    return list({note.id: note for note in notes}.values())
