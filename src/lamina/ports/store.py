"""The store: several small Protocols. Every writing method is one transaction, all or nothing.

Each method may also raise a `StoreError` of the substrate: `StoreLocked`, `StoreFull`, ... What it
was to write is then not written. `lamina.testing` says in code what each promise means.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from lamina.model import (
    Link,
    Message,
    Note,
    NoteKind,
    Progress,
    Revision,
    Scope,
    Session,
    Step,
    View,
)
from lamina.ports.encoding import EncoderSpace
from lamina.ports.language import Reply
from lamina.ports.stored import (
    Appended,
    Call,
    Document,
    Documents,
    Exchange,
    Job,
    Lease,
    MessageDraft,
    Operation,
    Postings,
    Receipt,
    Tenancy,
    Usage,
    Writing,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Snapshot(Protocol):
    """One state of a scope; everything read through it belongs together."""

    @property
    def documents(self) -> Documents:
        """All live documents."""
        ...

    def postings(self, terms: Sequence[str]) -> Postings:
        """Return the postings of `terms`, in the order asked; unknown terms have none."""
        ...


class Observations(Protocol):
    """What was said, word for word. Append-only."""

    def append(
        self,
        scope: Scope,
        drafts: Sequence[MessageDraft],
        documents: Sequence[Document],
        *,
        steps: Sequence[Step],
        now: datetime,
        epoch: int | None = None,
    ) -> list[Appended]:
        """Store messages, their turns and the work they cause; durable when this returns.

        A draft that is already stored (see `lamina.identity`) changes nothing. A message that is
        added to a closed session opens it again.

        Args:
            scope: Its owner; it is made if it is new.
            drafts: In the order said.
            documents: The `turn` of each draft, aligned; `ref` is filled in by the store.
            steps: What to enqueue if anything is new.
            now: When this is recorded.
            epoch: What `epoch(scope)` gave before the call's work began, if checked.

        Raises:
            StaleEpoch: The scope was erased since `epoch` was read.
            EncoderMismatch: No space has been declared, or another process has switched to another.
            BadInput: A document's vector has not the dimension of the space.
        """
        ...

    def epoch(self, scope: Scope) -> int:
        """Return how often the scope was erased; 0 for a new one."""
        ...

    def known(self, scope: Scope, ids: Sequence[str]) -> set[str]:
        """Return those of `ids` that are stored messages, withdrawn or not."""
        ...

    def messages(self, scope: Scope, ids: Sequence[str]) -> list[Message]:
        """Return the live ones of these messages, in the order asked."""
        ...

    def in_session(
        self, scope: Scope, session: str, progress: Sequence[Progress] = ()
    ) -> list[Message]:
        """Return a session's live messages in (said_at, position) order, all or of a progress."""
        ...

    def latest(self, scope: Scope, limit: int, *, session: str | None = None) -> list[Message]:
        """Return the last `limit` live messages in (said_at, position) order, oldest first."""
        ...

    def sessions(self, scope: Scope) -> list[Session]:
        """Return the sessions by their first message's time."""
        ...

    def close_session(
        self, scope: Scope, session: str, *, steps: Sequence[Step], now: datetime
    ) -> None:
        """Mark a session as over and enqueue `steps`. Closing again changes nothing."""
        ...

    def scopes(self) -> list[Scope]:
        """Return every scope that has messages, for operators."""
        ...

    def participants(self, scope: Scope) -> list[str]:
        """Return who has spoken, in order of first appearance."""
        ...


class Notes(Protocol):
    """What was made of it."""

    def apply(
        self, scope: Scope, writing: Writing, *, now: datetime, lease: Lease | None = None
    ) -> None:
        """Write one operation and finish its job.

        Raises:
            Conflict: A revision's base is no longer the latest, or its note has been withdrawn; or
                the event of a new note has.
            LeaseLost: `lease` is given and another one has been granted since.
            NotFound: Something that `writing` names (the source or parent of a note, what a
                document shows, an end of a link, what is to be marked, withdrawn or restored) is
                not in this scope.
            EncoderMismatch: It brings documents, and no space or another one has been declared.
            BadInput: A document's vector has not the dimension of the space.
        """
        ...

    def notes(self, scope: Scope, ids: Sequence[str]) -> list[Note]:
        """Return the live ones of these notes, in the order asked."""
        ...

    def of_messages(self, scope: Scope, message_ids: Sequence[str]) -> dict[str, list[Note]]:
        """Return the live notes of each event, facts before relations, in order of writing."""
        ...

    def resting_on(self, scope: Scope, message_ids: Sequence[str]) -> list[Note]:
        """Return the live notes whose latest revision has one of these sources, as written."""
        ...

    def list_notes(
        self, scope: Scope, *, kind: NoteKind | None = None, limit: int = 100, offset: int = 0
    ) -> list[Note]:
        """Return live notes, latest said first; of those said at once, the latest written."""
        ...

    def buffer(self, scope: Scope, session: str | None = None) -> list[Message]:
        """Return live messages, bound or unextracted, that are not consolidated, oldest first."""
        ...

    def history(self, scope: Scope, note_id: str) -> list[Revision]:
        """Return every revision, first to last, of a live or withdrawn note; [] if unknown."""
        ...

    def operations(self, scope: Scope, ids: Sequence[str]) -> list[Operation]:
        """Return these operations, in the order asked; unknown ones are left out."""
        ...

    def links(self, scope: Scope, note_ids: Sequence[str]) -> list[Link]:
        """Return the links from or to these notes."""
        ...


class Recall(Protocol):
    """What search reads: postings and vectors."""

    def snapshot(self, scope: Scope) -> AbstractContextManager[Snapshot]:
        """Open one consistent state of a scope for reading; an unknown scope is empty."""
        ...

    def space(self) -> EncoderSpace | None:
        """Return the space of the stored vectors; `None` in a new store."""
        ...

    def set_space(self, space: EncoderSpace) -> None:
        """Declare the space, once, before the first vector; again, it changes nothing.

        Raises:
            EncoderMismatch: Another one was declared.
        """
        ...

    def stale_exchanges(self, scope: Scope, session: str, limit: int) -> list[Exchange]:
        """Return live messages whose exchange is missing or shows another previous message.

        The previous message is the live one before it in (said_at, position) order; the first of a
        session has no exchange. Oldest first.
        """
        ...

    def documents_of(self, scope: Scope, after: int, limit: int) -> list[tuple[int, View, str]]:
        """Return (id, view, ref) of up to `limit` live documents with id > after, ascending."""
        ...

    def reencode(
        self, scope: Scope, vectors: Mapping[int, NDArray[np.float32]], space: EncoderSpace
    ) -> None:
        """Write vectors of another space beside the present ones, by document id.

        Raises:
            BadInput: A vector has not the dimension of the space.
        """
        ...

    def switch_space(self, space: EncoderSpace) -> None:
        """Make `space` the present one and drop the others.

        Raises:
            EncoderMismatch: Some live document has no vector in it yet.
        """
        ...


class Queue(Protocol):
    """Work that waits. One leased worker a scope at a time."""

    def lease(
        self,
        holder: str,
        seconds: float,
        *,
        now: datetime,
        scope: Scope | None = None,
        due_only: bool = True,
    ) -> Lease | None:
        """Lease the scope (or the one given) whose work has waited longest; `None` if none waits.

        Args:
            holder: Who asks, for people who look.
            seconds: For how long nobody else gets it; what ran out holds until somebody does.
            now: The present.
            scope: Only this one.
            due_only: Only where some job is due; else any waiting job will do.
        """
        ...

    def renew(self, lease: Lease, seconds: float, *, now: datetime) -> Lease:
        """Prolong a lease. Raises `LeaseLost`."""
        ...

    def release(self, lease: Lease) -> None:
        """Give a lease back; one that was lost is left alone."""
        ...

    def jobs(self, scope: Scope | None = None) -> list[Job]:
        """Return waiting jobs in the order to be done.

        The session that began first comes first; in it index, then bind, then consolidate.
        """
        ...

    def enqueue(self, scope: Scope, steps: Sequence[Step], *, now: datetime) -> None:
        """Ask for steps; one that waits already is not doubled, but its version rises."""
        ...

    def finish(self, job: Job, lease: Lease, *, now: datetime) -> None:
        """Take a job out of the queue, unless its version has risen. Raises `LeaseLost`."""
        ...

    def postpone(
        self, job: Job, lease: Lease, *, due_at: datetime, error: str, now: datetime
    ) -> None:
        """Put a failed job back, one attempt older. Raises `LeaseLost`."""
        ...


class Accounts(Protocol):
    """The ledger of model calls and the cache of their replies, both kept by scope."""

    def record(self, scope: Scope, calls: Sequence[Call]) -> None:
        """Put calls on record; those of a scope erased meanwhile are put down to nobody."""
        ...

    def usage(self, scope: Scope | None = None, *, operation: str | None = None) -> Usage:
        """Sum the record: of one scope and operation, one scope, or the whole store."""
        ...

    def replies(self, scope: Scope, digests: Sequence[str]) -> dict[str, Reply]:
        """Return the kept replies by the digest of their request."""
        ...

    def keep_replies(
        self,
        scope: Scope,
        replies: Mapping[str, Reply],
        *,
        now: datetime,
        epoch: int | None = None,
    ) -> None:
        """Keep replies, so that a crash or a conflict never pays twice.

        For a scope that holds nothing nothing is kept.

        Raises:
            StaleEpoch: The scope was erased since `epoch` was read, before the models were asked.
        """
        ...


class Erasure(Protocol):
    """Forgetting."""

    def forget(self, scope: Scope, *, now: datetime) -> Receipt:
        """Erase all of a scope and raise its epoch, so that no writer in flight brings it back."""
        ...


class Upkeep(Protocol):
    """Counting and checking."""

    @property
    def tenancy(self) -> Tenancy:
        """Whether its scopes have tenants, as was decided when it was made."""
        ...

    def counts(self, scope: Scope | None = None) -> dict[str, int]:
        """Return how many there are, of one scope or of all.

        Keys: messages, sessions, facts, relations, summaries, documents, pending, unextracted,
        unconsolidated, jobs; and without a scope also scopes.
        """
        ...

    def check(self) -> list[str]:
        """Return what does not agree among text, vectors, postings, links, sources and queue."""
        ...

    def close(self) -> None:
        """Let go of files and caches. Closing again changes nothing."""
        ...


class Store(Observations, Notes, Recall, Queue, Accounts, Erasure, Upkeep, Protocol):
    """All of it on one substrate."""
