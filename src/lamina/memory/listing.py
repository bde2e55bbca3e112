"""What there is: notes, messages, counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from lamina.errors import BadInput
from lamina.memory.standpoint import NOW, Standpoint
from lamina.memory.values import Stats
from lamina.memory.write import name, whole
from lamina.model import Message, Note, NoteKind, Scope
from lamina.ports import NOTE_KINDS, Operation
from lamina.work.engine import Engine

AT_ONCE = 1000
"""Notes read at once."""
_SPOKEN = ("facts", "relations", "summaries", "unconsolidated")
_UNUSED = {
    "recommender": (*_SPOKEN, "patterns"),
    "pool": (*_SPOKEN, "user_notes", "item_notes"),
}
"""What is never in such a scope."""
_RECOMMENDING = ("user_notes", "item_notes", "patterns")
"""What is in no other."""


def notes(
    engine: Engine,
    scope: Scope,
    kind: NoteKind | None,
    limit: int,
    offset: int,
    view: Standpoint = NOW,
) -> list[Note]:
    """Return notes, latest said first."""
    if kind is not None and kind not in NOTE_KINDS:
        raise BadInput(f"there is no kind {kind!r}; use one of {', '.join(NOTE_KINDS)}")
    limit, offset = whole("limit", limit), whole("offset", offset, least=0)
    return engine.store.list_notes(
        scope,
        kind=kind,
        limit=limit,
        offset=offset,
        at=view.at,
        valid_on=view.valid_on,
        superseded=view.superseded,
    )


def every_note(engine: Engine, scope: Scope, *, superseded: bool = False) -> list[Note]:
    """Return all live notes, latest said first; superseded ones only if asked for."""
    found: list[Note] = []
    while part := engine.store.list_notes(
        scope, limit=AT_ONCE, offset=len(found), superseded=superseded
    ):
        found += part
    return found


def messages(
    engine: Engine, scope: Scope, limit: int, session: str | None, view: Standpoint = NOW
) -> list[Message]:
    """Return the last messages, oldest first."""
    session = None if session is None else name("session_id", session)
    return engine.store.latest(scope, whole("limit", limit), session=session, at=view.at)


def operations(
    engine: Engine, scope: Scope, kinds: Sequence[str], limit: int, offset: int
) -> list[Operation]:
    """Return the log of a scope, latest first."""
    if isinstance(kinds, str):
        raise BadInput(f"kinds is a list of kinds: pass [{kinds!r}]")
    limit, offset = whole("limit", limit), whole("offset", offset, least=0)
    return engine.store.list_operations(scope, kinds=kinds, limit=limit, offset=offset)


def stats(engine: Engine, scope: Scope | None) -> Stats:
    """Return counts, what waits, and what model calls took."""
    jobs = engine.store.jobs(scope)
    counts = engine.store.counts(scope)
    unused = _UNUSED.get(scope.kind, _RECOMMENDING) if scope else ()
    return Stats(
        scope=scope,
        counts={what: count for what, count in counts.items() if what not in unused},
        usage=engine.store.usage(scope),
        encoder=engine.store.space(),
        waiting=dict(Counter(job.step.kind for job in jobs)),
        troubles=tuple(dict.fromkeys(job.error for job in jobs if job.error)),
    )
