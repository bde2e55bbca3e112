"""Writing one operation: notes, documents, links, progress, what is gone, and what follows."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from lamina.adapters.sqlite import columns, in_force, indexing, queueing, scopes
from lamina.adapters.sqlite.places import NotePlace, Places
from lamina.adapters.sqlite.queries import load
from lamina.adapters.sqlite.words import pack
from lamina.errors import Conflict, NotFound
from lamina.model import Gone, Note, Progress
from lamina.ports import ADDING, NOTE_KINDS, VIEWS, Document, EncoderSpace, Operation, Writing
from lamina.times import to_micros

SQL = load("notes")
NOTE = VIEWS.index("note")


class OperationPlace(NamedTuple):
    """Where an operation is in the log."""

    number: int
    undone: bool


def record(tx: sqlite3.Connection, scope: int, operation: Operation) -> OperationPlace:
    """Record an operation, once, and return its place."""
    return place_of(tx, scope, operation.id) or _logged(tx, scope, operation)


def _logged(tx: sqlite3.Connection, scope: int, operation: Operation) -> OperationPlace:
    values = (scope, *columns.logged(operation))
    (number,) = tx.execute(SQL["add_operation"], values).fetchone()
    return OperationPlace(number, undone=False)


def place_of(tx: sqlite3.Connection, scope: int, operation: str) -> OperationPlace | None:
    """Return the place of an operation, if it is recorded."""
    found = tx.execute(SQL["operation_place"], (scope, pack(operation))).fetchone()
    return OperationPlace(found[0], bool(found[1])) if found else None


def write_all(
    tx: sqlite3.Connection,
    scope: scopes.ScopeRow,
    writings: Sequence[Writing],
    now: datetime,
    expected_space: EncoderSpace | None,
) -> None:
    """Write several operations, one after the other, inside a transaction.

    Raises:
        Conflict: What the writer read of a note, an event or an operation is no longer so.
        NotFound: Something that a writing names is not in this scope.
    """
    places = Places(tx, scope.key)
    places.look_up(writings)
    ink = indexing.Ink(tx, scope.key)
    changes = upheavals = 0
    for i, writing in enumerate(writings, start=1):
        pen = Pen(tx, scope, now, expected_space, places, ink)
        pen.write(writing)
        scope = scope._replace(documents=scope.documents + pen.added)
        changes += pen.changes
        upheavals += pen.overturned
        if pen.overturned and i < len(writings):  # what was looked up may be hidden now
            places.look_up(writings[i:])
    ink.dry()
    counts = (scope.messages, scope.documents, changes, upheavals)
    tx.execute(scopes.SQL["advance"], (*counts, scope.key))


@dataclass
class Pen:
    """Writes one operation inside a transaction."""

    tx: sqlite3.Connection
    scope: scopes.ScopeRow
    now: datetime
    expected_space: EncoderSpace | None
    places: Places
    ink: indexing.Ink
    made: set[str] = field(default_factory=set)
    """Ids of the notes that were not there before."""
    written: set[str] = field(default_factory=set)
    """Ids of the notes with a new revision."""
    repeated: set[str] = field(default_factory=set)
    """Ids of those that were and are said again: they keep the document they have."""
    based: list[NotePlace] = field(default_factory=list)
    """Where notes were before each of their new revisions that was written."""
    operation: OperationPlace = field(init=False)
    ordinal: int = 0
    """How many revisions the operation has written."""
    added: int = 0
    """Documents."""
    changes: int = 0
    overturned: bool = False
    """Whether anything that was written before has changed, but for notes that were revised."""

    @property
    def key(self) -> int:
        """The number of the scope."""
        return self.scope.key

    def write(self, writing: Writing) -> None:
        """Write all of it."""
        self._check_since(writing)
        known = place_of(self.tx, self.key, writing.operation.id)
        self.overturned |= known is not None and bool(writing.notes or writing.links)
        self.operation = known or _logged(self.tx, self.key, writing.operation)
        if known:
            written = (self.key, known.number)
            (self.ordinal,) = self.tx.execute(SQL["revisions_written"], written).fetchone()
        for note in writing.notes:
            self._add_note(note)
        for note in writing.notes:
            self._write_note(note)
        self._write_documents(writing.documents)
        for base in self.based:
            self._carry(base, "share_document")
        self._settle_documents(writing)
        self._write_links(writing)
        self._write_progress(writing)
        if writing.gone or self.operation.undone:
            self._put_out_of_force(writing)
        queueing.ask(self.tx, self.key, writing.steps, self.now)
        self._settle(writing)

    def _check_since(self, writing: Writing) -> None:
        if writing.after is not None:
            asked = (self.key, writing.after, json.dumps(ADDING))
            (changed,) = self.tx.execute(SQL["changed_since"], asked).fetchone()
            if changed:
                raise Conflict

    def _was_there(self, id_: str) -> bool:
        return id_ in self.places.notes and id_ not in self.made

    def _add_note(self, note: Note) -> None:
        """Add what is new, so that revisions can name each other's notes."""
        if note.revision > 1 or note.id in self.places.notes:
            return
        event = None if note.event is None else self.places.message(note.event)
        if event and event.withdrawn:
            raise Conflict("the message that a note was read from has been withdrawn since")
        number = self.places.next_note()
        values = (number, note.id, NOTE_KINDS.index(note.kind), event and event.position)
        self.tx.execute(SQL["add_note"], (self.key, *values, to_micros(note.said_at)))
        self.places.notes[note.id] = NotePlace(number, 0, 0, withdrawn=False)
        self.made.add(note.id)

    def _write_note(self, note: Note) -> None:
        place = self.places.notes.get(note.id)
        if place is None or (note.revision > 1 and place.latest != note.revision - 1):
            raise Conflict
        if note.revision == 1 and place.last > 0:
            self.repeated.add(note.id)
            self._gain(note, place)
            return
        if place.withdrawn:
            raise Conflict
        self._add_revision(note, place)
        self._let_count(note.id, place)

    def _let_count(self, id_: str, place: NotePlace) -> None:
        """Let a note be as the revision says that was written last."""
        number = place.last + 1
        if number > 1:
            self.tx.execute(SQL["revise_note"], (self.key, place.number, number))
        self.places.notes[id_] = place._replace(latest=number, last=number)
        self.ordinal += 1
        self.written.add(id_)
        self.changes += self._was_there(id_)

    def _add_revision(self, note: Note, place: NotePlace) -> None:
        number = place.last + 1
        heir = None if note.superseded_by is None else self.places.note(note.superseded_by).number
        made = (self.operation.number, self.ordinal)
        revision = (self.key, place.number, number)
        values = (*revision, *made, *columns.told(note), heir, pack(note.text))
        self.tx.execute(SQL["add_revision"], values)
        self._add_sources(revision, [self.places.message(id_).position for id_ in note.sources])
        parents = [
            (*revision, i, self.places.note(id_).number) for i, id_ in enumerate(note.parents)
        ]
        self.tx.executemany(SQL["add_parent"], parents)
        if place.latest:
            self.based.append(place)

    def _add_sources(self, revision: tuple[int, int, int], positions: Sequence[int]) -> None:
        sources = [(*revision, position, self.operation.number) for position in positions]
        self.tx.executemany(SQL["add_source"], sources)

    def _gain(self, note: Note, place: NotePlace) -> None:
        """Let a note that was there already, and is live, gain the sources it lacks."""
        asked = [self.places.message(id_).position for id_ in note.sources]
        given = (self.key, place.number, place.latest)
        known = [row[0] for row in self.tx.execute(SQL["sources_of_revision"], given)]
        if place.withdrawn or set(asked) <= set(known):
            return
        times = {"began_at": note.began_at, "said_at": note.said_at, "known_at": note.known_at,
                 "recorded_at": note.recorded_at}  # fmt: skip
        self._carry(place, "repeat_revision", **{k: to_micros(time) for k, time in times.items()})
        self._carry(place, "repeat_parents")
        self._add_sources((self.key, place.number, place.last + 1), [*known, *asked])
        self._let_count(note.id, place)

    def _carry(self, place: NotePlace, query: str, **given: int) -> None:
        """Give the revision being written what the latest one has."""
        revision = {"scope": self.key, "note": place.number, "base": place.latest,
                    "number": place.last + 1, "operation": self.operation.number,
                    "ordinal": self.ordinal}  # fmt: skip
        self.tx.execute(SQL[query], revision | given)

    def _write_documents(self, documents: Sequence[Document]) -> None:
        wanted = [s for d in documents if (s := self._shown(d))]
        shown = {(VIEWS.index(s.document.view), s.subject, s.revision): s for s in wanted}
        if not shown:
            return
        space = indexing.check_space(indexing.present_space(self.tx), self.expected_space)
        first = self.scope.documents + 1
        kept = [self._in_place(each, id_) for id_, each in enumerate(shown.values(), start=first)]
        self.ink.add(first, kept, space)
        self.added = len(kept)
        made = [(self.key, s.subject, s.previous) for s in kept if s.document.view == "exchange"]
        if made:
            self.tx.executemany(indexing.SQL["exchange_done"], made)
        self.changes += sum(self._was_there(s.document.ref) for s in kept)

    def _shown(self, document: Document) -> indexing.Shown | None:
        """Return a document with what it stands for, or `None` if it is not to be written."""
        if document.view == "note":
            return self._shown_note(document)
        message = self.places.message(document.ref)
        self.overturned |= document.view == "turn"
        previous = None if document.previous is None else self.places.message(document.previous)
        if previous and previous.withdrawn:
            return None  # withdrawn while it was encoded: its words must not come back
        at = previous and previous.position
        return indexing.Shown(document, message.position, at, hidden=message.withdrawn)

    def _shown_note(self, document: Document) -> indexing.Shown | None:
        note = self.places.note(document.ref)
        number = document.revision
        if number is None:
            if document.ref in self.repeated:
                return None
            number = 1 if note.withdrawn else note.latest
        if not 0 < number <= note.last:
            raise NotFound(f"note {document.ref!r} has no revision {number}")
        self.overturned |= document.ref not in self.written or number != note.last
        return indexing.Shown(document, note.number, revision=number, hidden=note.withdrawn)

    def _in_place(self, shown: indexing.Shown, id_: int) -> indexing.Shown:
        """Let a document take the place of those that the same view had; return it as it stands."""
        view = VIEWS.index(shown.document.view)
        if view == NOTE:
            return self._in_place_of_note(shown, id_)
        if shown.previous is None:
            replaced = indexing.showing(self.tx, self.key, view, shown.subject)
        else:
            given = (self.key, shown.subject, shown.previous)
            replaced = [row[0] for row in self.tx.execute(SQL["replaced_exchanges"], given)]
        self.changes += self._remove(replaced)
        return shown

    def _remove(self, documents: Sequence[int]) -> int:
        if documents:
            self.ink.dry()
        return indexing.remove(self.tx, self.key, documents)

    def _in_place_of_note(self, shown: indexing.Shown, id_: int) -> indexing.Shown:
        """The same for a note, of which the revisions before that one keep theirs."""
        given = (self.key, shown.subject, shown.revision)
        ref = shown.document.ref
        bare = ref in self.written and ref not in self.repeated
        own = None if bare else self.tx.execute(SQL["document_of"], given).fetchone()
        if own is None:
            self.tx.execute(SQL["show"], (id_, *given))
            return shown
        self.overturned = True
        document, first = own
        self.changes += self._remove([document])
        self.tx.execute(SQL["show_instead"], (id_, self.key, shown.subject, document))
        return shown._replace(revision=first)

    def _settle_documents(self, writing: Writing) -> None:
        """Let notes that were there already be found by what they say now."""
        named = {note.id for note in writing.notes} | {d.ref for d in writing.documents}
        known = {self.places.notes[id_].number for id_ in named if self._was_there(id_)}
        if known:
            in_force.settle_note_documents(self.tx, self.key, known)

    def _write_links(self, writing: Writing) -> None:
        links = [
            (self.key, self.places.note(link.source).number, self.places.note(link.target).number,
             pack(link.relation), self.operation.number)
            for link in writing.links
        ]  # fmt: skip
        self.tx.executemany(SQL["add_link"], links)

    def _write_progress(self, writing: Writing) -> None:
        progress: list[tuple[Progress, int, int]] = [
            (progress, self.key, self.places.message(id_).position)
            for id_, progress in writing.progress.items()
        ]
        self.tx.executemany(SQL["set_progress"], progress)
        taken = (self.operation.number, self.key)
        consolidated = [(*taken, self.places.message(id_).position) for id_ in writing.consolidated]
        self.tx.executemany(SQL["set_consolidated"], consolidated)

    def _put_out_of_force(self, writing: Writing) -> None:
        """Write what is gone, and work out what that hides or brings back."""
        made = set(in_force.marks_of(self.tx, self.key, [self.operation.number]))
        marks = dict.fromkeys(self._mark(gone, made) for gone in writing.gone)
        new = [mark for mark in marks if mark not in made]
        in_force.write(self.tx, self.key, self.operation.number, new)
        touched = in_force.Touched()
        for mark in new:
            touched.add(mark)
        if self.operation.undone:  # what it writes is as if it had not been, at once
            numbers = (self.places.notes[note.id].number for note in writing.notes)
            touched.notes.update(numbers)
        if new or self.operation.undone:
            in_force.settle(self.tx, self.key, touched)
            self.changes += 1
            self.overturned = True

    def _mark(self, gone: Gone, made: set[in_force.Mark]) -> in_force.Mark:
        """Return a mark in numbers; one that the operation has not made can be made now."""
        if gone.what in ("message", "consolidation"):
            return in_force.Mark(gone.what, self.places.message(gone.id).position, 0, gone.always)
        if gone.what == "operation":
            return self._undoing(gone, made)
        note = self.places.note(gone.id)
        if gone.what == "revision" and not 0 < gone.revision <= note.last:
            raise NotFound(f"note {gone.id!r} has no revision {gone.revision}")
        revision = gone.revision if gone.what == "revision" else 0
        return in_force.Mark(gone.what, note.number, revision, gone.always)

    def _undoing(self, gone: Gone, made: set[in_force.Mark]) -> in_force.Mark:
        place = place_of(self.tx, self.key, gone.id)
        if place is None or place.number >= self.operation.number:
            raise NotFound(f"no operation {gone.id!r} before this one here")
        mark = in_force.Mark(gone.what, place.number, 0, gone.always)
        if place.undone and mark not in made:
            raise Conflict("that operation has been undone already")
        return mark

    def _settle(self, writing: Writing) -> None:
        if writing.job is None:
            return
        if writing.redo_at is None:
            queueing.done(self.tx, self.key, writing.job, self.now)
        else:
            queueing.put_back(self.tx, self.key, writing.job, writing.redo_at, writing.error)
