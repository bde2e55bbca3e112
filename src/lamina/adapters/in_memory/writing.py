"""Writing one operation into a state that is still one's own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property

from lamina.adapters.in_memory.indexing import Index
from lamina.adapters.in_memory.state import State, local, recorded, utc
from lamina.adapters.in_memory.visible import Visible
from lamina.errors import Conflict, NotFound
from lamina.model import Gone, Message, Note, Scope, Step
from lamina.ports import ADDING, Document, EncoderSpace, Job, Operation, Writing


@dataclass
class Pen:
    """Writes into `state`; what it raises leaves the state that is in use as it was."""

    state: State
    before: Visible
    """What was live before anything was written: what the writer can have read."""
    scope: Scope
    now: datetime
    space: EncoderSpace | None
    job_ids: Iterator[int]
    written: dict[str, Note] = field(default_factory=dict)
    """The last revision of each note that was written so far."""
    bases: dict[tuple[str, int], Note] = field(default_factory=dict)
    """By note and number of a revision that this writing made: the revision before it."""
    repeated: set[str] = field(default_factory=set)
    """Ids of notes that were there before this writing: they keep the document they have."""

    @cached_property
    def _numbers(self) -> dict[str, int]:
        """By note: the number of the last revision that it ever had."""
        numbers: dict[str, int] = {}
        for id_, number in self.state.revisions:
            numbers[id_] = max(number, numbers.get(id_, 0))
        return numbers

    @cached_property
    def index(self) -> Index:
        """The documents of the state."""
        return Index(self.state, self.space)

    def write(self, writing: Writing) -> None:
        """Write all of it.

        Raises:
            Conflict: What the writer read of a note, an event or an operation is no longer so.
            NotFound: Something that it names is not in this scope.
        """
        self._check_since(writing)
        self.bases, self.repeated = {}, set()
        operation = self.record(writing.operation)
        named = {note.id for note in writing.notes}
        for note in writing.notes:
            self._check(note, named)
            self._write_note(replace(note, operation=operation.id))
        for document in writing.documents:
            self._write_document(document)
        self._share_documents()
        for link in writing.links:
            self._check_notes((link.source, link.target))
            self.state.links[link, operation.id] = None
        self._write_progress(writing, operation)
        for gone in writing.gone:
            self._write_gone(gone, operation)
        self.ask(writing.steps)
        self._settle(writing)

    def look_again(self) -> None:
        """Let what was written so far, and put out of force, be what the next writing begins on."""
        self.before, self.written = self.state.copy().at(), {}

    def record(self, operation: Operation) -> Operation:
        """Put an operation in the log, once, and return it as it stands there."""
        kept = recorded(operation, self.state.next_number)
        return self.state.operations.setdefault(operation.id, kept)

    def add_message(self, message: Message, turn: Document | None) -> None:
        """Add a message as the next one, and what shows it, if anything does."""
        self.state.last_position += 1
        self.state.messages[message.id] = replace(message, position=self.state.last_position)
        self.state.closed[message.session] = False
        if turn:
            self.index.add(replace(turn, ref=message.id))

    def _check_since(self, writing: Writing) -> None:
        if writing.after is not None and any(
            each.number > writing.after and each.kind not in ADDING
            for each in self.state.operations.values()
        ):
            raise Conflict

    def ask(self, steps: Sequence[Step]) -> None:
        """Put steps in the queue; one that waits already is asked for more urgently."""
        for step in steps:
            place = (step.kind, step.subject)
            waiting = self.state.jobs.get(place)
            if waiting:
                self.state.jobs[place] = replace(waiting, version=waiting.version + 1)
            else:
                due_at = utc(self.now)
                self._put(
                    Job(
                        id=next(self.job_ids), scope=self.scope, step=step, version=1, due_at=due_at
                    )
                )

    def done(self, job: Job) -> None:
        """Take a job out; one that was asked for again meanwhile waits as if it were new."""
        waiting = self._waiting(job)
        if waiting and waiting.version == job.version:
            del self.state.jobs[job.step.kind, job.step.subject]
        elif waiting:
            self._put(replace(waiting, attempts=0, due_at=utc(self.now), error=None))

    def put_back(self, job: Job, due_at: datetime, error: str | None) -> None:
        """Let a failed job wait until `due_at`."""
        waiting = self._waiting(job)
        if waiting:
            attempts = waiting.attempts + 1
            self._put(replace(waiting, attempts=attempts, due_at=utc(due_at), error=error))

    def _waiting(self, job: Job) -> Job | None:
        waiting = self.state.jobs.get((job.step.kind, job.step.subject))
        return waiting if waiting and waiting.id == job.id else None

    def _put(self, job: Job) -> None:
        self.state.jobs[job.step.kind, job.step.subject] = job

    def _check(self, note: Note, named: set[str]) -> None:
        """Check that a note names nothing that is neither here nor written by the same writing."""
        self._check_messages(note.sources)
        self._check_messages(() if note.event is None else (note.event,))
        others = note.parents if note.superseded_by is None else (*note.parents, note.superseded_by)
        self._check_notes([id_ for id_ in others if id_ not in named])

    def _check_messages(self, ids: Sequence[str]) -> None:
        for id_ in ids:
            if id_ not in self.state.messages:
                raise NotFound(f"no message {id_!r} here")

    def _check_notes(self, ids: Sequence[str]) -> None:
        for id_ in ids:
            if (id_, 1) not in self.state.revisions:
                raise NotFound(f"no note {id_!r} here")

    def _latest(self, id_: str) -> Note | None:
        """Return a note as the last revision that counts says, if it is not hidden."""
        return self.written.get(id_) or self.before.notes.get(id_)

    def _write_note(self, note: Note) -> None:
        if note.revision > 1:
            self._revise(note)
        elif (note.id, 1) in self.state.revisions:
            self.repeated.add(note.id)
            self._gain(note)
        elif note.event is not None and note.event not in self.before.messages:
            raise Conflict("the message that a note was read from has been withdrawn since")
        else:
            self._add_revision(note)

    def _revise(self, note: Note) -> None:
        base = self._latest(note.id)
        if base is None or base.revision != note.revision - 1:
            raise Conflict
        self._add_revision(note, base)

    def _gain(self, given: Note) -> None:
        """Let a note that was there already gain the sources it lacks."""
        latest = self._latest(given.id)
        if latest is None or set(given.sources) <= set(latest.sources):
            return
        wider = replace(
            latest,
            sources=(*latest.sources, *given.sources),
            began_at=min(latest.began_at, given.began_at),
            said_at=max(latest.said_at, given.said_at),
            known_at=max(latest.known_at, given.known_at),
            recorded_at=given.recorded_at,
            operation=given.operation,
        )
        self._add_revision(wider, latest)

    def _add_revision(self, note: Note, base: Note | None = None) -> None:
        number = self._numbers.get(note.id, 0) + 1
        self._numbers[note.id] = number
        note = replace(tidy(note, self.state.messages), revision=number)
        self.state.revisions[note.id, number] = note
        self.written[note.id] = note
        if base:
            self.bases[note.id, number] = base

    def _write_document(self, document: Document) -> None:
        if document.view == "note":
            self._check_notes((document.ref,))
            self._write_document_of_note(document)
            return
        shown = () if document.previous is None else (document.previous,)
        self._check_messages((document.ref, *shown))
        if all(id_ in self.before.messages for id_ in shown):
            # Else it was withdrawn while it was encoded: its words must not come back.
            self.index.show_message(document, self.before.messages)

    def _write_document_of_note(self, document: Document) -> None:
        number = document.revision
        if number is None and document.ref in self.repeated:
            return
        if number is None:
            latest = self._latest(document.ref)
            number = latest.revision if latest else 1
        if (document.ref, number) not in self.state.revisions:
            raise NotFound(f"note {document.ref!r} has no revision {number}")
        self.index.show_note(document, number)

    def _share_documents(self) -> None:
        """Let revisions without a document of their own keep that of the same words before."""
        for place, base in self.bases.items():
            if shown(self.state.revisions[place]) == shown(base):
                self.index.share(place, (base.id, base.revision))

    def _write_progress(self, writing: Writing, operation: Operation) -> None:
        self._check_messages((*writing.progress, *writing.consolidated))
        messages = self.state.messages
        for id_, progress in writing.progress.items():
            messages[id_] = replace(messages[id_], progress=progress)
        for id_ in writing.consolidated:
            self.state.consolidated[id_] = operation.id

    def _write_gone(self, gone: Gone, operation: Operation) -> None:
        if (gone, operation.id) in self.state.gone:
            return
        check_gone(self.state, gone, operation)
        if gone.what == "operation" and gone.id in self.before.undone:
            raise Conflict("that operation has been undone already")
        self.state.gone[gone, operation.id] = None

    def _settle(self, writing: Writing) -> None:
        if writing.job is None:
            return
        if writing.redo_at is None:
            self.done(writing.job)
        else:
            self.put_back(writing.job, writing.redo_at, writing.error)


def check_gone(state: State, gone: Gone, operation: Operation) -> None:
    """Check that what an operation puts out of force is here; it undoes only what was before it.

    Raises:
        NotFound: It is not.
    """
    found = {
        "message": gone.id in state.messages,
        "consolidation": gone.id in state.messages,
        "note": (gone.id, 1) in state.revisions,
        "revision": (gone.id, gone.revision) in state.revisions,
        "operation": gone.id in state.operations
        and state.operations[gone.id].number < operation.number,
    }
    if not found[gone.what]:
        raise NotFound(f"no {gone.what} {gone.id!r} here")


def shown(note: Note) -> tuple[str, tuple[str, ...], tuple[str, ...], str]:
    """Return what the document of a note shows of it."""
    return note.text, note.keywords, note.tags, note.context


def tidy(note: Note, messages: dict[str, Message]) -> Note:
    """Return a note as stores give it back: its sources oldest first, its times in two offsets.

    When it was known and recorded is told in UTC, the rest in the offset of when it was said; what
    it is about by its event.
    """
    sources = sorted(
        set(note.sources), key=lambda id_: (messages[id_].said_at, messages[id_].position)
    )
    said_at = local(note.said_at)
    return replace(
        note,
        sources=tuple(sources),
        began_at=note.began_at.astimezone(said_at.tzinfo),
        said_at=said_at,
        item=messages[note.event].item if note.event is not None else None,
        valid_at=note.valid_at and note.valid_at.astimezone(said_at.tzinfo),
        invalid_at=note.invalid_at and note.invalid_at.astimezone(said_at.tzinfo),
        known_at=utc(note.known_at),
        recorded_at=utc(note.recorded_at),
    )
