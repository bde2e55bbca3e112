"""From rows to values."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from lamina.adapters.sqlite.words import unpack, unpack_maybe
from lamina.model import Message, Session
from lamina.times import from_micros

Row = tuple[Any, ...]
T = TypeVar("T")


def ids_as_json(ids: Iterable[str]) -> str:
    """Return ids as one parameter, for `json_each`."""
    return json.dumps(list(ids))


def message(row: Row) -> Message:
    """Return the message of a row of `spoken`."""
    _, position, id_, session, role, speaker, text, said_at, offset, recorded_at = row[:10]
    key, metadata, progress, consolidated, withdrawn_by, reopened, author, operation = row[10:]
    return Message(
        id=id_,
        session=unpack(session),
        role=role,
        speaker=unpack(speaker),
        text=unpack(text),
        said_at=from_micros(said_at, offset),
        recorded_at=from_micros(recorded_at),
        position=position,
        key=unpack_maybe(key),
        metadata=json.loads(metadata),
        progress=progress,
        consolidated=consolidated > reopened,
        withdrawn=withdrawn_by is not None,
        author=unpack_maybe(author),
        operation=operation,
    )


def messages(rows: Iterable[Row]) -> list[Message]:
    """Return the messages of some rows, in their order."""
    return [message(row) for row in rows]


def session(row: Row) -> Session:
    """Return the session of a row of the query `sessions`."""
    name, began_at, ended_at, count, pending, closed_at = row
    return Session(
        id=unpack(name),
        began_at=from_micros(began_at),
        ended_at=from_micros(ended_at),
        messages=count,
        pending=pending,
        closed=closed_at is not None,
    )


def as_asked(found: dict[str, T], ids: Sequence[str]) -> list[T]:
    """Return what was found of `ids`, in the order asked."""
    return [found[id_] for id_ in ids if id_ in found]
