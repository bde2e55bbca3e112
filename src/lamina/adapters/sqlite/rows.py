"""From rows to values."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, TypeVar

from lamina.adapters.sqlite.words import unpack, unpack_maybe
from lamina.model import Message, Note, Session
from lamina.ports import NOTE_KINDS, Grant, Operation
from lamina.times import from_micros

Row = tuple[Any, ...]
Evidence = dict[tuple[int, int], list[str]]
"""Ids by the number of a note and of its revision."""
T = TypeVar("T")


def ids_as_json(ids: Iterable[str]) -> str:
    """Return ids as one parameter, for `json_each`."""
    return json.dumps(list(ids))


def message(row: Row) -> Message:
    """Return the message of a row of `spoken`."""
    _, position, id_, session, role, speaker, text, said_at, offset, recorded_at = row[:10]
    key, metadata, progress, consolidated, withdrawn_by, reopened, author, operation = row[10:18]
    item, action, rating = row[18:]
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
        item=unpack_maybe(item),
        action=unpack_maybe(action),
        rating=rating,
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


def evidence(found: Iterable[Row]) -> Evidence:
    """Return ids of sources or parents by the revision that has them, in their order."""
    evidence: Evidence = defaultdict(list)
    for note, revision, id_ in found:
        evidence[note, revision].append(id_)
    return evidence


def note(row: Row, sources: Evidence, parents: Evidence) -> Note:
    """Return the note of a row of `remembered` or `said`."""
    _, number, id_, kind, _, said_at, _, latest, heard, operation, role, about = row[:12]
    said_by, certainty, supported, indexed, by_person, began_at = row[12:18]
    valid_at, invalid_at, known_at, recorded_at, offset, text, superseded_by = row[18:25]
    keywords, tags, context, sureness, narrower, item = row[25:31]
    return Note(
        id=id_,
        kind=NOTE_KINDS[kind],
        text=unpack(text),
        event=heard,
        sources=tuple(sources.get((number, latest), ())),
        parents=tuple(parents.get((number, latest), ())),
        role=role,
        about=unpack_maybe(about),
        said_by=unpack_maybe(said_by),
        certainty=certainty,
        supported=bool(supported),
        indexed=bool(indexed),
        began_at=from_micros(began_at, offset),
        said_at=from_micros(said_at, offset),
        valid_at=moment(valid_at, offset),
        invalid_at=moment(invalid_at, offset),
        superseded_by=superseded_by,
        known_at=from_micros(known_at),
        recorded_at=from_micros(recorded_at),
        revision=latest,
        operation=operation,
        by_person=bool(by_person),
        item=unpack_maybe(item),
        keywords=words(keywords),
        tags=words(tags),
        context=unpack(context),
        sureness=sureness,
        narrower=bool(narrower),
    )


def words(listed: str) -> tuple[str, ...]:
    """Return the keywords or tags of a column."""
    return () if listed == "[]" else tuple(json.loads(listed))


def operation(row: Row) -> Operation:
    """Return the operation of a row of `logged`."""
    _, number, id_, kind, strategy, model, prompt_digest, cause, known_at = row[:9]
    recorded_at, undone_by = row[9:]
    return Operation(
        id=id_,
        kind=kind,
        strategy=strategy,
        model=model,
        prompt_digest=prompt_digest,
        cause=unpack(cause),
        known_at=from_micros(known_at),
        recorded_at=from_micros(recorded_at),
        number=number,
        undone_by=undone_by,
    )


def grant(row: Row) -> Grant:
    """Return the grant of a row of the query `grants`."""
    principal, may_read, may_write, given_at = row
    return Grant(
        principal=unpack(principal),
        read=bool(may_read),
        write=bool(may_write),
        given_at=from_micros(given_at),
    )


def moment(micros: int | None, offset: int) -> datetime | None:
    """Return a time in its offset, minutes east of UTC; `None` for `None`."""
    return None if micros is None else from_micros(micros, offset)


def as_asked(found: dict[str, T], ids: Sequence[str]) -> list[T]:
    """Return what was found of `ids`, in the order asked."""
    return [found[id_] for id_ in ids if id_ in found]
