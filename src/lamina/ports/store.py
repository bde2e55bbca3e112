"""The store: several small Protocols. Every writing method is one transaction, all or nothing.

Each method may also raise a `StoreError` of the substrate: `StoreLocked`, `StoreFull`, ... What it
was to write is then not written. `lamina.testing` says in code what each promise means.

"Live" is what is neither withdrawn nor undone. A read without `at` tells what is live now; with
`at` what was then: see `lamina.model.At`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from lamina.model import (
    At,
    Scope,
    Step,
)
from lamina.ports.encoding import EncoderSpace
from lamina.ports.graph import Recommending
from lamina.ports.keeping import Erasure, Grants, Transfer, Upkeep
from lamina.ports.language import Reply
from lamina.ports.notes import Notes
from lamina.ports.observations import Observations
from lamina.ports.stored import (
    Call,
    Documents,
    Exchange,
    Indexed,
    Job,
    Lease,
    Postings,
    Usage,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Snapshot(Protocol):
    """One state of a scope; everything read through it belongs together."""

    @property
    def documents(self) -> Documents:
        """All documents that are visible."""
        ...

    def postings(self, terms: Sequence[str]) -> Postings:
        """Return the postings of `terms`, in the order asked; unknown terms have none."""
        ...


class Recall(Protocol):
    """What search reads: postings and vectors."""

    def snapshot(self, scope: Scope, *, at: At | None = None) -> AbstractContextManager[Snapshot]:
        """Open one consistent state of a scope for reading; an unknown scope is empty.

        With `at`, notes are found by the words of the revision that counts then.
        """
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

    def documents_of(self, scope: Scope, after: int, limit: int) -> list[Indexed]:
        """Return up to `limit` documents with id > after, ascending; also those of the past."""
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
            EncoderMismatch: Some document has no vector in it yet.
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

    def leases(self) -> list[Lease]:
        """Return the leases that were not given back, those that ran out too."""
        ...

    def jobs(self, scope: Scope | None = None) -> list[Job]:
        """Return waiting jobs in the order to be done.

        What belongs to no session comes first: it is about what was written last. Then the session
        that began first; in it the order is that of `StepKind`.
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


class Store(
    Observations,
    Notes,
    Recommending,
    Recall,
    Queue,
    Accounts,
    Grants,
    Erasure,
    Transfer,
    Upkeep,
    Protocol,
):
    """All of it on one substrate."""
