"""What there is: notes, messages, counts."""

from __future__ import annotations

from collections import Counter

from lamina.errors import BadInput
from lamina.memory.values import Stats
from lamina.memory.write import whole
from lamina.model import Message, Note, NoteKind, Scope
from lamina.ports import NOTE_KINDS
from lamina.work.engine import Engine


def notes(
    engine: Engine, scope: Scope, kind: NoteKind | None, limit: int, offset: int
) -> list[Note]:
    """Return notes, latest said first."""
    if kind is not None and kind not in NOTE_KINDS:
        raise BadInput(f"there is no kind {kind!r}; use one of {', '.join(NOTE_KINDS)}")
    limit, offset = whole("limit", limit), whole("offset", offset, least=0)
    return engine.store.list_notes(scope, kind=kind, limit=limit, offset=offset)


def messages(engine: Engine, scope: Scope, limit: int, session: str | None) -> list[Message]:
    """Return the last messages, oldest first."""
    return engine.store.latest(scope, whole("limit", limit), session=session)


def stats(engine: Engine, scope: Scope | None) -> Stats:
    """Return counts, what waits, and what model calls took."""
    jobs = engine.store.jobs(scope)
    return Stats(
        scope=scope,
        counts=engine.store.counts(scope),
        usage=engine.store.usage(scope),
        encoder=engine.store.space(),
        waiting=dict(Counter(job.step.kind for job in jobs)),
        troubles=tuple(dict.fromkeys(job.error for job in jobs if job.error)),
    )
