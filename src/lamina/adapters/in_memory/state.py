"""What a scope holds: facts only. A state that is in use is never changed: writing makes another.

What is live, now or at a moment, is worked out from them: see `lamina.adapters.in_memory.visible`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from lamina.adapters.in_memory.visible import Visible
from lamina.model import At, Gone, Link, Message, Note
from lamina.ports import Call, Document, Grant, Graph, Job, Lease, Operation, Reply
from lamina.times import from_micros, offset_minutes, to_micros

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NOW = At()


@dataclass
class State:
    """One scope."""

    epoch: int = 0
    fence: int = 0
    lease: Lease | None = None
    messages: dict[str, Message] = field(default_factory=dict)
    """By id, in the order recorded."""
    last_position: int = 0
    closed: dict[str, bool] = field(default_factory=dict)
    """By session, in the order of their first messages."""
    operations: dict[str, Operation] = field(default_factory=dict)
    """By id, in the order of the log."""
    revisions: dict[tuple[str, int], Note] = field(default_factory=dict)
    """By note and number, in the order written."""
    links: dict[tuple[Link, str], None] = field(default_factory=dict)
    """Each with the operation that made it."""
    gone: dict[tuple[Gone, str], None] = field(default_factory=dict)
    """Each with the operation that said so."""
    consolidated: dict[str, str] = field(default_factory=dict)
    """By message: the last operation that consolidated it."""
    documents: dict[int, Document] = field(default_factory=dict)
    """By id. One of a note tells the first revision that it shows."""
    last_document: int = 0
    shown: dict[tuple[str, int], int] = field(default_factory=dict)
    """By note and number of the revision: the document that shows it, if one does."""
    vectors: dict[str, dict[int, NDArray[np.float32]]] = field(default_factory=dict)
    """By the id of their space, then by that of their document."""
    jobs: dict[tuple[str, str], Job] = field(default_factory=dict)
    """By kind and subject."""
    calls: tuple[Call, ...] = ()
    replies: dict[str, Reply] = field(default_factory=dict)
    grants: dict[str, Grant] = field(default_factory=dict)
    """By principal."""
    configuration: dict[str, Any] = field(default_factory=dict)
    graph: Graph | None = None
    """What a recommender or pool has as arrays, once it was asked for."""
    views: dict[At, Visible] = field(default_factory=dict)
    """What was asked for so far."""

    @property
    def next_number(self) -> int:
        """The number that the next operation gets."""
        last = next(reversed(self.operations.values()), None)
        return last.number + 1 if last else 1

    def copy(self) -> State:
        """Return a state like this one that can be changed."""
        return replace(
            self,
            messages=dict(self.messages),
            closed=dict(self.closed),
            operations=dict(self.operations),
            revisions=dict(self.revisions),
            links=dict(self.links),
            gone=dict(self.gone),
            consolidated=dict(self.consolidated),
            documents=dict(self.documents),
            shown=dict(self.shown),
            vectors={space: dict(held) for space, held in self.vectors.items()},
            jobs=dict(self.jobs),
            replies=dict(self.replies),
            grants=dict(self.grants),
            views={},
        )

    def at(self, at: At | None = None) -> Visible:
        """Return what is visible from a moment; only of a state that does not change any more."""
        at = at or NOW
        if at not in self.views:
            self.views[at] = Visible(self, at)
        return self.views[at]


def utc(moment: datetime) -> datetime:
    """Return a moment as stores give it back: to the microsecond, in UTC."""
    return from_micros(to_micros(moment))


def local(moment: datetime) -> datetime:
    """Return the same in its own offset, which is kept in whole minutes."""
    return from_micros(to_micros(moment), offset_minutes(moment))


def recorded(operation: Operation, number: int) -> Operation:
    """Return an operation as it is kept: its times in UTC, its place in the log."""
    return replace(
        operation,
        known_at=utc(operation.known_at),
        recorded_at=utc(operation.recorded_at),
        number=number,
        undone_by=None,
    )
