"""What each stage of AMEM4Rec is given and returns; one twin asks a model, the other selects.

A `Failure` says that there is no outcome.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from lamina.ports import Failure

LASTING = frozenset({"malformed", "refused"})
"""Failures that asking again later would not mend."""
MOST_KEYWORDS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One interaction as a window shows it."""

    title: str
    categories: tuple[str, ...]
    action: str
    rating: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """A stretch of one user's interactions, oldest first."""

    user: str
    interactions: tuple[str, ...]
    """Ids of their messages."""
    seen: tuple[Seen, ...]
    names: tuple[str, ...]
    """What nothing that is shared may say: titles and ids of the items, the user's id."""
    began_at: datetime
    said_at: datetime
    """When the last of them was done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Abstraction:
    """What a window or a pattern says in general terms, ⟨explanation, pattern⟩ and keywords."""

    explanation: str
    description: str
    keywords: tuple[str, ...] = ()
    raw: bool = False
    """Whether a model failed to say it, so that it was selected and is to be redone."""

    @property
    def shown(self) -> str:
        """What of it is encoded; as `Note.shown` of a pattern."""
        return "\n".join(part for part in (self.explanation, self.description) if part)

    @property
    def words(self) -> tuple[str, ...]:
        """All that it says."""
        return (self.explanation, self.description, *self.keywords)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A pattern as it stands."""

    id: str
    said: Abstraction
    evolution_count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A pattern that a new part may belong to."""

    pattern: Standing
    similarity: float
    """Cosine, in [-1, 1]."""
    weight: float
    """What the new text weighs against the old one if they are merged, in (0, 1]; 0: the pattern's
    words are settled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judging:
    """A new part and what it may belong to."""

    new: Abstraction
    candidates: tuple[Candidate, ...]
    """Most similar first; at least one."""
    names: tuple[str, ...] = ()
    """What no merged text may say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked:
    """A candidate that the new part belongs to."""

    id: str
    """Of the pattern."""
    reason: str
    merged: Abstraction | None
    """What the pattern says from now on; `None`: what it said. Never `None` by failure: a candidate
    whose merged text cannot be used is not among the linked."""


class Forming(Protocol):
    """The stages that form a pool."""

    @property
    def name(self) -> str:
        """For operations, such as `amem4rec-extractive`."""
        ...

    @property
    def model(self) -> str | None:
        """The model that answered last; `None` where none is asked."""
        ...

    def abstract(self, windows: Sequence[Window]) -> list[Abstraction | Failure | None]:
        """Return what each window says; `None` where fewer than two items tell anything.

        Of a window of one item, what that tells.

        None of it names an item. What a model named or garbled twice comes back selected and `raw`.
        """
        ...

    def judge(self, asked: Judging) -> tuple[Linked, ...] | Failure:
        """Return what the new part belongs to, with merged texts; only of the candidates."""
        ...
