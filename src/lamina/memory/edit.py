"""What a person changes: a note's words, what is withdrawn, and what is forgotten."""

from __future__ import annotations

from dataclasses import replace

from lamina.errors import BadInput, NotFound
from lamina.identity import digest
from lamina.model import At, Message, Note, Scope, Step
from lamina.ports import Operation, Writing
from lamina.work import indexing
from lamina.work.engine import Engine

A_PERSON = "a person"
"""Who caused an edit, where it is not told: a member of a space is named."""


def find(engine: Engine, scope: Scope, id_: str, at: At | None = None) -> Message | Note:
    """Return a live message or note of this scope.

    Raises:
        NotFound: There is none with this id here, whatever other scopes hold.
    """
    found: list[Message | Note] = [
        *engine.store.messages(scope, [id_], at=at),
        *engine.store.notes(scope, [id_], at=at),
    ]
    if not found:
        raise NotFound(f"nothing here has the id {id_!r}; `list` shows what there is")
    return found[0]


def update(engine: Engine, scope: Scope, id_: str, text: str, *, cause: str = A_PERSON) -> Note:
    """Change a note's words as a person's edit: a new revision that outranks extraction.

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
    operation = _operation(engine, scope, "update", id_, old, cause)
    note = replace(
        old,
        text=text,
        revision=old.revision + 1,
        operation=operation.id,
        known_at=operation.known_at,
        recorded_at=operation.recorded_at,
        by_person=True,
        indexed=True,
        supported=True,
    )
    documents = indexing.documents([indexing.note(note)], engine.encoder)
    writing = Writing(operation=operation, notes=(note,), documents=tuple(documents))
    engine.store.apply(scope, writing, now=operation.recorded_at)
    return note


def delete(engine: Engine, scope: Scope, id_: str, *, cause: str = A_PERSON) -> None:
    """Withdraw a note, or a message with every note that rests on it. Nothing is erased.

    A relation or a summary that quotes the message would tell it still, so it goes as well.

    Raises:
        NotFound: There is no such thing here.
    """
    old = find(engine, scope, id_)
    operation = _operation(engine, scope, "delete", id_, old, cause)
    withdrawn: list[str] = [id_]
    steps: tuple[Step, ...] = ()
    if isinstance(old, Message):
        withdrawn += [note.id for note in engine.store.resting_on(scope, [id_])]
        steps = (Step(kind="index", subject=old.session),)
    writing = Writing(operation=operation, withdraw=tuple(withdrawn), steps=steps)
    engine.store.apply(scope, writing, now=operation.recorded_at)


def _operation(
    engine: Engine, scope: Scope, kind: str, id_: str, old: Message | Note, cause: str
) -> Operation:
    now = engine.clock.now()
    read = old.said_at if isinstance(old, Message) else old.known_at
    return Operation(
        id=digest(scope.tenant, scope.kind, scope.id, kind, id_, now.isoformat()),
        kind=kind,
        cause=cause,
        # A person tells it now, whatever was known before.
        known_at=max(now, read),
        recorded_at=now,
    )
