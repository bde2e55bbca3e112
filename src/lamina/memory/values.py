"""What the verbs return."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from lamina.model import Hit, Note, NoteKind, Revision, Role, Scope, Step, Value
from lamina.ports import EncoderSpace, Operation, Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Added(Value):
    """What `add` stored."""

    ids: tuple[str, ...]
    """One id a message, in order; also of those that were there already."""
    new: int
    """How many were not there before."""
    operation: str | None = None
    """The id of what added them, by which it can be rolled back; `None` if nothing was new."""
    hidden: int = 0
    """How many were there before and do not count: undone, withdrawn or set aside since."""
    undone_by: tuple[str, ...] = ()
    """The rollbacks that undid the additions of such; to restore them, roll these back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Processed(Value):
    """What `process` did."""

    done: int
    """Steps that were done."""
    failed: tuple[str, ...] = ()
    """Why steps are to be tried again later."""
    busy: int = 0
    """Scopes that another worker holds; it does their work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(Value):
    """What `ask` says."""

    text: str
    cited: tuple[Hit, ...]
    """The evidence that the text names."""
    queries: tuple[str, ...]
    """What was searched for; a second one where the first did not suffice."""
    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment(Value):
    """One step in the story of a topic."""

    role: Literal["first mention", "later", "summary"]
    said_at: datetime
    speaker: str | None
    text: str
    why: str
    """How it hangs together with what came before, where that is known: a relation or a reply."""
    sources: tuple[str, ...]
    relevance: float
    until: datetime | None = None
    """When something else took its place, if it has been superseded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source(Value):
    """A message that something rests on."""

    id: str
    role: Role
    speaker: str
    said_at: datetime
    text: str
    live: bool = True
    """Whether it is neither withdrawn nor undone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Why(Value):
    """Where something comes from, down to the messages."""

    id: str
    text: str
    note: Note | None
    """The note, or `None` where it is a message, which is its own evidence."""
    operation: Operation | None
    """What wrote it: its kind, model, the digest of its prompt, and when."""
    revisions: tuple[Revision, ...] = ()
    formed_from: tuple[Why, ...] = ()
    """The notes it was formed from."""
    sources: tuple[Source, ...] = ()
    live: bool = True
    """Whether it is neither withdrawn nor undone; if not, it is told as it last was."""
    superseded_by: tuple[Why, ...] = ()
    """The note that took its place, and in it the one that took that one's; none if it stands."""
    supersedes: tuple[Why, ...] = ()
    """The notes whose place it took, and in each those whose place that took."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change(Value):
    """What becomes of one note or message."""

    id: str
    kind: Literal["message"] | NoteKind
    before: str | None
    """What it says now; `None` if it is hidden now."""
    after: str | None
    """What it will say; `None` if it will be hidden."""
    why: Literal["made by it", "rests on it", "restored", "to be formed anew"]
    """The operation wrote it; it stands on what the operation wrote; the operation had put it out
    of force; or its words stay, but the summary that had taken it up is to be formed anew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan(Value):
    """What undoing an operation changes."""

    target: Operation
    changes: tuple[Change, ...]
    """First messages, then notes, each in the order of their ids."""
    steps: tuple[Step, ...]
    """What `process` does afterwards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RolledBack(Value):
    """What `rollback` did."""

    operation: Operation
    """The new operation, by which it can be rolled back itself."""
    plan: Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats(Value):
    """How much there is, what waits, and what it took."""

    scope: Scope | None
    counts: Mapping[str, int]
    usage: Usage
    encoder: EncoderSpace | None
    waiting: Mapping[str, int] = field(default_factory=dict)
    """Jobs by kind."""
    troubles: tuple[str, ...] = ()
    """Why jobs are to be tried again, each reason once."""
