"""Writing one operation into a state that is still one's own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from lamina.adapters.in_memory.state import Kept, State, local, utc
from lamina.errors import BadInput, Conflict, EncoderMismatch, NotFound
from lamina.model import Note, Revision, Scope, Step
from lamina.ports import Document, EncoderSpace, Job, Operation, Writing


@dataclass
class Pen:
    """Writes into `state`; what it raises leaves the state that is in use as it was."""

    state: State
    scope: Scope
    now: datetime
    space: EncoderSpace | None
    job_ids: Iterator[int]
    repeated: set[str] = field(default_factory=set)
    """Ids of notes that were there already: they keep the document they have."""
    places: dict[tuple[str, str], int] | None = None
    """The documents by what they show, once they were looked for."""

    def write(self, writing: Writing) -> None:
        """Write all of it.

        Raises:
            Conflict: A revision's base is no longer the latest, or a note's event is withdrawn.
            NotFound: Something that it names is not in this scope.
        """
        operation = replace(
            writing.operation,
            known_at=utc(writing.operation.known_at),
            recorded_at=utc(writing.operation.recorded_at),
        )
        operation = self.state.operations.setdefault(operation.id, operation)
        self._mark(writing.restore, withdrawn=False)
        known = set(self.state.notes) | {note.id for note in writing.notes}
        for note in writing.notes:
            self._check(note, known)
            self._write_note(replace(note, operation=operation.id), operation)
        for document in writing.documents:
            self._write_document(document)
        for link in writing.links:
            self._check_notes((link.source, link.target))
            self.state.links[link] = None
        self._write_progress(writing)
        self._mark(writing.withdraw, withdrawn=True)
        self.ask(writing.steps)
        self._settle(writing)

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

    def add_document(self, document: Document) -> None:
        """Add a document with its vector.

        Raises:
            EncoderMismatch: No space has been declared.
            BadInput: The vector has not its dimension.
        """
        if self.space is None:
            raise EncoderMismatch("no encoder has been declared for this store yet")
        if document.vector.shape != (self.space.dim,):
            raise BadInput(f"a vector of shape {document.vector.shape}, not ({self.space.dim},)")
        self.state.last_document += 1
        id_ = self.state.last_document
        terms = {term: count for term, count in document.terms.items() if count > 0}
        self.state.documents[id_] = replace(document, terms=terms)
        if self.places is not None:
            self.places[document.view, document.ref] = id_
        self.state.vectors[self.space.id, id_] = document.vector.copy()

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

    def _check(self, note: Note, known: set[str]) -> None:
        self._check_messages(note.sources)
        self._check_messages(() if note.event is None else (note.event,))
        lacking = [parent for parent in note.parents if parent not in known]
        if lacking:
            raise NotFound(f"no note {lacking[0]!r} here")

    def _check_messages(self, ids: Sequence[str]) -> None:
        for id_ in ids:
            if id_ not in self.state.messages:
                raise NotFound(f"no message {id_!r} here")

    def _check_notes(self, ids: Sequence[str]) -> None:
        for id_ in ids:
            if id_ not in self.state.notes:
                raise NotFound(f"no note {id_!r} here")

    def _write_note(self, note: Note, operation: Operation) -> None:
        kept = self.state.notes.get(note.id)
        if note.revision > 1:
            self._revise(note, kept, operation)
        elif kept:
            self._gain(kept, note)
        else:
            if note.event is not None and self.state.messages[note.event].withdrawn:
                raise Conflict("the message that a note was read from has been withdrawn since")
            note = self._tidy(note)
            self.state.notes[note.id] = Kept(note, (_revision(note, operation),))

    def _revise(self, note: Note, kept: Kept | None, operation: Operation) -> None:
        if kept is None or kept.withdrawn or kept.note.revision != note.revision - 1:
            raise Conflict
        note = self._tidy(note)
        revisions = (*kept.revisions, _revision(note, operation))
        self.state.notes[note.id] = Kept(note, revisions)
        # What it said until now must not be found any longer, whether or not a new document comes.
        self._remove("note", note.id)

    def _gain(self, kept: Kept, given: Note) -> None:
        """Let a note that was there already gain the sources it lacks."""
        self.repeated.add(given.id)
        note = kept.note
        if set(given.sources) <= set(note.sources):
            return
        note = self._tidy(
            replace(
                note,
                sources=(*note.sources, *given.sources),
                began_at=min(note.began_at, given.began_at),
                said_at=max(note.said_at, given.said_at),
            )
        )
        latest = replace(kept.revisions[-1], sources=note.sources)
        self.state.notes[note.id] = kept._replace(
            note=note, revisions=(*kept.revisions[:-1], latest)
        )

    def _tidy(self, note: Note) -> Note:
        """Return a note as stores give it back: its sources oldest first, its times in UTC."""
        messages = self.state.messages
        sources = sorted(
            set(note.sources), key=lambda id_: (messages[id_].said_at, messages[id_].position)
        )
        return replace(
            note,
            sources=tuple(sources),
            began_at=local(note.began_at),
            said_at=local(note.said_at),
            valid_at=note.valid_at and local(note.valid_at),
            invalid_at=note.invalid_at and local(note.invalid_at),
            known_at=utc(note.known_at),
            recorded_at=utc(note.recorded_at),
        )

    def _write_document(self, document: Document) -> None:
        if document.view == "note":
            self._check_notes((document.ref,))
            if document.ref in self.repeated:
                return
        else:
            shown = () if document.previous is None else (document.previous,)
            self._check_messages((document.ref, *shown))
            if any(self.state.messages[id_].withdrawn for id_ in shown):
                return  # withdrawn while it was encoded: its words must not come back
        self._remove(document.view, document.ref)
        self.add_document(document)

    def _remove(self, view: str, ref: str) -> None:
        if self.places is None:
            self.places = {(d.view, d.ref): id_ for id_, d in self.state.documents.items()}
        if (view, ref) in self.places:
            self._drop([self.places.pop((view, ref))])

    def _drop(self, gone: Sequence[int]) -> None:
        for id_ in gone:
            del self.state.documents[id_]
        for place in [place for place in self.state.vectors if place[1] in gone]:
            del self.state.vectors[place]

    def _write_progress(self, writing: Writing) -> None:
        self._check_messages((*writing.progress, *writing.consolidated))
        messages = self.state.messages
        for id_, progress in writing.progress.items():
            messages[id_] = replace(messages[id_], progress=progress)
        for id_ in writing.consolidated:
            messages[id_] = replace(messages[id_], consolidated=True)

    def _mark(self, ids: Sequence[str], *, withdrawn: bool) -> None:
        for id_ in ids:
            if id_ in self.state.notes:
                kept = self.state.notes[id_]
                revisions = tuple(replace(r, withdrawn=withdrawn) for r in kept.revisions)
                self.state.notes[id_] = Kept(kept.note, revisions, withdrawn)
                continue
            self._check_messages((id_,))
            self.state.messages[id_] = replace(self.state.messages[id_], withdrawn=withdrawn)
            if withdrawn:
                items = self.state.documents.items()
                self._drop([document for document, d in items if d.previous == id_])
                self.places = None

    def _settle(self, writing: Writing) -> None:
        if writing.job is None:
            return
        if writing.redo_at is None:
            self.done(writing.job)
        else:
            self.put_back(writing.job, writing.redo_at, writing.error)


def _revision(note: Note, operation: Operation) -> Revision:
    return Revision(
        note=note.id,
        number=note.revision,
        text=note.text,
        operation=operation.id,
        cause=operation.kind,
        model=operation.model,
        prompt_digest=operation.prompt_digest,
        sources=note.sources,
        parents=note.parents,
        known_at=note.known_at,
        recorded_at=note.recorded_at,
    )
