"""The parts of a store for those who answer for it; see `lamina.ports.store`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Protocol

from lamina.model import (
    Scope,
    Step,
)
from lamina.ports.stored import (
    Archive,
    Document,
    Grant,
    Receipt,
    Repaired,
    Tenancy,
)


class Grants(Protocol):
    """Who may read and write a shared space."""

    def grant(self, scope: Scope, grant: Grant) -> None:
        """Store what somebody may do here, in place of what they could; nothing takes it away."""
        ...

    def grants(self, scope: Scope) -> list[Grant]:
        """Return what was granted here, by principal."""
        ...

    def granted(self, tenant: str, principal: str) -> list[Scope]:
        """Return the spaces of a tenant in which a principal was granted anything."""
        ...


class Erasure(Protocol):
    """Forgetting, in two stages: rows at once, then every byte."""

    def forget(self, scope: Scope, *, now: datetime) -> Receipt:
        """Erase all of a scope and raise its epoch, so that no writer in flight brings it back.

        The receipt says `logical`; `purge` does the rest.
        """
        ...

    def parts(self, tenant: str, author: str, speaker: str) -> list[Scope]:
        """Return the shared scopes of a tenant in which somebody has a part.

        That is: spaces, recommenders and pools with messages of this author, and conversations in
        which this speaker spoke.
        """
        ...

    def forget_part(
        self, scope: Scope, *, author: str, speaker: str, now: datetime, steps: Sequence[Step]
    ) -> Receipt:
        """Erase one person's messages in a shared scope, and every note that rests on one.

        In a space, recommender or pool those by `author`, in a conversation those of `speaker`.
        Notes with any revision that rests on an erased message go whole; what was withdrawn as
        saying the same as one of them counts again, and the other messages that they consolidated
        are back in the buffer, so that `steps` and what follows can form the rest anew. Kept
        replies and the lease go, the epoch rises, and the log gets an operation of kind `erasure`
        that names nobody.

        In a recommender a note is instead cut back to before its first revision that rests on an
        erased message, or has a parent that goes whole, or a parent that was cut back to before
        an operation older than this revision's, or that is a later revision by an operation which
        wrote a note that goes whole: what an interaction changed goes with it. A note goes whole if
        that is its first revision. A link goes with an end of it, with an erased revision of its
        source by the same operation, and with a note that the same operation wrote. The
        interaction of somebody else that was the event of a note that goes is pending again, if it
        was bound; and where an item loses its last `item_note`, so is the first live bound
        interaction with it, unless one is pending.

        In a pool a pattern loses the revisions that take in an erased part. If one of them is its
        first, or says something else than the one before it, what came after goes as well, for it
        may repeat it: the pattern is cut back, or goes whole, and the parts of others that it loses
        in that way are pending again, if they were bound. Links go that were made by taking in an
        erased part, or with a pattern since it first said what it no longer says, for their words
        may tell of that. The revisions that are left keep their numbers.
        """
        ...

    def purge(self) -> bool:
        """Rid the store's files of every byte of what was erased.

        Returns:
            Whether that was possible: not while somebody reads an older state. It can be tried
            again, by any process; `counts()["unpurged"]` says how many erasures wait for it.
        """
        ...

    def occurrences(self, needles: Sequence[bytes]) -> list[int]:
        """Return how often each byte string occurs in the store's files: data, log and index."""
        ...

    def own_words(self) -> list[str]:
        """Return the texts that the store's files hold whoever uses it, such as its schema."""
        ...


class Transfer(Protocol):
    """Taking a scope out, whole, and putting it in."""

    def dump(self, scope: Scope) -> Archive:
        """Return all that a scope has, in one state."""
        ...

    def load(
        self,
        scope: Scope,
        archive: Archive,
        documents: Sequence[Document],
        *,
        steps: Sequence[Step],
        now: datetime,
    ) -> None:
        """Put an archive into a scope that holds nothing, with its ids, times and revisions.

        Args:
            scope: Empty until now.
            archive: As `dump` gave it, of a scope of any name.
            documents: The turn of each message, and one for each revision of a note that is to have
                one of its own (`Document.revision`).
            steps: What to enqueue.
            now: The present.

        Raises:
            Conflict: The scope holds something.
            NotFound: The archive names something that it does not hold.
        """
        ...

    def backup(self, path: Path) -> None:
        """Write a copy of the store as it is now, while others use it.

        Raises:
            BadInput: There is something at `path` already, or the store is in no file.
        """
        ...


class Upkeep(Protocol):
    """Counting and checking."""

    @property
    def tenancy(self) -> Tenancy:
        """Whether its scopes have tenants, as was decided when it was made."""
        ...

    def counts(self, scope: Scope | None = None) -> dict[str, int]:
        """Return how many there are, of one scope or of all.

        Keys: messages, sessions, facts, relations, summaries, user_notes, item_notes, patterns,
        documents, pending, unextracted, unconsolidated, jobs; and without a scope also scopes and
        unpurged (erasures whose bytes may still be in the files). What is about an item is never
        consolidated, and so is not unconsolidated.
        """
        ...

    def check(self) -> list[str]:
        """Return what does not agree among text, vectors, postings, links, sources and queue."""
        ...

    def repair(self, *, now: datetime) -> Repaired:
        """Make anew what is derived and can be made from what is stored; drop what is of nothing.

        Steps that nobody would do are asked for again.
        """
        ...

    def close(self) -> None:
        """Let go of files and caches. Closing again changes nothing."""
        ...
