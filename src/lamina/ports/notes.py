"""The part of a store that keeps what was made of it; see `lamina.ports.store`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from lamina.model import (
    At,
    Gone,
    Link,
    Matter,
    Message,
    Note,
    NoteKind,
    Revision,
    Scope,
)
from lamina.ports.stored import (
    Lease,
    Operation,
    Writing,
)


class Notes(Protocol):
    """What was made of it."""

    def apply(
        self, scope: Scope, writing: Writing, *, now: datetime, lease: Lease | None = None
    ) -> None:
        """Write one operation and finish its job.

        Raises:
            Conflict: A revision's base is no longer the latest, or its note is hidden; or the event
                of a new note is; or what is to be undone has been undone; or something
                was formed or changed since `writing.after`.
            LeaseLost: `lease` is given and another one has been granted since.
            NotFound: Something that `writing` names (the source or parent of a note, what a
                document shows, an end of a link, what is to be marked or put out of force) is
                not in this scope.
            EncoderMismatch: It brings documents, and no space or another one has been declared.
            BadInput: A document's vector has not the dimension of the space.
        """
        ...

    def apply_all(
        self,
        scope: Scope,
        writings: Sequence[Writing],
        *,
        now: datetime,
        lease: Lease | None = None,
    ) -> None:
        """Write several operations in the order given, all or none; see `apply`."""
        ...

    def notes(self, scope: Scope, ids: Sequence[str], *, at: At | None = None) -> list[Note]:
        """Return the live ones of these notes, in the order asked."""
        ...

    def of_messages(
        self, scope: Scope, message_ids: Sequence[str], *, at: At | None = None
    ) -> dict[str, list[Note]]:
        """Return the live notes of each event, facts before relations, in order of writing."""
        ...

    def resting_on(
        self, scope: Scope, message_ids: Sequence[str], *, at: At | None = None
    ) -> list[Note]:
        """Return the live notes whose latest revision has one of these sources, as written."""
        ...

    def formed_from(self, scope: Scope, note_ids: Sequence[str]) -> list[Note]:
        """Return the revisions that have one of these notes as parent, as written.

        All that still count, whether or not they are their note's latest.
        """
        ...

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
        """Return live notes, latest said first; of those said at once, the latest written.

        Args:
            scope: Whose.
            kind: Only these.
            limit: At most so many.
            offset: So many are passed over.
            at: The moment to look from.
            valid_on: Only what holds then (`Note.holds_on`), superseded since or not.
            superseded: Without `valid_on`: whether superseded notes are told too.
        """
        ...

    def buffer(self, scope: Scope, session: str | None = None) -> list[Message]:
        """Return live messages, bound or unextracted, that are not consolidated, oldest first."""
        ...

    def history(self, scope: Scope, note_id: str) -> list[Revision]:
        """Return every revision, first to last, of a live or hidden note; [] if unknown."""
        ...

    def revisions(self, scope: Scope, note_id: str) -> list[Note]:
        """Return a note as each of its revisions says, first to last, whatever counts."""
        ...

    def written_by(self, scope: Scope, operation: str) -> list[Note]:
        """Return the notes as the revisions of an operation say, as written, whatever counts."""
        ...

    def gone_by(self, scope: Scope, operation: str) -> list[Gone]:
        """Return what an operation put out of force, in the order it said so."""
        ...

    def marks_on(self, scope: Scope, what: Matter, ids: Sequence[str]) -> list[tuple[Gone, str]]:
        """Return what was ever said of some things, with the id of the operation that said so.

        Undone ones too; in the order of the log.
        """
        ...

    def operations(self, scope: Scope, ids: Sequence[str]) -> list[Operation]:
        """Return these operations, in the order asked; unknown ones are left out."""
        ...

    def list_operations(
        self, scope: Scope, *, kinds: Sequence[str] = (), limit: int = 100, offset: int = 0
    ) -> list[Operation]:
        """Return the log, latest first; all kinds, or some."""
        ...

    def links(self, scope: Scope, note_ids: Sequence[str], *, at: At | None = None) -> list[Link]:
        """Return the links from or to these notes, between live ones."""
        ...
