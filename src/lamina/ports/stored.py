"""The values that go into a store and come out of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from lamina.model import Link, Message, Note, NoteKind, Progress, Role, Scope, Step, Value, View
from lamina.ports.language import ModelRole

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from lamina.model import Vectors


VIEWS: tuple[View, ...] = ("turn", "exchange", "note")
Tenancy = Literal["single", "multi"]
NOTE_KINDS: tuple[NoteKind, ...] = ("fact", "relation", "summary")


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageDraft:
    """A message that a caller wants stored."""

    session: str
    role: Role
    speaker: str
    text: str
    said_at: datetime
    timed: bool
    """Whether the caller gave the time; if not, repeating the session's last call is a retry."""
    key: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    infer: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """Something that recall can find: a view of a message or of a note."""

    view: View
    ref: str
    """The id of the message or note."""
    terms: Mapping[str, int]
    """Term to count, from `lamina.recall.analysis`."""
    vector: NDArray[np.float32]
    """Shape (dim,), unit length."""
    refers_from: int = 0
    """Microseconds: what time its words are about, half open; 0 and 0 if they do not say."""
    refers_until: int = 0
    previous: str | None = None
    """For an exchange: the id of the message that it shows before its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """A message and the one before it in its session, whose exchange is to be indexed."""

    previous: Message
    message: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Appended:
    """What became of one draft."""

    id: str
    new: bool
    """False where it was already stored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation(Value):
    """One change of memory: every revision names the operation that made it."""

    id: str
    kind: str
    """bind, consolidate, update, delete, ..."""
    strategy: str | None = None
    model: str | None = None
    prompt_digest: str | None = None
    cause: str = ""
    known_at: datetime
    recorded_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Job(Value):
    """A step that waits, or is being done."""

    id: int
    scope: Scope
    step: Step
    version: int
    """Rises whenever the step is asked for again; a job that rose meanwhile stays in the queue."""
    attempts: int = 0
    due_at: datetime
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """The right to do one scope's work until a moment. `fence` rises with every lease."""

    scope: Scope
    holder: str
    fence: int
    until: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """What `apply` writes, in one transaction."""

    operation: Operation
    notes: tuple[Note, ...] = ()
    """Revision 1 is a new note; one that is already there with this id is left as it is, but gains
    the sources it lacks. Revision n > 1 needs n - 1 to be the note's latest, else `Conflict`."""
    documents: tuple[Document, ...] = ()
    """Each replaces what the same (view, ref) had."""
    links: tuple[Link, ...] = ()
    progress: Mapping[str, Progress] = field(default_factory=dict)
    consolidated: tuple[str, ...] = ()
    withdraw: tuple[str, ...] = ()
    """Ids of messages and notes to hide from every read but `history`."""
    restore: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    """Steps to enqueue, due at once."""
    job: Job | None = None
    """The job that this write finishes."""
    redo_at: datetime | None = None
    """If set, `job` is not finished but tried again from then on."""
    error: str | None = None
    """Why it is tried again."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, weakref_slot=True)
class Documents:
    """All live documents of the visible scope as arrays, a row each. n documents, t turns.

    One object is one state: it is compared by identity, and what is derived from it can be kept.

    Turns (messages that are not withdrawn) are numbered 0..t-1, grouped by session (sessions by
    their first message's time), within a session by (said_at, position).
    """

    ids: NDArray[np.int64]
    """Shape (n,), strictly ascending."""
    views: NDArray[np.int8]
    """Shape (n,): index into `VIEWS`."""
    kinds: NDArray[np.int8]
    """Shape (n,): index into `NOTE_KINDS`, -1 for turns and exchanges."""
    refs: tuple[str, ...]
    """n ids of messages or notes."""
    turns: NDArray[np.int32]
    """Shape (n,): its message's number; for a note its event's, -1 where it has none."""
    sessions: NDArray[np.int32]
    """Shape (n,): index into `session_names`, -1 for a note without an event."""
    session_names: tuple[str, ...]
    speakers: NDArray[np.int32]
    """Shape (n,): index into `speaker_names`, -1 for a note without an event."""
    speaker_names: tuple[str, ...]
    said_at: NDArray[np.int64]
    """Shape (n,), microseconds."""
    refers_from: NDArray[np.int64]
    refers_until: NDArray[np.int64]
    """Shape (n,), microseconds; both 0 where its words name no time."""
    lengths: NDArray[np.int32]
    """Shape (n,): the sum of its term counts."""
    vectors: Vectors
    """Shape (n, dim)."""
    rest_rows: NDArray[np.int32]
    rest_turns: NDArray[np.int32]
    """Shape (m,) each: row `rest_rows[i]`, a note, rests on turn `rest_turns[i]`."""
    turn_refs: tuple[str, ...]
    """t ids of messages, by number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Postings:
    """Where terms occur. Term i has entries starts[i]:starts[i + 1]."""

    starts: NDArray[np.int64]
    """Shape (terms + 1,)."""
    rows: NDArray[np.int32]
    """Shape (m,): rows of `Documents`."""
    counts: NDArray[np.int32]
    """Shape (m,): how often the term occurs there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(Value):
    """One model call, for the record."""

    operation: str
    role: ModelRole
    model: str
    input_tokens: int
    output_tokens: int
    cost_usd: float | None
    seconds: float
    outcome: str
    """`ok`, `cached`, or a `Failure.reason`."""
    recorded_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage(Value):
    """What model calls took, summed."""

    calls: int = 0
    cached: int = 0
    failed: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    """Of the calls whose price is known."""
    unpriced: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt(Value):
    """What an erasure removed, without its content."""

    scope: Scope
    stage: Literal["logical", "physical"]
    epoch: int
    messages: int
    notes: int
    documents: int
    recorded_at: datetime
