"""The values of recommending: items, interactions with them, and rankings. All are frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from lamina.model import Value

DESCRIBE = "describe"
"""The action of a message that says what an item is."""
WINDOW = "window"
"""The action of a message that says, in general terms, what a user did in one stretch."""
Method = Literal["lamina", "atomrec", "amem4rec"]
"""By what is ranked: by all there is; without what users share; by the user's recent history and
what users share alone."""
Privacy = Literal["open", "group", "silo"]
"""Whose notes may serve others: everybody's; those of the same group; nobody's, but for what at
least `k` users support."""
Fallback = Literal["extractive", "given"]
"""How what a model left out is put in order: by the extractive ranker; as it was given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item(Value):
    """What can be recommended, as it was described last."""

    id: str
    title: str = ""
    description: str = ""
    categories: tuple[str, ...] = ()
    """What it is counted among, such as genres; the general ones first."""
    tags: tuple[str, ...] = ()
    """What people call it."""
    attributes: Mapping[str, Any] = field(default_factory=dict)
    """What can be asked for, such as `{"area": "north", "price": "cheap", "year": 1999}`."""
    known_since: datetime | None = None
    """From when on this is known; `None`: always, for data that do not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interaction(Value):
    """What a user did with an item, as it was recorded. Never edited; withdrawn or erased."""

    id: str
    user: str
    item: str
    at: datetime
    action: str = "rate"
    rating: float | None = None
    """On the data's own scale."""
    text: str = ""
    """What the user said of it, word for word."""
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence(Value):
    """Why an item stands where it does: one thing that is remembered. Others are not named."""

    kind: Literal["own", "item", "shared", "chat", "pattern"]
    """The user's own note; the item's; one of somebody else's; a fact from a conversation; what
    many do alike."""
    id: str
    """Of the note; empty where it is somebody else's and may not be told."""
    text: str
    at: datetime | None = None
    """When what it says was said or done, to the day where it is somebody else's."""
    relation: str | None = None
    """How it hangs together with the note before it on the path, in words."""
    weight: float = 0.0
    """Its share in the score."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked(Value):
    """One candidate and its place."""

    item: str
    title: str
    score: float
    """Comparable within one ranking, higher is better."""
    rationale: str = ""
    evidence: tuple[Evidence, ...] = ()
    signals: Mapping[str, float] = field(default_factory=dict)
    """Each signal's share of the extractive score."""
    keeps: tuple[str, ...] = ()
    breaks: tuple[str, ...] = ()
    """Constraints of the instruction."""
    by: Literal["extractive", "model", "fallback"] = "extractive"
    """What put it in its place; `fallback`: the model did not name it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facet(Value):
    """A side of somebody's taste."""

    facet: str
    confidence: float
    """In [0, 1]."""
    supporting_notes: tuple[str, ...] = ()
    """Ids."""
    first_at: datetime | None = None
    last_at: datetime | None = None
    """When the earliest and the latest of what supports it was done."""
    lasting: bool = False
    """Whether it is supported over a long time, rather than passing."""
    leaning: Literal["likes", "dislikes", ""] = ""
    """`dislikes`: what has it is mostly rated below the user's mean; empty where a model told it,
    in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern(Value):
    """What several users do alike, as it is at a moment. It names nobody and no item."""

    id: str
    explanation: str
    """What tendency shows: one or two sentences."""
    description: str
    """How it shows in what is done, step by step: one or two sentences."""
    keywords: tuple[str, ...] = ()
    evolution_count: int = 0
    """How often another part was taken into it."""
    contributors: int = 0
    """How many users support it."""
    first_at: datetime | None = None
    last_at: datetime | None = None
    """When what the earliest and the latest of its parts tell was done, to the day."""
    yours: bool = False
    """Whether the user for whom it is told is among them."""
    similarity: float = 0.0
    """Cosine with what it was looked up for, in [-1, 1]; 0 where it was not looked up for anything,
    as in a list."""
    weight: float = 0.0
    """Its share, in [0, 1]: among those that were looked up, by similarity, evolution and age; in a
    list, by evolution and age, among all that may be told, also where the list is cut short; of one
    that was asked for by its id, 1."""
    links: tuple[str, ...] = ()
    """Ids of patterns that it hangs together with."""

    def to_text(self) -> str:
        """Return what it says, with how often it evolved, for a prompt or a page."""
        times = "once" if self.evolution_count == 1 else f"{self.evolution_count} times"
        evolved = f" (evolved {times})" if self.evolution_count else ""
        return f"{self.explanation} {self.description}".strip() + evolved


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking(Value):
    """All candidates, best first: a permutation of those that were given and are known."""

    user: str
    items: tuple[Ranked, ...]
    instruction: str = ""
    as_of: datetime | None = None
    facets: tuple[Facet, ...] = ()
    synthesis: str = ""
    duplicates: int = 0
    """Candidates that were given more than once; each is ranked once."""
    unknown: tuple[str, ...] = ()
    """Candidates that no item and no interaction names; they are left out."""
    appended: int = 0
    """How many the model did not name, and the fallback put in order."""
    invented: int = 0
    """How many the model named that were not shown to it, or named again; they are left out."""
    discarded: bool = False
    """Whether the model gave no reply that could be used, so that all is by the fallback."""
    failure: str = ""
    """Why, in words, where that is so: no connection, no answer in time, a malformed reply, ..."""
    narrowed_from: int = 0
    """How many there were, where the model was shown only the best of them."""
    pending: int = 0
    """Interactions of which no notes are formed yet; they count as what was done all the same."""
    cold: bool = False
    """Whether nothing is known of the user at that moment."""
    patterns: tuple[Pattern, ...] = ()
    """What users share that was looked up for this user, weightiest first; of somebody of whom
    nothing is known, what weighs most by evolution and age."""

    def summary(self) -> dict[str, Any]:
        """Return who, by which patterns and in which order with reasons, JSON-ready.

        That is `user_id`, `retrieved_memories` (`pattern`, `evolution_count`) and `ranked_items`
        (`rank` from 1, `item`, `reason`).
        """
        return {
            "user_id": self.user,
            "retrieved_memories": [
                {
                    "pattern": f"{each.explanation} {each.description}".strip(),
                    "evolution_count": each.evolution_count,
                }
                for each in self.patterns
            ],
            "ranked_items": [
                {"rank": place, "item": each.item, "reason": each.rationale}
                for place, each in enumerate(self.items, 1)
            ],
        }

    @property
    def ids(self) -> tuple[str, ...]:
        """The items' ids, best first."""
        return tuple(ranked.item for ranked in self.items)
