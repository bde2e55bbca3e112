"""Where something comes from: its revisions, and the chain down to the messages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal

from lamina.errors import NotFound
from lamina.memory import differences
from lamina.memory.chronicle import Chronicle
from lamina.memory.values import Source, Why
from lamina.memory.write import identifier
from lamina.model import Message, Note, Revision, Scope
from lamina.ports import Operation
from lamina.work.engine import Engine

DEEPEST = 8
"""How many summaries of summaries, and how many successors of a note, are followed."""
Along = Literal["parents", "successors", "predecessors"]
"""What is followed from a note."""


def history(engine: Engine, scope: Scope, id_: str) -> list[Revision]:
    """Return every revision of a note, first to last, each with what it changed in words.

    Hidden ones are told too, with what put them out of force. A message, which is never revised,
    has one entry: what added it, and what hides it, if anything does.

    Raises:
        NotFound: There is no such note or message here.
        BadInput: The id is no text.
    """
    revisions = engine.store.history(scope, identifier(id_))
    past = Chronicle(engine.store, scope)
    if revisions:
        return _told(past, revisions)
    return [_of_message(past, _message(engine, scope, id_))]


def why(engine: Engine, scope: Scope, id_: str) -> Why:
    """Return the chain from a note or message, hidden or not, down to the messages it rests on.

    Raises:
        NotFound: There is no such thing here.
        BadInput: The id is no text.
    """
    chain = _Chain(engine, scope)
    note = chain.note(identifier(id_))
    if note is None:
        return chain.of_message(_message(engine, scope, id_))
    return chain.of(note, ("parents", "successors", "predecessors"))


def _message(engine: Engine, scope: Scope, id_: str) -> Message:
    found = engine.store.recorded(scope, [id_])
    if not found:
        raise NotFound(f"nothing here has the id {id_!r}; `list` shows what there is")
    return found[0]


# Revisions, in words.


def _told(past: Chronicle, revisions: list[Revision]) -> list[Revision]:
    past.look_up(each.operation for each in revisions)
    past.look_up(each.undone_by for each in revisions if each.undone_by)
    return [
        replace(each, difference="; ".join(_phrases(past, revisions[:i], each)))
        for i, each in enumerate(revisions)
    ]


def _phrases(past: Chronicle, earlier: list[Revision], revision: Revision) -> Iterable[str]:
    before = _base(past, earlier, revision)
    if before:
        successor = _text(past, revision.superseded_by)
        yield from differences.between(before, revision, successor)
    if revision.by_person:
        yield "by a person"
    if revision.undone_by:
        yield _undone(past.operation(revision.undone_by))


def _base(past: Chronicle, earlier: list[Revision], revision: Revision) -> Revision | None:
    """Return the revision that counted when this one was made."""
    number = past.number(revision.operation)
    counted = [r for r in earlier if not r.undone_by or past.number(r.undone_by) >= number]
    return counted[-1] if counted else None


def _text(past: Chronicle, id_: str | None) -> str | None:
    states = past.states(id_) if id_ else {}
    return states[max(states)].note.text if states else None


def _undone(operation: Operation) -> str:
    return f"undone by {operation.kind} on {operation.recorded_at.date()}"


def _of_message(past: Chronicle, message: Message) -> Revision:
    added = message.operation and past.operation(message.operation)
    hidden = _hides(past, message) if message.withdrawn else None
    return Revision(
        note=message.id,
        number=1,
        text=message.text,
        operation=message.operation or "",
        cause=added.kind if added else "add",
        model=None,
        prompt_digest=None,
        sources=(message.id,),
        parents=(),
        known_at=message.said_at,
        recorded_at=message.recorded_at,
        by_person=message.role == "user",
        withdrawn=hidden is not None,
        undone_by=hidden.id if hidden else None,
        difference=_undone(hidden) if hidden else "",
    )


def _hides(past: Chronicle, message: Message) -> Operation | None:
    """Return what hides a message: what undid its addition, else what withdrew it."""
    added = past.operation(message.operation) if message.operation else None
    if added and added.undone_by:
        return past.operation(added.undone_by)
    marking = past.hidden_by("message", message.id)
    return next((operation for operation in marking if not operation.undone_by), None)


# The chain.


class _Chain:
    """Where the things of a scope come from."""

    def __init__(self, engine: Engine, scope: Scope) -> None:
        self._store = engine.store
        self._scope = scope
        self._past = Chronicle(engine.store, scope)

    def note(self, id_: str) -> Note | None:
        """Return a note as it is, or as it last was; `None` if there is none."""
        states = self._past.states(id_)
        if not states:
            return None
        counting = self._past.counting(id_)
        return counting[max(counting)] if counting else states[max(states)].note

    def of_message(self, message: Message) -> Why:
        """Return where a message comes from: what added it."""
        source = _source(message)
        return Why(
            id=message.id,
            text=message.text,
            note=None,
            operation=self._past.operation(message.operation) if message.operation else None,
            sources=(source,),
            live=source.live,
        )

    def of(self, note: Note, along: tuple[Along, ...], depth: int = 0) -> Why:
        """Return where a note comes from, and what else is asked for to some depth."""
        follow = along if depth < DEEPEST else ()
        return Why(
            id=note.id,
            text=note.text,
            note=note,
            operation=self._past.operation(note.operation),
            revisions=tuple(_told(self._past, self._store.history(self._scope, note.id))),
            formed_from=self._parents(note, depth) if "parents" in follow else (),
            sources=tuple(map(_source, self._store.recorded(self._scope, note.sources))),
            live=bool(self._past.counting(note.id)),
            superseded_by=self._successors(note, depth) if "successors" in follow else (),
            supersedes=self._predecessors(note, depth) if "predecessors" in follow else (),
        )

    def _parents(self, note: Note, depth: int) -> tuple[Why, ...]:
        ids = [p for p in note.parents if p not in (note.id, note.superseded_by)]
        return self._each(ids, "parents", depth)

    def _successors(self, note: Note, depth: int) -> tuple[Why, ...]:
        return self._each([note.superseded_by] if note.superseded_by else [], "successors", depth)

    def _predecessors(self, note: Note, depth: int) -> tuple[Why, ...]:
        formed = self._store.formed_from(self._scope, [note.id])
        ids = dict.fromkeys(each.id for each in formed)
        live = self._store.notes(self._scope, list(ids))
        return self._each(
            [each.id for each in live if each.superseded_by == note.id], "predecessors", depth
        )

    def _each(self, ids: Iterable[str], along: Along, depth: int) -> tuple[Why, ...]:
        notes = [note for note in map(self.note, ids) if note]
        return tuple(self.of(note, (along,), depth + 1) for note in notes)


def _source(message: Message) -> Source:
    return Source(
        id=message.id,
        role=message.role,
        speaker=message.speaker,
        said_at=message.said_at,
        text=message.text,
        live=not message.withdrawn,
    )
