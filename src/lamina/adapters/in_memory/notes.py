"""What was made of it: see `lamina.ports.Notes`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from lamina.adapters.in_memory.part import Part
from lamina.model import Link, Message, Note, NoteKind, Revision, Scope
from lamina.ports import NOTE_KINDS, Lease, Operation, Writing


class InMemoryNotes(Part):
    """Notes, their revisions, links and operations."""

    def apply(
        self, scope: Scope, writing: Writing, *, now: datetime, lease: Lease | None = None
    ) -> None:
        """See `Notes.apply`."""
        with self._pen(scope, now, lease) as pen:
            pen.write(writing)

    def notes(self, scope: Scope, ids: Sequence[str]) -> list[Note]:
        """See `Notes.notes`."""
        kept = self._read(scope).notes
        return [kept[id_].note for id_ in ids if id_ in kept and not kept[id_].withdrawn]

    def of_messages(self, scope: Scope, message_ids: Sequence[str]) -> dict[str, list[Note]]:
        """See `Notes.of_messages`."""
        notes = sorted(self._read(scope).live_notes(), key=lambda n: NOTE_KINDS.index(n.kind))
        found = {id_: [note for note in notes if note.event == id_] for id_ in message_ids}
        return {id_: read for id_, read in found.items() if read}

    def resting_on(self, scope: Scope, message_ids: Sequence[str]) -> list[Note]:
        """See `Notes.resting_on`."""
        asked = set(message_ids)
        return [n for n in self._read(scope).live_notes() if asked & set(n.sources)]

    def list_notes(
        self, scope: Scope, *, kind: NoteKind | None = None, limit: int = 100, offset: int = 0
    ) -> list[Note]:
        """See `Notes.list_notes`."""
        notes = [n for n in self._read(scope).live_notes() if kind in (None, n.kind)]
        notes.reverse()
        notes.sort(key=lambda note: note.said_at, reverse=True)
        return notes[offset : offset + limit]

    def buffer(self, scope: Scope, session: str | None = None) -> list[Message]:
        """See `Notes.buffer`."""
        return [m for m in self._read(scope).buffer() if session in (None, m.session)]

    def history(self, scope: Scope, note_id: str) -> list[Revision]:
        """See `Notes.history`."""
        kept = self._read(scope).notes.get(note_id)
        return list(kept.revisions) if kept else []

    def operations(self, scope: Scope, ids: Sequence[str]) -> list[Operation]:
        """See `Notes.operations`."""
        operations = self._read(scope).operations
        return [operations[id_] for id_ in ids if id_ in operations]

    def links(self, scope: Scope, note_ids: Sequence[str]) -> list[Link]:
        """See `Notes.links`."""
        state = self._read(scope)
        live = {note.id for note in state.live_notes()}
        asked = set(note_ids)
        return [
            link
            for link in state.links
            if {link.source, link.target} <= live and {link.source, link.target} & asked
        ]
