"""The values that go into a store and come out of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from lamina.model import (
    Gone,
    Link,
    Message,
    Note,
    NoteKind,
    Progress,
    Role,
    Scope,
    Step,
    Value,
    View,
)
from lamina.ports.language import ModelRole

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from lamina.ports.rows import VectorRows


VIEWS: tuple[View, ...] = ("turn", "exchange", "note")
Tenancy = Literal["single", "multi"]
SAYING = ("add", "import")
"""Kinds of operation that add messages."""
ADDING = (*SAYING, "index")
"""Kinds of operation that add to a scope and change nothing that was formed."""
NOTE_KINDS: tuple[NoteKind, ...] = (
    "fact", "relation", "summary", "user_note", "item_note", "profile", "pattern",
)  # fmt: skip
USER_NOTE = NOTE_KINDS.index("user_note")
ITEM_NOTE = NOTE_KINDS.index("item_note")
PROFILE = NOTE_KINDS.index("profile")
PATTERN = NOTE_KINDS.index("pattern")
DESCRIPTION = -1
"""What stands for these kinds, and for the description of an item, in `Graph.kinds`."""


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
    author: str | None = None
    """Who writes it into a shared space, such as `user:alice`."""
    item: str | None = None
    action: str | None = None
    rating: float | None = None


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
    revision: int | None = None
    """Of a note: the number of the revision that it shows; the one being written, if not given."""


class Indexed(NamedTuple):
    """A stored document, by what it shows."""

    id: int
    view: View
    ref: str
    revision: int
    """Of a note: the number of the first revision that it shows; 0 for a message."""
    previous: str | None
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
    number: int = 0
    """Its place in the log of its scope, from 1; given by the store."""
    undone_by: str | None = None
    """The id of the operation that undid it, if one did and was not undone itself."""


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
    """Revision 1 is a new note. One that is already there with this id is left as it is if it is
    hidden or lacks none of the sources; else it gains what it lacks, as a new revision that says
    the same. Revision n > 1 needs n - 1 to be the latest that counts, else `Conflict`; the store
    numbers it after all that the note ever had. One that shows the same (text, keywords, tags,
    context) and has no document of its own in `documents` keeps that of the one before it."""
    documents: tuple[Document, ...] = ()
    """What shows a message replaces what the same view of it had; what shows a note shows the
    revision being written, and those before it keep theirs for reads of the past."""
    links: tuple[Link, ...] = ()
    progress: Mapping[str, Progress] = field(default_factory=dict)
    consolidated: tuple[str, ...] = ()
    gone: tuple[Gone, ...] = ()
    """What this operation puts out of force, or, by undoing another one, in force again."""
    steps: tuple[Step, ...] = ()
    """Steps to enqueue, due at once."""
    after: int | None = None
    """The number of the last operation that it was worked out on: a later one that is not
    `ADDING` is a `Conflict`."""
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
    vectors: VectorRows
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
    author: str | None = None
    """Whose part it was, if only that."""
    stage: Literal["logical", "physical"]
    """`logical`: hidden and deleted; `physical`: no byte of it is left in the store's files."""
    epoch: int
    messages: int
    notes: int
    documents: int
    recorded_at: datetime
    parts: tuple[Receipt, ...] = ()
    """What of it lay in shared scopes; the numbers above count that too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant(Value):
    """What a stored grant lets somebody do in a shared space."""

    principal: str
    """Who: `user:ID` or `agent:NAME`, of the same tenant."""
    read: bool
    write: bool
    given_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """All that a scope has, but for what can be made anew (documents) and its costs."""

    messages: tuple[Message, ...] = ()
    """In the order recorded, withdrawn ones too."""
    closed: tuple[str, ...] = ()
    """The sessions that are over."""
    operations: tuple[Operation, ...] = ()
    """In the order of the log."""
    revisions: tuple[Note, ...] = ()
    """Every revision of every note, in the order written."""
    links: tuple[tuple[Link, str], ...] = ()
    """Each with the id of the operation that made it."""
    gone: tuple[tuple[Gone, str], ...] = ()
    """Each with the id of the operation that said so, in the order of the log."""
    consolidated: Mapping[str, str] = field(default_factory=dict)
    """The id of each message that was ever consolidated, to that of the last operation that did."""
    grants: tuple[Grant, ...] = ()
    configuration: Mapping[str, Any] = field(default_factory=dict)
    """What a recommender keeps to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Repaired(Value):
    """What a repair did, and what is left for the encoder to make anew."""

    rebuilt: Mapping[str, int] = field(default_factory=dict)
    """What, and how often: derived rows that were wrong, and are right now."""
    lacking: tuple[tuple[Scope, View, str, int], ...] = ()
    """What has no sound document: (scope, view, id of its message or note, revision or 0)."""
