"""What a scope holds. A state that is in use is never changed: writing makes another one."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from lamina.model import Link, Message, Note, Progress, Revision, Session
from lamina.ports import Call, Document, Exchange, Job, Lease, Operation, Reply, Snapshot
from lamina.times import from_micros, offset_minutes, to_micros

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WAITING: tuple[Progress, ...] = ("pending", "unextracted")
KINDS = ("index", "bind", "consolidate")
END_OF_TIME = datetime.max.replace(tzinfo=UTC)
BUFFERED: tuple[Progress, ...] = ("bound", "unextracted")


class Kept(NamedTuple):
    """A note with its past."""

    note: Note
    revisions: tuple[Revision, ...]
    withdrawn: bool = False


@dataclass
class State:
    """One scope."""

    epoch: int = 0
    fence: int = 0
    lease: Lease | None = None
    messages: dict[str, Message] = field(default_factory=dict)
    """By id, in the order recorded, withdrawn ones too."""
    closed: dict[str, bool] = field(default_factory=dict)
    """By session."""
    operations: dict[str, Operation] = field(default_factory=dict)
    notes: dict[str, Kept] = field(default_factory=dict)
    """By id, in the order written, withdrawn ones too."""
    links: dict[Link, None] = field(default_factory=dict)
    documents: dict[int, Document] = field(default_factory=dict)
    """By id, of withdrawn things too."""
    last_document: int = 0
    vectors: dict[tuple[str, int], NDArray[np.float32]] = field(default_factory=dict)
    """By the id of their space and that of their document."""
    jobs: dict[tuple[str, str], Job] = field(default_factory=dict)
    """By kind and subject."""
    calls: tuple[Call, ...] = ()
    replies: dict[str, Reply] = field(default_factory=dict)
    snapshot: Snapshot | None = None
    """What search reads, once it was asked for."""

    def copy(self) -> State:
        """Return a state like this one that can be changed."""
        return replace(
            self,
            messages=dict(self.messages),
            closed=dict(self.closed),
            operations=dict(self.operations),
            notes=dict(self.notes),
            links=dict(self.links),
            documents=dict(self.documents),
            vectors=dict(self.vectors),
            jobs=dict(self.jobs),
            replies=dict(self.replies),
            snapshot=None,
        )

    # What is worked out below is for states in use: they do not change any more.

    @cached_property
    def live(self) -> list[Message]:
        """The messages that are not withdrawn, by (said_at, position)."""
        return sorted((m for m in self.messages.values() if not m.withdrawn), key=said)

    @cached_property
    def sessions(self) -> list[Session]:
        """Those with live messages, by their first message's time; ties by first appearance."""
        grouped: dict[str, list[Message]] = {m.session: [] for m in self.messages.values()}
        for message in self.live:
            grouped[message.session].append(message)
        found = [self._session(name, each) for name, each in grouped.items() if each]
        return sorted(found, key=lambda session: session.began_at)

    def _session(self, name: str, messages: list[Message]) -> Session:
        return Session(
            id=name,
            began_at=utc(messages[0].said_at),
            ended_at=utc(messages[-1].said_at),
            messages=len(messages),
            pending=sum(m.progress in WAITING for m in messages),
            closed=self.closed.get(name, False),
        )

    @cached_property
    def shown(self) -> list[tuple[int, Document]]:
        """The live documents, by id."""
        return sorted(
            (item for item in self.documents.items() if not self._hidden(item[1])),
            key=lambda item: item[0],
        )

    def _hidden(self, document: Document) -> bool:
        if document.view == "note":
            return self.notes[document.ref].withdrawn
        return self.messages[document.ref].withdrawn

    def participants(self) -> list[str]:
        """Return who has spoken, in order of first appearance."""
        return list(dict.fromkeys(message.speaker for message in self.messages.values()))

    def buffer(self) -> list[Message]:
        """Return live messages that no consolidation has taken up, oldest first."""
        return [m for m in self.live if m.progress in BUFFERED and not m.consolidated]

    def live_notes(self) -> list[Note]:
        """Return the notes that are not withdrawn, in the order written."""
        return [kept.note for kept in self.notes.values() if not kept.withdrawn]

    def stale_exchanges(self, session: str) -> list[Exchange]:
        """Return live messages of a session whose exchange is missing or shows another one."""
        messages = [m for m in self.live if m.session == session]
        shown = {d.ref: d.previous for d in self.documents.values() if d.view == "exchange"}
        return [
            Exchange(previous=before, message=message)
            for before, message in pairwise(messages)
            if shown.get(message.id) != before.id
        ]

    def urgency(self, job: Job, scope: int) -> tuple[datetime, int, int, str, int]:
        """Return what jobs are ordered by: their session's begin, scope, session and kind."""
        places = {session.id: i for i, session in enumerate(self.sessions)}
        place = places.get(job.step.subject, len(places))
        began_at = self.sessions[place].began_at if place < len(places) else END_OF_TIME
        return began_at, scope, place, job.step.subject, KINDS.index(job.step.kind)


def said(message: Message) -> tuple[datetime, int]:
    """Return what messages are ordered by."""
    return message.said_at, message.position


def utc(moment: datetime) -> datetime:
    """Return a moment as stores give it back: to the microsecond, in UTC."""
    return from_micros(to_micros(moment))


def local(moment: datetime) -> datetime:
    """Return the same in its own offset, which is kept in whole minutes."""
    return from_micros(to_micros(moment), offset_minutes(moment))
