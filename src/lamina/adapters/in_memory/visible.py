"""What is visible of a state from a moment: worked out from its facts, nothing else hides.

An operation's word that something is gone counts unless that operation is undone. Only what was
recorded before `At.recorded_as_of` takes part, only what was known before `At.as_of` shows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from lamina.model import At, Gone, Link, Matter, Message, Note, Progress, Session
from lamina.ports import ALWAYS, NOTE_KINDS, Document, Exchange, Operation, is_interaction
from lamina.times import to_micros

if TYPE_CHECKING:
    from lamina.adapters.in_memory.state import State
    from lamina.ports import Snapshot

WAITING: tuple[Progress, ...] = ("pending", "unextracted")
BUFFERED: tuple[Progress, ...] = ("bound", "unextracted")
Subject = tuple[Matter, str, int]
"""What a mark is on: what it is, its id, the number of the revision or 0."""


@dataclass(eq=False)
class Visible:
    """One state, looked at from one moment. It lives as long as the state does."""

    state: State
    moment: At
    snapshot: Snapshot | None = None
    """What search reads, once it was asked for."""

    # What takes part.

    def _recorded(self, recorded_at: datetime) -> bool:
        bound = self.moment.recorded_as_of
        return bound is None or recorded_at < bound

    def _known(self, known_at: datetime) -> bool:
        bound = self.moment.as_of
        return bound is None or known_at < bound

    @cached_property
    def _marks(self) -> list[tuple[Gone, Operation]]:
        """All that was ever said to be gone, in the order of the log."""
        marks = [(gone, self.state.operations[by]) for gone, by in self.state.gone]
        return sorted(marks, key=lambda mark: mark[1].number)

    @cached_property
    def undone(self) -> dict[str, str]:
        """The operations that are undone, each with the one that undid it last."""
        named: dict[str, list[str]] = defaultdict(list)
        for gone, by in self._marks:
            if gone.what == "operation":
                named[by.id].append(gone.id)
        undone: dict[str, str] = {}
        # From the last to the first: whatever undoes an operation comes after it in the log.
        for id_, operation in reversed(self.state.operations.items()):
            if self._recorded(operation.recorded_at) and id_ not in undone:
                for each in named.get(id_, ()):
                    undone.setdefault(each, id_)
        return undone

    def stands(self, operation: str | None) -> bool:
        """Whether an operation, if it is one, is not undone."""
        return operation is None or operation not in self.undone

    def _acted(self, operation: Operation) -> bool:
        """Whether an operation was recorded and is not undone."""
        return self._recorded(operation.recorded_at) and self.stands(operation.id)

    @cached_property
    def hidden(self) -> dict[Subject, str]:
        """What marks hide at this moment, each with the operation that did so first."""
        hidden: dict[Subject, str] = {}
        for gone, by in self._marks:
            if self._acted(by) and (gone.always or self._known(by.known_at)):
                hidden.setdefault((gone.what, gone.id, gone.revision), by.id)
        return hidden

    @cached_property
    def ends(self) -> dict[Subject, int]:
        """Until when what marks put out of force was in force, in microseconds.

        `ALWAYS` for what never was; nothing is told of what still is.
        """
        ends: dict[Subject, int] = {}
        for gone, by in self._marks:
            if self._acted(by):
                end = ALWAYS if gone.always else to_micros(by.known_at)
                place = (gone.what, gone.id, gone.revision)
                ends[place] = min(ends.get(place, end), end)
        return ends

    # Messages and sessions.

    @cached_property
    def messages(self) -> dict[str, Message]:
        """By id, in (said_at, position) order."""
        seen = [m for m in self.state.messages.values() if self._shows_message(m)]
        return {m.id: self._told(m, withdrawn=False) for m in sorted(seen, key=said)}

    def _shows_message(self, message: Message) -> bool:
        return (
            self._known(message.said_at)
            and self._recorded(message.recorded_at)
            and self.stands(message.operation)
            and ("message", message.id, 0) not in self.hidden
        )

    def recorded(self, ids: Iterable[str]) -> list[Message]:
        """Return these messages, whether or not they show."""
        held = self.state.messages
        return [
            self._told(held[id_], withdrawn=id_ not in self.messages) for id_ in ids if id_ in held
        ]

    def _told(self, message: Message, *, withdrawn: bool) -> Message:
        """Return a stored message with what is worked out about it.

        How far it has come is told as it is now, whatever the moment.
        """
        consolidated = self.state.at().is_consolidated(message.id)
        if (consolidated, withdrawn) == (message.consolidated, message.withdrawn):
            return message
        return replace(message, consolidated=consolidated, withdrawn=withdrawn)

    def is_consolidated(self, id_: str) -> bool:
        """Whether a message has left the buffer, and was not put back since."""
        by = self.state.consolidated.get(id_)
        if by is None:
            return False
        return self.state.operations[by].number > self._reopened.get(id_, 0)

    @cached_property
    def _reopened(self) -> dict[str, int]:
        """By message: the number of the last operation that put it back in the buffer."""
        return {
            gone.id: by.number
            for gone, by in self._marks
            if gone.what == "consolidation" and self._acted(by)
        }

    @cached_property
    def of_session(self) -> dict[str, list[Message]]:
        """The messages of each session, in the order of the sessions' first appearance."""
        grouped: dict[str, list[Message]] = {name: [] for name in self.state.closed}
        for message in self.messages.values():
            grouped[message.session].append(message)
        return {session: messages for session, messages in grouped.items() if messages}

    @cached_property
    def sessions(self) -> list[Session]:
        """By their first message's time; ties by first appearance."""
        found = [self._session(name, each) for name, each in self.of_session.items()]
        return sorted(found, key=lambda session: session.began_at)

    def _session(self, name: str, messages: list[Message]) -> Session:
        return Session(
            id=name,
            began_at=messages[0].said_at.astimezone(UTC),
            ended_at=messages[-1].said_at.astimezone(UTC),
            messages=len(messages),
            pending=sum(m.progress in WAITING for m in messages),
            closed=self.state.closed.get(name, False),
        )

    @cached_property
    def participants(self) -> list[str]:
        """Who has spoken, in order of first appearance."""
        spoken = sorted(self.messages.values(), key=lambda message: message.position)
        return list(dict.fromkeys(message.speaker for message in spoken))

    @cached_property
    def buffer(self) -> list[Message]:
        """Messages that no consolidation has taken up, oldest first."""
        messages = self.messages.values()
        return [m for m in messages if m.progress in BUFFERED and not m.consolidated]

    @cached_property
    def descriptions(self) -> dict[str, Message]:
        """By item, what was said last of what it is."""
        messages = self.messages.values()
        return {m.item: m for m in messages if m.item is not None and not is_interaction(m)}

    # Notes and links.

    @cached_property
    def of_note(self) -> dict[str, list[Note]]:
        """Every revision of each note, whatever counts, by number; notes as first written."""
        grouped: dict[str, list[Note]] = defaultdict(list)
        for note in self.state.revisions.values():
            grouped[note.id].append(note)
        return grouped

    @cached_property
    def notes(self) -> dict[str, Note]:
        """By id, in the order written: each as its last revision that counts says."""
        last = {note.id: note for note in self.state.revisions.values() if self.counts(note)}
        written = [id_ for id_, number in self.state.revisions if number == 1]
        return {
            id_: last[id_] for id_ in written if id_ in last and ("note", id_, 0) not in self.hidden
        }

    @cached_property
    def of_event(self) -> dict[str, list[Note]]:
        """The notes of each event, facts before relations, in the order written."""
        grouped: dict[str, list[Note]] = defaultdict(list)
        for note in sorted(self.notes.values(), key=lambda note: NOTE_KINDS.index(note.kind)):
            if note.event is not None:
                grouped[note.event].append(note)
        return dict(grouped)

    def counts(self, note: Note) -> bool:
        """Whether a revision counts, its note hidden or not."""
        return (
            self._known(note.known_at)
            and self._recorded(note.recorded_at)
            and self.stands(note.operation)
            and ("revision", note.id, note.revision) not in self.hidden
        )

    def hidden_by(self, note: Note) -> str | None:
        """Return the operation that put a revision, or its whole note, out of force, if any."""
        return (
            self.undone.get(note.operation)
            or self.hidden.get(("revision", note.id, note.revision))
            or self.hidden.get(("note", note.id, 0))
        )

    @cached_property
    def links(self) -> list[Link]:
        """Between visible notes, in the order written."""
        made = [(link, self.state.operations[by]) for link, by in self.state.links]
        acted = [link for link, by in made if self._acted(by) and self._known(by.known_at)]
        return [e for e in dict.fromkeys(acted) if {e.source, e.target} <= self.notes.keys()]

    # What search finds.

    @cached_property
    def documents(self) -> dict[int, Document]:
        """By id, ascending."""
        notes = [self.state.shown.get((n.id, n.revision)) for n in self.notes.values()]
        turns = [
            id_
            for id_, d in self.state.documents.items()
            if d.view == "turn" and d.ref in self.messages
        ]
        ids = [*turns, *self.exchanges.values(), *(id_ for id_ in notes if id_ is not None)]
        return {id_: self.state.documents[id_] for id_ in sorted(ids)}

    @cached_property
    def exchanges(self) -> dict[str, int]:
        """By message, the document that shows it after the message last said before it."""
        found = [
            (said(self.messages[d.previous]), d.ref, id_)
            for id_, d in self.state.documents.items()
            if d.view == "exchange" and d.ref in self.messages and d.previous in self.messages
        ]
        return {ref: id_ for _, ref, id_ in sorted(found)}

    def stale_exchanges(self, session: str) -> list[Exchange]:
        """Return messages of a session whose exchange is missing or shows another one."""
        shown = {ref: self.state.documents[id_].previous for ref, id_ in self.exchanges.items()}
        spoken = [m for m in self.of_session.get(session, ()) if m.item is None]
        return [
            Exchange(previous=before, message=message)
            for before, message in pairwise(spoken)
            if shown.get(message.id) != before.id
        ]

    # The log.

    def operation(self, id_: str) -> Operation:
        """Return an operation with the one that undid it."""
        return replace(self.state.operations[id_], undone_by=self.undone.get(id_))


def said(message: Message) -> tuple[datetime, int]:
    """Return what messages are ordered by."""
    return message.said_at, message.position
