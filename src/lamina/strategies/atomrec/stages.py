"""What each stage of AtomRec is given and returns; one twin asks a model, the other selects.

Every stage takes and returns batches, in order. What it returns names notes only by ids that it
was shown. A `Failure` says that there is no outcome: what was stays as it was, and `malformed`
apart the work is to be tried again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

from lamina.items import Facet, Interaction, Item
from lamina.ports import Failure

Side = Literal["own", "other", "item", "pattern"]
"""Whose a note is, seen from the user at hand: theirs, somebody else's, an item's, or what many
users do alike."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fields:
    """What an atomic note says: content c, keywords K, tags G, context X."""

    content: str
    keywords: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    context: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A note as a stage is shown it. Nobody but the user at hand is named on it."""

    id: str
    """Of the note. A model is shown small integers instead."""
    side: Side
    fields: Fields
    at: datetime
    """When what it tells was done."""
    item: str = ""
    """Id of the item that it is about."""
    rating: float | None = None
    similarity: float = 0.0
    """Cosine with what it was looked up for, in [-1, 1]."""
    relation: str | None = None
    """How it hangs together with `after`."""
    after: str | None = None
    """The id of the note through whose link it was reached; `None`: found by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Click:
    """An interaction, and what is known of its user and its item before it."""

    interaction: Interaction
    item: Item
    recent: tuple[Card, ...] = ()
    """The user's notes before it, latest first."""
    profile: str = ""
    """What is known of the user in all; empty if nothing is."""
    counts: str = ""
    """What recurs in the user's notes, worked out; see `profiles.told`."""
    new_item: bool = False
    """Whether the item has no note yet, so that one is to be written."""
    metadata_only: bool = False
    """Whether that one may tell only what the item's description says."""
    usual: float | None = None
    """The mean of what the user rated before it; `None` if they rated nothing."""
    rated: int = 0
    """How many ratings that is the mean of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """The notes of one interaction."""

    user: Fields
    item: Fields | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Linking:
    """A new note, and those nearest to it."""

    new: Card
    near: tuple[Card, ...]
    """Most similar first, at most k_link."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """A link from the new note."""

    target: str
    relation: str | None = None
    """Why, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evolving:
    """A historical note that the new one may change."""

    new: Card
    target: Card
    nearby: tuple[Card, ...] = ()
    linked: tuple[str, ...] = ()
    """Ids of the other notes shown that the target is linked with already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evolution:
    """What a historical note is to say from now on. Its content and its time never change."""

    keywords: tuple[str, ...]
    tags: tuple[str, ...]
    context: str
    links: tuple[Relation, ...] = ()
    confidence: float = 1.0
    """In [0, 1]."""
    supporting: tuple[str, ...] = ()
    """Ids of the notes that bear it out, of those shown; never empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reflecting:
    """Stage-W: what a click changes in what is known of its user, its item and their neighbours."""

    click: Click
    note: Card
    """The user's new note."""
    item: Card | None
    """The item's note."""
    facets: tuple[Facet, ...] = ()
    neighbours: tuple[Card, ...] = ()
    """At most 8."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reflection:
    """The outcome of Stage-W. Changes of the item and of neighbours pass the gates of evolution."""

    profile: Fields
    item: Evolution | None = None
    neighbours: tuple[tuple[str, Evolution], ...] = ()
    """By the neighbour's id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One item to be ranked. All are shown alike."""

    item: Item
    memory: str
    """What its note says, or, without one, its description."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What the read side is shown for one ranking."""

    instruction: str
    """What the user asks for; may be empty."""
    profile: str
    """What is known of the user in all, as a model wrote it; empty if none did."""
    counts: str = ""
    """What recurs in the user's notes, worked out; see `profiles.told`."""
    own: tuple[Card, ...]
    """The user's notes that matter here, most similar first."""
    linked: tuple[Card, ...] = ()
    """What links lead to from those, nearest hop first; each with `relation` and `after`."""
    chat: tuple[Card, ...] = ()
    """Facts from the user's conversations, if they let them serve here."""
    patterns: tuple[Card, ...] = ()
    """What users like this one do, weightiest first; only candidates are scored by it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Synthesis:
    """The linked notes in few words."""

    summary: str
    facet_hints: tuple[str, ...] = ()
    evidence_paths: tuple[tuple[str, ...], ...] = ()
    """Ids of notes, from the user's own on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Taste:
    """Stage-R: sides of the user's taste, and what bears them out."""

    facets: tuple[Facet, ...] = ()
    support_edges: tuple[tuple[str, str, float], ...] = ()
    """From which note to which, and how strongly, in [0, 1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """What was said of the candidates: each at most once, none that was not shown."""

    scores: tuple[tuple[str, float, str], ...] = ()
    """Id of the item, score in [0, 1], rationale; in the order told."""
    invented: int = 0
    """How many were named that were not shown, or named again."""
    by_order: bool = False
    """Whether no scores were told, so that they are made from the order."""


class Forming(Protocol):
    """The stages that form memory."""

    @property
    def name(self) -> str:
        """For operations and reports."""
        ...

    @property
    def asks(self) -> bool:
        """Whether a model is asked; without one Stage-W is not done."""
        ...

    @property
    def model(self) -> str | None:
        """The model that gave the latest good reply, if one was asked."""
        ...

    def write(self, clicks: Sequence[Click]) -> Sequence[Written | Failure]:
        """Return the notes of each interaction."""
        ...

    def link(self, asked: Sequence[Linking]) -> Sequence[tuple[Relation, ...] | Failure]:
        """Return which of the near notes each new one is linked with, and why."""
        ...

    def evolve(self, asked: Sequence[Evolving]) -> Sequence[Evolution | Failure | None]:
        """Return what each target says from now on; `None`: what it says now."""
        ...

    def reflect(self, asked: Sequence[Reflecting]) -> Sequence[Reflection | Failure | None]:
        """Stage-W; `None` where it is not done."""
        ...


class Stages(Forming, Protocol):
    """All stages of the method: those that form memory, and those that read it."""

    def synthesise(self, reading: Reading) -> Synthesis | Failure:
        """Return the linked notes in few words."""
        ...

    def taste(self, reading: Reading, synthesis: Synthesis | None) -> Taste | Failure:
        """Stage-R: return at most 7 facets."""
        ...

    def score(
        self,
        reading: Reading,
        synthesis: Synthesis | None,
        taste: Taste | None,
        candidates: Sequence[Candidate],
    ) -> Scored | Failure:
        """Return how well each candidate fits."""
        ...
