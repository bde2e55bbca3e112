"""What speaks for an item; see `Recommender.explain`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np

from lamina.errors import NotFound
from lamina.items import Evidence, Facet, Item
from lamina.memory.lending import Facts
from lamina.memory.recommending import tasting, telling
from lamina.memory.recommending.grounds import Grounds, grounds
from lamina.memory.recommending.reasons import reason
from lamina.memory.write import identifier
from lamina.model import At, Scope, Value
from lamina.ranking import linked
from lamina.ranking.extractive import score
from lamina.work.engine import Engine


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation(Value):
    """What speaks for and against one item for one user."""

    user: str
    item: Item
    score: float
    """Comparable with those of `rank` over the same kind of candidates."""
    rationale: str
    """What speaks for it most, in words."""
    signals: Mapping[str, float] = field(default_factory=dict)
    """What each signal adds to the score, below 0 what speaks against it; the greatest first."""
    evidence: tuple[Evidence, ...] = ()
    """The user's own notes, the item's, what links lead to, what others did."""
    facets: tuple[Facet, ...] = ()
    """Sides of the user's taste that the item shares; `lasting` or passing."""
    keeps: tuple[str, ...] = ()
    breaks: tuple[str, ...] = ()
    """Constraints of the instruction."""
    known: bool = False
    """Whether the user had to do with it before."""
    cold: bool = False
    """Whether nothing is known of the user."""
    as_of: datetime | None = None


def explain(
    engine: Engine,
    scope: Scope,
    user: str,
    item: str,
    instruction: str,
    at: At | None,
    chat: Facts = (),
) -> Explanation:
    """Return what speaks for and against an item."""
    known, user = grounds(engine, scope, at), identifier(user)
    place = linked.places(known.graph).items.get(identifier(item), -1)
    if place < 0 or not known.known[place]:
        raise NotFound(f"no item here has the id {item!r:.60}")
    vectors = np.stack([vector for _, vector in chat]) if chat else None
    asked = known.asked(user, [place], instruction, vectors)
    found = known.looked_up(user)
    scored = score(asked, "shortlist", instruction=instruction, patterns=found.told)
    signals = scored.signals(0)
    described = known.item(place)
    keeps, breaks = scored.kept.told(0, 1), scored.kept.told(0, -1)
    return Explanation(
        user=user,
        item=described,
        score=float(scored.scores[0]),
        rationale=reason(signals, keeps, breaks, by_many=found.by_many),
        signals=signals,
        evidence=telling.evidence(
            known,
            user,
            {item: signals},
            chat,
            hops=2,
            patterns=found.patterns,
        )[item],
        facets=_shared(known, user, described, place),
        keeps=keeps,
        breaks=breaks,
        known=bool(np.isin(place, known.own(user))),
        cold=scored.cold,
        as_of=None if at is None else at.as_of,
    )


def _shared(known: Grounds, user: str, item: Item, place: int) -> tuple[Facet, ...]:
    """Return the facets that are among an item's categories and tags, or its note's."""
    words = {word.casefold() for word in (*item.categories, *item.tags)}
    for note in known.item_notes(user, [place]).values():
        words |= {word.casefold() for word in (*note.tags, *note.keywords)}
    found = tasting.facets(known, tasting.as_written(known, user, tasting.own_notes(known, user)))
    return tuple(facet for facet in found if facet.facet.casefold() in words)
