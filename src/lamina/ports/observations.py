"""The part of a store that keeps what was said; see `lamina.ports.store`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from lamina.model import (
    At,
    Message,
    Progress,
    Scope,
    Session,
    Step,
)
from lamina.ports.stored import (
    Appended,
    Document,
    MessageDraft,
    Operation,
)


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
        operation: Operation | None = None,
    ) -> list[Appended]:
        """Store messages, their turns and the work they cause; durable when this returns.

        A draft that is already stored (see `lamina.identity`) changes nothing. A message that is
        added to a closed session opens it again.

        Args:
            scope: Its owner; it is made if it is new.
            drafts: In the order said.
            documents: The `turn` of each draft that is no interaction (`is_interaction`), aligned;
                `ref` is filled in by the store.
            steps: What to enqueue if anything is new.
            now: When this is recorded.
            epoch: What `epoch(scope)` gave before the call's work began, if checked.
            operation: What adds them, by which they can be rolled back; recorded once, if anything
                is new.

        Raises:
            StaleEpoch: The scope was erased since `epoch` was read.
            EncoderMismatch: There are documents, and no space has been declared, or another process
                has switched to another.
            BadInput: A document's vector has not the dimension of the space.
        """
        ...

    def epoch(self, scope: Scope) -> int:
        """Return how often the scope was erased; 0 for a new one."""
        ...

    def known(self, scope: Scope, ids: Sequence[str]) -> set[str]:
        """Return those of `ids` that are stored messages, withdrawn or not."""
        ...

    def messages(self, scope: Scope, ids: Sequence[str], *, at: At | None = None) -> list[Message]:
        """Return the live ones of these messages, in the order asked."""
        ...

    def recorded(self, scope: Scope, ids: Sequence[str]) -> list[Message]:
        """Return these messages, live or hidden (`Message.withdrawn`), in the order asked."""
        ...

    def added_by(self, scope: Scope, operation: str) -> list[str]:
        """Return the ids of the messages that an operation added, live or not, as recorded."""
        ...

    def consolidated_by(self, scope: Scope, operation: str) -> list[str]:
        """Return the ids of the messages that an operation, and none after it, consolidated.

        Live or not, undone or not, as recorded.
        """
        ...

    def in_session(
        self, scope: Scope, session: str, progress: Sequence[Progress] = ()
    ) -> list[Message]:
        """Return a session's live messages in (said_at, position) order, all or of a progress."""
        ...

    def latest(
        self,
        scope: Scope,
        limit: int,
        *,
        session: str | None = None,
        at: At | None = None,
    ) -> list[Message]:
        """Return the last `limit` live messages in (said_at, position) order, oldest first."""
        ...

    def sessions(self, scope: Scope) -> list[Session]:
        """Return the sessions by their first message's time."""
        ...

    def is_closed(self, scope: Scope, session: str) -> bool:
        """Whether a session is over; not so for one that nobody spoke in."""
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
