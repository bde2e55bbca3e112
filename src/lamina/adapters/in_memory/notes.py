"""What was made of it: see `lamina.ports.Notes`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from lamina.adapters.in_memory.part import Part
from lamina.adapters.in_memory.visible import Visible
from lamina.model import At, Gone, Link, Matter, Message, Note, NoteKind, Revision, Scope
from lamina.ports import Lease, Operation, Writing


class InMemoryNotes(Part):
    """Notes, their revisions, links and operations."""

    def apply(
        self, scope: Scope, writing: Writing, *, now: datetime, lease: Lease | None = None
    ) -> None:
        """See `Notes.apply`."""
        with self._pen(scope, now, lease) as pen:
            pen.write(writing)

    def apply_all(
        self,
        scope: Scope,
        writings: Sequence[Writing],
        *,
        now: datetime,
        lease: Lease | None = None,
    ) -> None:
        """See `Notes.apply_all`."""
        with self._pen(scope, now, lease) as pen:
            for writing in writings:
                pen.write(writing)
                if writing.gone:
                    pen.look_again()

    def notes(self, scope: Scope, ids: Sequence[str], *, at: At | None = None) -> list[Note]:
        """See `Notes.notes`."""
        notes = self._see(scope, at).notes
        return [notes[id_] for id_ in ids if id_ in notes]

    def of_messages(
        self, scope: Scope, message_ids: Sequence[str], *, at: At | None = None
    ) -> dict[str, list[Note]]:
        """See `Notes.of_messages`."""
        notes = self._see(scope, at).of_event
        return {id_: list(notes[id_]) for id_ in message_ids if id_ in notes}

    def resting_on(
        self, scope: Scope, message_ids: Sequence[str], *, at: At | None = None
    ) -> list[Note]:
        """See `Notes.resting_on`."""
        asked = set(message_ids)
        return [n for n in self._see(scope, at).notes.values() if asked & set(n.sources)]

    def formed_from(self, scope: Scope, note_ids: Sequence[str]) -> list[Note]:
        """See `Notes.formed_from`."""
        visible, asked = self._see(scope), set(note_ids)
        revisions = visible.state.revisions.values()
        return [n for n in revisions if asked & set(n.parents) and visible.counts(n)]

    def list_notes(
        self,
        scope: Scope,
        *,
        kind: NoteKind | None = None,
        limit: int = 100,
        offset: int = 0,
        at: At | None = None,
        valid_on: datetime | None = None,
        superseded: bool = False,
    ) -> list[Note]:
        """See `Notes.list_notes`."""
        latest_first = reversed(self._see(scope, at).notes.values())
        notes = [
            note
            for note in latest_first
            if kind in (None, note.kind)
            and (superseded or valid_on is not None or note.superseded_by is None)
            and (valid_on is None or note.holds_on(valid_on))
        ]
        notes.sort(key=lambda note: note.said_at, reverse=True)
        return notes[offset : offset + limit]

    def buffer(self, scope: Scope, session: str | None = None) -> list[Message]:
        """See `Notes.buffer`."""
        return [m for m in self._see(scope).buffer if session in (None, m.session)]

    def history(self, scope: Scope, note_id: str) -> list[Revision]:
        """See `Notes.history`."""
        visible = self._see(scope)
        return [_revision(visible, note) for note in visible.of_note.get(note_id, ())]

    def revisions(self, scope: Scope, note_id: str) -> list[Note]:
        """See `Notes.revisions`."""
        return list(self._see(scope).of_note.get(note_id, ()))

    def written_by(self, scope: Scope, operation: str) -> list[Note]:
        """See `Notes.written_by`."""
        return [n for n in self._read(scope).revisions.values() if n.operation == operation]

    def gone_by(self, scope: Scope, operation: str) -> list[Gone]:
        """See `Notes.gone_by`."""
        return [gone for gone, by in self._read(scope).gone if by == operation]

    def marks_on(self, scope: Scope, what: Matter, ids: Sequence[str]) -> list[tuple[Gone, str]]:
        """See `Notes.marks_on`."""
        state, asked = self._read(scope), set(ids)
        marks = [(gone, by) for gone, by in state.gone if gone.what == what and gone.id in asked]
        return sorted(marks, key=lambda mark: state.operations[mark[1]].number)

    def operations(self, scope: Scope, ids: Sequence[str]) -> list[Operation]:
        """See `Notes.operations`."""
        visible = self._see(scope)
        return [visible.operation(id_) for id_ in ids if id_ in visible.state.operations]

    def list_operations(
        self, scope: Scope, *, kinds: Sequence[str] = (), limit: int = 100, offset: int = 0
    ) -> list[Operation]:
        """See `Notes.list_operations`."""
        visible = self._see(scope)
        latest_first = reversed(visible.state.operations.values())
        found = [o.id for o in latest_first if not kinds or o.kind in kinds]
        return [visible.operation(id_) for id_ in found[offset : offset + limit]]

    def links(self, scope: Scope, note_ids: Sequence[str], *, at: At | None = None) -> list[Link]:
        """See `Notes.links`."""
        asked = set(note_ids)
        return [e for e in self._see(scope, at).links if {e.source, e.target} & asked]


def _revision(visible: Visible, note: Note) -> Revision:
    operation = visible.state.operations[note.operation]
    hidden_by = visible.hidden_by(note)
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
        valid_at=note.valid_at,
        invalid_at=note.invalid_at,
        superseded_by=note.superseded_by,
        by_person=note.by_person,
        keywords=note.keywords,
        tags=note.tags,
        context=note.context,
        sureness=note.sureness,
        narrower=note.narrower,
        withdrawn=hidden_by is not None,
        undone_by=hidden_by,
    )
