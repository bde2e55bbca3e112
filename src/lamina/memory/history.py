"""Where something comes from: its revisions, and the chain down to the messages."""

from __future__ import annotations

from lamina.errors import NotFound
from lamina.memory.edit import find
from lamina.memory.values import Source, Why
from lamina.model import Message, Note, Revision, Scope
from lamina.work.engine import Engine

DEEPEST = 8
"""How many summaries of summaries are followed."""


def history(engine: Engine, scope: Scope, id_: str) -> list[Revision]:
    """Return every revision of a note, first to last; also of a withdrawn one.

    Raises:
        NotFound: There is no such note here.
    """
    revisions = engine.store.history(scope, id_)
    if not revisions and not engine.store.known(scope, [id_]):
        raise NotFound(f"nothing here has the id {id_!r}; `list` shows what there is")
    return revisions


def why(engine: Engine, scope: Scope, id_: str, depth: int = 0) -> Why:
    """Return the chain from a note or message down to the messages it rests on.

    Raises:
        NotFound: There is nothing live with this id here.
    """
    found = find(engine, scope, id_)
    if isinstance(found, Message):
        return Why(
            id=found.id, text=found.text, note=None, operation=None, sources=(_source(found),)
        )
    operations = engine.store.operations(scope, [found.operation])
    return Why(
        id=found.id,
        text=found.text,
        note=found,
        operation=operations[0] if operations else None,
        revisions=tuple(engine.store.history(scope, id_)),
        formed_from=_parents(engine, scope, found, depth),
        sources=tuple(map(_source, engine.store.messages(scope, found.sources))),
    )


def _parents(engine: Engine, scope: Scope, note: Note, depth: int) -> tuple[Why, ...]:
    if depth >= DEEPEST:
        return ()
    parents = engine.store.notes(scope, [p for p in note.parents if p != note.id])
    return tuple(why(engine, scope, parent.id, depth + 1) for parent in parents)


def _source(message: Message) -> Source:
    return Source(
        id=message.id,
        role=message.role,
        speaker=message.speaker,
        said_at=message.said_at,
        text=message.text,
    )
