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

ScopeKind = Literal["user", "conversation", "recommender", "pool", "space"]
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
NoteKind = Literal["fact", "relation", "summary", "user_note", "item_note", "profile", "pattern"]
"""The first three are formed from talk, the next three in a recommender: what an interaction says
of its user; what is known of an item; what is known of a user in all. In a pool: what users do
alike, with `text` what it says of them and `context` how it shows in what they do."""
StepKind = Literal["index", "bind", "supersede", "consolidate", "sweep", "write"]
"""In the order in which a session's steps are done."""
View = Literal["turn", "exchange", "note"]
"""What a document shows: a message, a message after the one before it, or a note."""
Variant = Literal["flat", "events", "full"]
"""How much of the structure is formed and used: facts alone; with relations; with summaries."""
Certainty = Literal["stated", "hearsay", "uncertain"]
Matter = Literal["message", "note", "revision", "operation", "consolidation"]
"""What an operation can put out of force."""
CONTRADICTS = "contradicts"
"""The relation of a link between two notes that cannot both hold, if it is not known which does."""
KIN = "kin of another time"
"""The relation of a link from a summary to what a sweep put side by side in it."""
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
class At(Value):
    """The moment from which a scope is looked at. Both bounds hold; `None` is no bound.

    What was rolled back or quarantined is hidden at every `as_of`, but for an audit: there it shows
    as long as it was not yet.
    """

    as_of: datetime | None = None
    """Only what was known strictly before: messages said, and revisions and withdrawals whose
    `known_at` lies, before it."""
    recorded_as_of: datetime | None = None
    """For audits: only what was recorded strictly before, undone since or not."""


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
    author: str | None = None
    """Who wrote it into a shared space, such as `user:alice` or `agent:planner`."""
    operation: str | None = None
    """The id of the operation that added it."""
    item: str | None = None
    """In a recommender: the item that it is about."""
    action: str | None = None
    """What was done with the item, such as `rate`; `describe` says what the item is."""
    rating: float | None = None
    """As it was given, on the data's own scale."""


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
    """Ids of the messages it rests on, oldest first. Each revision of a pattern names the one part
    that it took in; those of all revisions that count are its support."""
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
    """When it ceased to hold, if that is known."""
    superseded_by: str | None = None
    """The id of the note that took its place, from `invalid_at` on."""
    known_at: datetime
    recorded_at: datetime
    revision: int = 1
    operation: str
    by_person: bool = False
    """Whether a person wrote this revision; extraction never overrides it."""
    item: str | None = None
    """The item that it is about; told by its event."""
    keywords: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    context: str = ""
    """Of an atomic note: what it hangs together with, in words. Unlike its text it evolves."""
    sureness: float | None = None
    """How sure whoever wrote this revision was, in [0, 1], if that was told."""
    narrower: bool = False
    """Whether this revision says less than what it rests on bears out."""

    @property
    def shown(self) -> str:
        """What of it is encoded and found: text, keywords, tags and context, each on its line.

        Of a pattern text and context alone.
        """
        words = () if self.kind == "pattern" else (self.keywords, self.tags)
        told = (self.text, *map(", ".join, words), self.context)
        return "\n".join(part for part in told if part)

    @property
    def confidence(self) -> float:
        """How sure it is, in [0, 1]: as told, else 1 - (1 - p)^n, if n separate messages say so.

        Each counts for p: 0.7 where it is stated, 0.5 by hearsay, 0.3 if uncertain.
        """
        if self.sureness is not None:
            return self.sureness
        p = {"stated": 0.7, "hearsay": 0.5, "uncertain": 0.3}[self.certainty]
        return 1.0 - (1.0 - p) ** max(1, len(self.sources))

    def holds_on(self, moment: datetime) -> bool:
        """Whether it holds then: from `valid_at`, else `began_at`, to before `invalid_at`."""
        began = self.valid_at or self.began_at
        return began <= moment and (self.invalid_at is None or moment < self.invalid_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision(Value):
    """One state that a note went through."""

    note: str
    number: int
    text: str
    operation: str
    cause: str
    """Which step made it: bind, consolidate, supersede, update, ..."""
    model: str | None
    prompt_digest: str | None
    sources: tuple[str, ...]
    parents: tuple[str, ...]
    known_at: datetime
    recorded_at: datetime
    valid_at: datetime | None = None
    invalid_at: datetime | None = None
    superseded_by: str | None = None
    by_person: bool = False
    withdrawn: bool = False
    """Whether the note has been withdrawn, or this revision undone."""
    undone_by: str | None = None
    """The operation that put it out of force: a rollback, a deletion, a quarantine."""
    keywords: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    context: str = ""
    sureness: float | None = None
    narrower: bool = False
    difference: str = ""
    """What it changed against the revision before it, in words; filled by `history`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link(Value):
    """`source` was formed later than `target`; `relation` says how they hang together."""

    source: str
    target: str
    relation: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Gone(Value):
    """An operation's word that something is out of force; it counts unless that is undone itself.

    `message`, `note`: hidden. `revision`: the note is as the last revision that still counts says,
    and hidden if there is none. `operation`: undone; its messages, revisions and links, and all
    that it put out of force itself, are as if it had not been. `consolidation`: the message is back
    in the buffer, until an operation after this one consolidates it.
    """

    what: Matter
    id: str
    """Of the message, note or operation."""
    revision: int = 0
    """The number of the revision, where that is meant."""
    always: bool = True
    """Whether it is hidden at every `as_of` (rolled back, quarantined), not only from the
    `known_at` of the operation on (deleted, withdrawn). An undone operation always is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event(Value):
    """A message and everything that was read from it: the unit of memory."""

    message: Message
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Step(Value):
    """Work to do."""

    kind: StepKind
    subject: str
    """On what: a session; for `supersede` the operation whose notes are to be compared; for `write`
    nothing in particular: whatever interactions wait."""


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
    superseded_by: str | None = None
    revises: str | None = None
    """The id of the note that this is a new revision of."""
    base: int = 0
    """The revision that the step read; another one now there is a `Conflict`."""
    links: tuple[tuple[str, str], ...] = ()
    """The id of each earlier note that it hangs together with, and how."""
    keywords: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    context: str = ""
    sureness: float | None = None
    narrower: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What one step wants written: all of it or none of it."""

    notes: tuple[NoteDraft, ...] = ()
    links: tuple[Link, ...] = ()
    progress: Mapping[str, Progress] = field(default_factory=dict)
    """Message id to its new progress."""
    withdraw: tuple[str, ...] = ()
    """Ids of notes that say what another one says by now."""
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

    kind: Literal["message"] | NoteKind
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
    invalid_at: datetime | None = None
    superseded_by: str | None = None
    """The id of what took its place, where superseded hits are asked for."""
    supersedes: tuple[str, ...] = ()
    """Ids of the notes whose place it took."""
    disagrees_with: tuple[str, ...] = ()
    """Ids of notes that say otherwise, where it is not known which holds."""
    sources: tuple[str, ...] = ()
    """Ids of the messages it rests on: the evidence."""
    event: tuple[Note, ...] = ()
    """The other entries of the same event."""
    kin: tuple[Note, ...] = ()
    """Summaries in which a sweep put it beside its kin of other times."""
    signals: Mapping[str, float] = field(default_factory=dict)
    """Each signal's share of the relevance; filled by `explain=True`."""
