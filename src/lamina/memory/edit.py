"""What a person changes: a note's words, and what is withdrawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from lamina.errors import BadInput, Conflict, NotFound
from lamina.identity import digest
from lamina.memory.supporting import undoing_in
from lamina.memory.undoing import Undoing
from lamina.memory.write import identifier
from lamina.model import At, Gone, Matter, Message, Note, Scope, Step
from lamina.ports import Operation, Writing
from lamina.work import indexing
from lamina.work.engine import Engine

PERSON = "a person"
"""The cause of an operation, where nobody is named."""
TRIES = 3
"""How often a change is worked out anew when something else was written meanwhile."""


def find(engine: Engine, scope: Scope, id_: str, at: At | None = None) -> Message | Note:
    """Return a live message or note of this scope.

    Raises:
        NotFound: There is none with this id here, whatever other scopes hold.
        BadInput: It is no text.
    """
    id_ = identifier(id_)
    found: list[Message | Note] = [
        *engine.store.messages(scope, [id_], at=at),
        *engine.store.notes(scope, [id_], at=at),
    ]
    if not found:
        raise NotFound(f"nothing here has the id {id_!r}; `list` shows what there is")
    return found[0]


def update(engine: Engine, scope: Scope, id_: str, text: str, cause: str = PERSON) -> Note:
    """Change a note's words; see `Handle.update`. `cause` names who does.

    Raises:
        NotFound: There is no such note.
        BadInput: It is a message, which is never edited, or the text is blank.
        Conflict: Somebody changed it at the same time.
    """
    old = find(engine, scope, id_)
    if isinstance(old, Message):
        raise BadInput("a message is kept word for word; delete it, or update a note made of it")
    if not isinstance(text, str) or not text.strip():
        raise BadInput("a note needs words; to hide it, delete it")
    made = operation(engine, scope, "update", id_, cause=cause, read=old.known_at)
    note = _reworded(old, text, made)
    standing = undoing_in(engine.store, scope)
    if text != old.text:
        _lose_words(standing, old)
    standing.settle()
    compared = (Step(kind="supersede", subject=made.id),) if old.kind == "fact" else ()
    writing = Writing(
        operation=made,
        notes=(note,),
        documents=tuple(indexing.documents([indexing.note(note)], engine.encoder)),
        gone=standing.marks(always=False),
        steps=(*standing.steps(), *compared),
    )
    engine.store.apply(scope, writing, now=made.recorded_at)
    return engine.store.notes(scope, [id_])[0]


def _reworded(old: Note, text: str, made: Operation) -> Note:
    """Return the revision of a note that a person wrote."""
    return replace(
        old,
        text=text,
        revision=old.revision + 1,
        operation=made.id,
        known_at=made.known_at,
        recorded_at=made.recorded_at,
        by_person=True,
        indexed=True,
        supported=True,
    )


def delete(engine: Engine, scope: Scope, id_: str, cause: str = PERSON) -> Operation:
    """Withdraw a note or a message with what stands on it; see `Handle.delete`.

    Raises:
        NotFound: There is no such thing here.
        Conflict: Others kept changing what is to go.
    """
    return withdraw(engine, scope, id_, kind="delete", cause=cause, always=False)


def withdraw(
    engine: Engine, scope: Scope, id_: str, *, kind: str, cause: str, always: bool
) -> Operation:
    """Put a note or a message out of force with all that stands on it, as one operation.

    Args:
        engine: Whose store it is.
        scope: Where it is.
        id_: Of the note or message; the first mark of the operation names it.
        kind: Of the operation.
        cause: Who wants it, or why.
        always: Whether it is hidden at every moment, or only from now on.
    """

    def attempt() -> tuple[Operation, Writing]:
        old = find(engine, scope, id_)
        made = operation(engine, scope, kind, id_, cause=cause, read=known_at(old))
        return made, withdrawal(engine, scope, made, [old], always=always)

    return retried(engine, scope, attempt)


def withdrawal(
    engine: Engine,
    scope: Scope,
    made: Operation,
    entries: Sequence[Message | Note],
    *,
    always: bool,
) -> Writing:
    """Return what puts live messages and notes out of force with all that stands on them."""
    standing = undoing_in(engine.store, scope)
    standing.hide([entry.id for entry in entries if isinstance(entry, Message)])
    for entry in entries:
        if isinstance(entry, Note):
            for note in standing.past.counting(entry.id).values():
                standing.lose(note, root=True)
    standing.settle()
    marks = [Gone(what=_matter(entry), id=entry.id, always=always) for entry in entries]
    gone = (*marks, *standing.marks(always=always))
    return Writing(operation=made, gone=gone, progress=standing.progress(), steps=standing.steps())


def known_at(entry: Message | Note) -> datetime:
    """Return when what an entry says was known."""
    return entry.said_at if isinstance(entry, Message) else entry.known_at


def _matter(entry: Message | Note) -> Matter:
    return "message" if isinstance(entry, Message) else "note"


def retried(
    engine: Engine, scope: Scope, attempt: Callable[[], tuple[Operation, Writing]]
) -> Operation:
    """Write what `attempt` works out, and work it out anew if something came between.

    Raises:
        Conflict: Something did, `TRIES` times.
    """
    for _ in range(TRIES):
        last = _last(engine, scope)
        try:
            made, writing = attempt()
            writing = replace(writing, after=last.number if last else 0)
            engine.store.apply(scope, writing, now=made.recorded_at)
        except Conflict:
            continue
        return engine.store.operations(scope, [made.id])[0]
    raise Conflict("this memory is being changed by others all the time; try again")


def operation(
    engine: Engine, scope: Scope, kind: str, subject: str, *, cause: str, read: datetime
) -> Operation:
    """Return the operation of a person's change, which is known from now on.

    Args:
        engine: Whose clock tells what now is.
        scope: What is changed.
        kind: Of change.
        subject: The id of what it is about.
        cause: Who wants it, or why.
        read: When the latest of what it was based on was known.
    """
    now = engine.clock.now()
    last = _last(engine, scope)
    place = last.number if last else 0
    return Operation(
        id=digest(scope.tenant, scope.kind, scope.id, kind, subject, now.isoformat(), place),
        kind=kind,
        cause=cause,
        # A person tells it now, whatever was known before.
        known_at=max(now, read),
        recorded_at=now,
    )


def _last(engine: Engine, scope: Scope) -> Operation | None:
    """Return the scope's last operation."""
    last = engine.store.list_operations(scope, limit=1)
    return last[0] if last else None


def _lose_words(standing: Undoing, old: Note) -> None:
    """Lose what a note has said until now, since it said so last."""
    for note in reversed(standing.past.counting(old.id).values()):
        if note.text != old.text:
            return
        standing.lose(note, root=True)
