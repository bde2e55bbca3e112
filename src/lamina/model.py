"""The values that flow through Lamina. All are frozen; nothing here does I/O.

Times are aware datetimes here, and int64 microseconds UTC in arrays and stores (`lamina.times`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors: TypeAlias = NDArray[np.float32]
    """Shape (n, dim); every row has unit length, so a dot product is a cosine."""

ScopeKind = Literal["user", "conversation", "item", "pool", "space"]
Role = Literal["user", "assistant", "tool", "system"]
ROLES: Mapping[str, Role] = MappingProxyType(
    {
        **{role: role for role in get_args(Role)},
        "human": "user",
        "ai": "assistant",
        "bot": "assistant",
        "model": "assistant",
        "developer": "system",
        "function": "tool",
    }
)
"""What chat programs call the roles, in lower case, to the role that is meant."""
LONGEST_NAME = 512
"""Characters that the name of a user, session, speaker or message may have."""
NoteKind = Literal["fact", "relation", "summary"]
View = Literal["turn", "exchange", "note"]
"""What a document shows: a message, a message after the one before it, or a note."""
Variant = Literal["flat", "events", "full"]
"""How much of the structure is formed and used: facts alone; with relations; with summaries."""
Certainty = Literal["stated", "hearsay", "uncertain"]
Progress = Literal["pending", "bound", "unextracted", "verbatim"]
"""How far a message has come: waiting; bound into notes; left as its own entry because the model
failed (to be completed later); or never to be bound, because it was added with `infer=False`."""


class Value:
    """A frozen value that can be told as plain data."""

    def to_dict(self) -> dict[str, Any]:
        """Return this value as JSON-ready data: times as ISO 8601 text, tuples as lists."""
        return {f.name: _plain(getattr(self, f.name)) for f in fields(self)}  # type: ignore[arg-type]


def _plain(value: Any) -> Any:
    if isinstance(value, Value):
        return value.to_dict()
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if isinstance(value, frozenset):
        return sorted(map(_plain, value))
    return value


@dataclass(frozen=True, slots=True)
class Scope(Value):
    """Who owns rows. Nothing in one scope is visible from another without a stored grant."""

    tenant: str
    """Empty in a single-tenant store."""
    kind: ScopeKind
    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Message(Value):
    """What was said, word for word. Never edited; at most withdrawn or erased."""

    id: str
    session: str
    role: Role
    """How far to trust it."""
    speaker: str
    """Which subject said it."""
    text: str
    said_at: datetime
    """In the UTC offset it was given in, so that its "yesterday" is the speaker's."""
    recorded_at: datetime
    position: int
    """Order of recording within the scope, from 1."""
    key: str | None = None
    """The caller's own name for it, if any."""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    progress: Progress = "pending"
    consolidated: bool = False
    withdrawn: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Session(Value):
    """A stretch of conversation within a scope."""

    id: str
    began_at: datetime
    ended_at: datetime
    messages: int
    pending: int
    """Messages whose progress is pending or unextracted."""
    closed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Note(Value):
    """One remembered thing, as its latest live revision says it."""

    id: str
    kind: NoteKind
    text: str
    event: str | None
    """The message it was read from; all entries of one message are one event."""
    sources: tuple[str, ...]
    """Ids of the messages it rests on, oldest first."""
    parents: tuple[str, ...] = ()
    """Ids of the notes it was formed from, if any."""
    role: Role = "user"
    """The least trusted role among its sources."""
    about: str | None = None
    said_by: str | None = None
    certainty: Certainty = "stated"
    supported: bool = True
    """Whether its sources bear out its names, numbers and dates; if not, no summary rests on it."""
    indexed: bool = True
    """Whether it has a document of its own. One that repeats its message is recalled through it."""
    began_at: datetime
    """When the earliest of its sources was said; `said_at` for a fact or relation."""
    said_at: datetime
    """When the latest of its sources was said."""
    valid_at: datetime | None = None
    """When what it says begins to hold, if told: "I move in December"."""
    invalid_at: datetime | None = None
    known_at: datetime
    recorded_at: datetime
    revision: int = 1
    operation: str
    by_person: bool = False
    """Whether a person wrote this revision; extraction never overrides it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision(Value):
    """One state that a note went through."""

    note: str
    number: int
    text: str
    operation: str
    cause: str
    """Which step made it: bind, consolidate, update, delete, ..."""
    model: str | None
    prompt_digest: str | None
    sources: tuple[str, ...]
    parents: tuple[str, ...]
    known_at: datetime
    recorded_at: datetime
    withdrawn: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Link(Value):
    """`source` was formed later than `target`; `relation` says how they hang together."""

    source: str
    target: str
    relation: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Event(Value):
    """A message and everything that was read from it: the unit of memory."""

    message: Message
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """Work to do: `kind` says what, `subject` on what (a session)."""

    kind: Literal["index", "bind", "consolidate"]
    subject: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteDraft:
    """A note that a step wants written; the engine adds ids, times and `known_at`."""

    kind: NoteKind
    text: str
    event: str | None = None
    sources: tuple[str, ...] = ()
    parents: tuple[str, ...] = ()
    about: str | None = None
    said_by: str | None = None
    certainty: Certainty = "stated"
    supported: bool = True
    indexed: bool = True
    valid_at: datetime | None = None
    invalid_at: datetime | None = None
    revises: str | None = None
    """The id of the note that this is a new revision of."""
    base: int = 0
    """The revision that the step read; another one now there is a `Conflict`."""
    links: tuple[tuple[str, str], ...] = ()
    """The id of each earlier note that it hangs together with, and how."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What one step wants written: all of it or none of it."""

    notes: tuple[NoteDraft, ...] = ()
    links: tuple[Link, ...] = ()
    progress: Mapping[str, Progress] = field(default_factory=dict)
    """Message id to its new progress."""
    consolidated: tuple[str, ...] = ()
    """Ids of the messages whose events have left the buffer."""
    next: tuple[Step, ...] = ()
    redo: str | None = None
    """Why this step is to be tried again later, if it is."""
    model: str | None = None
    prompt_digest: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit(Value):
    """Something remembered that matters to a query."""

    kind: Literal["message", "fact", "relation", "summary"]
    id: str
    text: str
    relevance: float
    """Weighted sum of the signals; comparable within one search, higher is better."""
    similarity: float = 0.0
    """Cosine of it and the query, in [-1, 1]: what it means belongs to the encoder."""
    place: int = 0
    """Number of its message among all of the scope, as they were said; of the last, for a note
    that rests on several."""
    session: str | None
    speaker: str | None
    role: Role
    certainty: Certainty = "stated"
    began_at: datetime
    said_at: datetime
    valid_at: datetime | None = None
    sources: tuple[str, ...] = ()
    """Ids of the messages it rests on: the evidence."""
    event: tuple[Note, ...] = ()
    """The other entries of the same event."""
    signals: Mapping[str, float] = field(default_factory=dict)
    """Each signal's share of the relevance; filled by `explain=True`."""
