"""Writing one operation: notes, documents, links, progress, and what follows."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from lamina.adapters.sqlite import indexing, queueing, scopes
from lamina.adapters.sqlite.queries import load
from lamina.adapters.sqlite.rows import ids_as_json
from lamina.adapters.sqlite.words import Column, pack, pack_maybe
from lamina.errors import Conflict, NotFound
from lamina.model import Note, Progress
from lamina.ports import NOTE_KINDS, VIEWS, Document, EncoderSpace, Operation, Writing
from lamina.times import offset_minutes, to_micros

SQL = load("notes")
TURN, EXCHANGE, NOTE = (VIEWS.index(view) for view in ("turn", "exchange", "note"))


class MessagePlace(NamedTuple):
    """Where a message is."""

    position: int
    withdrawn: bool


class NotePlace(NamedTuple):
    """Where a note is."""

    number: int
    latest: int
    """The number of its latest revision."""
    withdrawn: bool


@dataclass
class Pen:
    """Writes one operation inside a transaction."""

    tx: sqlite3.Connection
    scope: scopes.ScopeRow
    now: datetime
    expected_space: EncoderSpace | None
    messages: dict[str, MessagePlace] = field(default_factory=dict)
    notes: dict[str, NotePlace] = field(default_factory=dict)
    repeated: set[str] = field(default_factory=set)
    """Ids of notes that were there already: they keep the document they have."""
    operation: int = 0
    added: int = 0
    """Documents."""
    changes: int = 0

    @property
    def key(self) -> int:
        """The number of the scope."""
        return self.scope.key

    def write(self, writing: Writing) -> None:
        """Write all of it.

        Raises:
            Conflict: A revision's base is no longer the latest, or a note's event is withdrawn.
            NotFound: Something that it names is not in this scope.
        """
        self._look_up(writing)
        self.operation = self._record(writing.operation)
        self._mark(writing.restore, None)
        for note in writing.notes:
            self._write_note(note)
        for note in writing.notes:
            self._write_evidence(note)
        self._write_documents(writing.documents)
        self._write_links(writing)
        self._write_progress(writing)
        self._mark(writing.withdraw, self.operation)
        queueing.ask(self.tx, self.key, writing.steps, self.now)
        self._settle(writing)
        counts = (self.scope.messages, self.scope.documents + self.added, self.changes)
        self.tx.execute(scopes.SQL["advance"], (*counts, self.key))

    def _look_up(self, writing: Writing) -> None:
        """Find where everything is that the writing names."""
        named = ids_as_json(_named(writing))
        for id_, position, gone in self.tx.execute(SQL["message_places"], (self.key, named)):
            self.messages[id_] = MessagePlace(position, bool(gone))
        for id_, number, latest, gone in self.tx.execute(SQL["note_places"], (self.key, named)):
            self.notes[id_] = NotePlace(number, latest, bool(gone))

    def _message(self, id_: str) -> MessagePlace:
        if id_ not in self.messages:
            raise NotFound(f"no message {id_!r} here")
        return self.messages[id_]

    def _note(self, id_: str) -> NotePlace:
        if id_ not in self.notes:
            raise NotFound(f"no note {id_!r} here")
        return self.notes[id_]

    def _record(self, operation: Operation) -> int:
        """Record the operation, once, and return its number."""
        known = self.tx.execute(SQL["operation_number"], (self.key, operation.id)).fetchone()
        if known is None:
            values = {
                "scope": self.key,
                "id": operation.id,
                "kind": operation.kind,
                "strategy": operation.strategy,
                "model": operation.model,
                "prompt_digest": operation.prompt_digest,
                "cause": pack(operation.cause),
                "known_at": to_micros(operation.known_at),
                "recorded_at": to_micros(operation.recorded_at),
            }
            known = self.tx.execute(SQL["add_operation"], values).fetchone()
        return int(known[0])

    def _write_note(self, note: Note) -> None:
        place = self.notes.get(note.id)
        if note.revision > 1:
            self._revise(note, place)
        elif place:
            self.repeated.add(note.id)
        else:
            self._add_note(note)

    def _add_note(self, note: Note) -> None:
        event = self._event(note)
        if event and event.withdrawn:
            raise Conflict("the message that a note was read from has been withdrawn since")
        values = (self.key, note.id, NOTE_KINDS.index(note.kind), event and event.position)
        row = self.tx.execute(SQL["add_note"], (*values, to_micros(note.said_at))).fetchone()
        self.notes[note.id] = NotePlace(row[0], 1, withdrawn=False)
        self._add_revision(note)

    def _revise(self, note: Note, place: NotePlace | None) -> None:
        if place is None or place.latest != note.revision - 1 or place.withdrawn:
            raise Conflict
        event = self._event(note)
        values = (NOTE_KINDS.index(note.kind), event and event.position, note.revision)
        at = (to_micros(note.said_at), self.key, place.number)
        self.tx.execute(SQL["revise_note"], (*values, *at))
        self.notes[note.id] = place._replace(latest=note.revision)
        self._add_revision(note)
        # What it said until now must not be found any longer, whether or not a new document comes.
        self._remove(d.id for d in indexing.showing(self.tx, self.key, NOTE, place.number))

    def _event(self, note: Note) -> MessagePlace | None:
        return None if note.event is None else self._message(note.event)

    def _add_revision(self, note: Note) -> None:
        times = (note.began_at, note.said_at, note.valid_at, note.invalid_at)
        stored = (note.known_at, note.recorded_at)
        values: tuple[Column | int | None, ...] = (
            self.key,
            self.notes[note.id].number,
            note.revision,
            self.operation,
            note.role,
            pack_maybe(note.about),
            pack_maybe(note.said_by),
            note.certainty,
            note.supported,
            note.indexed,
            note.by_person,
            *(None if time is None else to_micros(time) for time in (*times, *stored)),
            offset_minutes(note.said_at),
            pack(note.text),
        )
        self.tx.execute(SQL["add_revision"], values)

    def _write_evidence(self, note: Note) -> None:
        """Write what a note rests on; one that was there already gains what it lacks."""
        place = self.notes[note.id]
        revision = (self.key, place.number, place.latest)
        sources = [(*revision, self._message(id_).position, self.operation) for id_ in note.sources]
        gained = self.tx.executemany(SQL["add_source"], sources).rowcount if sources else 0
        if note.id not in self.repeated:
            parents = [(*revision, i, self._note(id_).number) for i, id_ in enumerate(note.parents)]
            self.tx.executemany(SQL["add_parent"], parents)
        elif gained > 0:
            began_at, said_at = to_micros(note.began_at), to_micros(note.said_at)
            self.tx.execute(SQL["widen_revision"], (began_at, said_at, *revision))
            self.tx.execute(SQL["widen_note"], (said_at, *revision[:2]))
            self.changes += 1

    def _write_documents(self, documents: Sequence[Document]) -> None:
        wanted = [s for d in documents if (s := self._shown(d))]
        shown = {(VIEWS.index(s.document.view), s.subject): s for s in wanted}
        if not shown:
            return
        for view, subject in shown:
            self._remove(d.id for d in indexing.showing(self.tx, self.key, view, subject))
        space = indexing.check_space(indexing.present_space(self.tx), self.expected_space)
        first = self.scope.documents + 1
        indexing.add(self.tx, self.key, first, list(shown.values()), space)
        self.added = len(shown)
        made = [(self.key, s.subject, s.previous) for s in wanted if s.document.view == "exchange"]
        self.tx.executemany(indexing.SQL["exchange_done"], made)

    def _shown(self, document: Document) -> indexing.Shown | None:
        """Return a document with what it stands for, or `None` if it is not to be written."""
        if document.view == "note":
            if document.ref in self.repeated:
                return None
            note = self._note(document.ref)
            until = indexing.ALWAYS if note.withdrawn else indexing.FOREVER
            return indexing.Shown(document, note.number, known_until=until)
        message = self._message(document.ref)
        previous = None if document.previous is None else self._message(document.previous)
        if previous and previous.withdrawn:
            return None  # withdrawn while it was encoded: its words must not come back
        at = previous and previous.position
        until = indexing.ALWAYS if message.withdrawn else indexing.FOREVER
        return indexing.Shown(document, message.position, at, known_until=until)

    def _remove(self, documents: Iterable[int]) -> None:
        self.changes += indexing.remove(self.tx, self.key, documents)

    def _write_links(self, writing: Writing) -> None:
        links = [
            (self.key, self._note(link.source).number, self._note(link.target).number,
             pack(link.relation), self.operation)
            for link in writing.links
        ]  # fmt: skip
        self.tx.executemany(SQL["add_link"], links)

    def _write_progress(self, writing: Writing) -> None:
        progress: list[tuple[Progress, int, int]] = [
            (progress, self.key, self._message(id_).position)
            for id_, progress in writing.progress.items()
        ]
        self.tx.executemany(SQL["set_progress"], progress)
        consolidated = [(self.key, self._message(id_).position) for id_ in writing.consolidated]
        self.tx.executemany(SQL["set_consolidated"], consolidated)

    def _mark(self, ids: Sequence[str], withdrawn_by: int | None) -> None:
        """Withdraw messages and notes with all that shows them, or restore them."""
        withdrawn = withdrawn_by is not None
        for id_ in ids:
            note = self.notes.get(id_)
            place = note or self._message(id_)
            if place.withdrawn == withdrawn:
                continue
            if note:
                self.notes[id_] = note._replace(withdrawn=withdrawn)
                self._mark_one("mark_note", note.number, withdrawn_by, (NOTE,))
            else:
                self._mark_message(id_, withdrawn_by)

    def _mark_message(self, id_: str, withdrawn_by: int | None) -> None:
        position = self.messages[id_].position
        self.messages[id_] = MessagePlace(position, withdrawn_by is not None)
        self._mark_one("mark_message", position, withdrawn_by, (TURN, EXCHANGE))
        self.tx.execute(indexing.SQL["exchange_due"], (self.key, position))
        if withdrawn_by is not None:
            before = indexing.showing_before(self.tx, self.key, position)
            self._remove(d.id for d in before)

    def _mark_one(
        self, query: str, subject: int, withdrawn_by: int | None, views: Sequence[int]
    ) -> None:
        self.tx.execute(SQL[query], (withdrawn_by, self.key, subject))
        until = indexing.FOREVER if withdrawn_by is None else indexing.ALWAYS
        for view in views:
            shown = [d.id for d in indexing.showing(self.tx, self.key, view, subject)]
            indexing.close(self.tx, self.key, shown, until)
        self.changes += 1

    def _settle(self, writing: Writing) -> None:
        if writing.job is None:
            return
        if writing.redo_at is None:
            queueing.done(self.tx, self.key, writing.job, self.now)
        else:
            queueing.put_back(self.tx, self.key, writing.job, writing.redo_at, writing.error)


def _named(writing: Writing) -> set[str]:
    """Return every id of a message or note that a writing names."""
    named = {*writing.progress, *writing.consolidated, *writing.withdraw, *writing.restore}
    for note in writing.notes:
        named.update((note.id, *note.sources, *note.parents))
        named.update(() if note.event is None else (note.event,))
    for document in writing.documents:
        named.add(document.ref)
        named.update(() if document.previous is None else (document.previous,))
    for link in writing.links:
        named.update((link.source, link.target))
    return named
