"""From values to columns, in the order in which they are stored."""

from __future__ import annotations

import json

from lamina.adapters.sqlite.words import Column, pack, pack_maybe
from lamina.model import Message, Note
from lamina.ports import MessageDraft, Operation
from lamina.times import offset_minutes, to_micros

Columns = tuple[Column | float | None, ...]


def spoken(message: Message | MessageDraft) -> Columns:
    """Return the columns of a message from its role to its author."""
    return (
        message.role,
        to_micros(message.said_at),
        offset_minutes(message.said_at),
        pack_maybe(message.key),
        pack(message.text),
        json.dumps(dict(message.metadata)) if message.metadata else "{}",
        pack_maybe(message.author),
    )


def told(note: Note) -> Columns:
    """Return the columns of a revision from its role to whether it is narrower."""
    times = (note.began_at, note.said_at, note.valid_at, note.invalid_at)
    return (
        note.role,
        pack_maybe(note.about),
        pack_maybe(note.said_by),
        note.certainty,
        note.supported,
        note.indexed,
        note.by_person,
        *(None if time is None else to_micros(time) for time in times),
        to_micros(note.known_at),
        to_micros(note.recorded_at),
        offset_minutes(note.said_at),
        json.dumps(note.keywords) if note.keywords else "[]",
        json.dumps(note.tags) if note.tags else "[]",
        pack(note.context),
        note.sureness,
        note.narrower,
    )


def logged(operation: Operation) -> Columns:
    """Return the columns of an operation from its id to when it was recorded."""
    return (
        operation.id,
        operation.kind,
        operation.strategy,
        operation.model,
        operation.prompt_digest,
        pack(operation.cause),
        to_micros(operation.known_at),
        to_micros(operation.recorded_at),
    )
