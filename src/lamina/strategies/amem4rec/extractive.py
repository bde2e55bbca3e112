"""AMEM4Rec without a language model: categories, their order, ratings and actions. No titles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from lamina.ports import Failure
from lamina.strategies.amem4rec import merging, trends, wording
from lamina.strategies.amem4rec.config import AMEM4RecConfig
from lamina.strategies.amem4rec.leaks import leaked
from lamina.strategies.amem4rec.stages import (
    MOST_KEYWORDS,
    Abstraction,
    Candidate,
    Judging,
    Linked,
    Window,
)

PROFILE = 4
"""Keywords that make up a profile."""
OVERLAP = 0.35
"""How far two profiles must overlap to be linked. Of pairs of 2,000 different texts of windows of
MovieLens 17 % do; of pairs that keep to the same categories 77 %."""


class Extractive:
    """Both stages, by counting; see `Forming`. Deterministic and free."""

    name = "amem4rec-extractive"
    model = None

    def __init__(self, config: AMEM4RecConfig | None = None) -> None:
        """Take how the method works."""
        self._config = config or AMEM4RecConfig()

    def abstract(self, windows: Sequence[Window]) -> list[Abstraction | Failure | None]:
        """See `Forming.abstract`."""
        return [selected(window) for window in windows]

    def judge(self, asked: Judging) -> tuple[Linked, ...]:
        """See `Forming.judge`: those that agree, with what both keep to."""
        found = (self._linked(asked, candidate) for candidate in asked.candidates)
        return tuple(linked for linked in found if linked is not None)

    def _linked(self, asked: Judging, candidate: Candidate) -> Linked | None:
        old, new = candidate.pattern.said, asked.new
        if self._config.semantic_gate and not agree(old, new):
            return None
        merged = evolved(old, new, candidate.weight)
        reason = wording.sharing(shared(old.keywords, new.keywords))
        return Linked(id=candidate.pattern.id, reason=reason, merged=_changed(old, merged))


def selected(window: Window) -> Abstraction | None:
    """Return what a window says by its categories; `None` where fewer than two items have any.

    Of a window of one item, what that tells. Actions that name an item or the user are left out.
    """
    told = trends.kinds(window.seen)
    if not told or len(told) < min(2, len(window.seen)):
        return None
    counts = trends.counted(told)
    trend = trends.trend(window.seen, told, counts)
    if trend.actions and leaked("\n".join(each.action for each in window.seen), window.names):
        trend = replace(trend, actions=())
    return Abstraction(
        explanation=wording.explanation(trend.leaning, trend.held, trend.ends),
        description=wording.description(trend),
        keywords=tuple(counts)[:MOST_KEYWORDS],
    )


def agree(one: Abstraction, other: Abstraction) -> bool:
    """Return whether two say the same of categories.

    Their profiles overlap by `OVERLAP`; it is not that one likes what the other dislikes, nor that
    one moves where the other comes from.
    """
    if overlap(one.keywords, other.keywords) < OVERLAP:
        return False
    if {wording.leaning(each.explanation) for each in (one, other)} == {"likes", "dislikes"}:
        return False
    back = {(to, since) for since, to in wording.moves(other.description)}
    return back.isdisjoint(wording.moves(one.description))


def overlap(ours: Sequence[str], theirs: Sequence[str]) -> float:
    """Return how far two profiles overlap, in [0, 1]: the weighted Jaccard index.

    A keyword weighs 1 over its place, 0 from the fifth on and where it is missing; the index is the
    sum of the lesser weights over the sum of the greater.

    >>> overlap(("Crime", "Drama"), ("crime", "Comedy")), overlap((), ("Crime",))
    (0.5, 0.0)
    """
    one, other = _weights(ours), _weights(theirs)
    pairs = [(one.get(name, 0.0), other.get(name, 0.0)) for name in {**one, **other}]
    greater = sum(map(max, pairs))
    return sum(map(min, pairs)) / greater if greater else 0.0


def _weights(keywords: Sequence[str]) -> dict[str, float]:
    folded = dict.fromkeys(name.casefold() for name in keywords)
    return {name: 1.0 / place for place, name in enumerate(islice(folded, PROFILE), 1)}


def evolved(old: Abstraction, new: Abstraction, weight: float) -> Abstraction:
    """Return what a pattern says once a part was taken in: what both keep to, if anything.

    It keeps how it shows. So it only gets more general, and no longer, and comes to rest; where the
    new one weighs less than a half, it has. What was not selected is merged by sentences.

    Args:
        old: The pattern.
        new: The part.
        weight: Of the new one, in [0, 1]; at 0 the old one stays.
    """
    merged = merging.merge(old, new, weight)
    ours = wording.held(old.explanation, old.keywords)
    theirs = wording.held(new.explanation, new.keywords)
    if not weight or ours is None or theirs is None:
        return merged
    both = tuple(shared(ours, theirs))
    explanation = old.explanation
    if both and weight >= merging.ROOM:
        leans = wording.leaning(old.explanation), wording.leaning(new.explanation)
        explanation = wording.explanation(leans[0] if leans[0] == leans[1] else "", both)
    return replace(merged, explanation=explanation, description=old.description)


def shared(ours: Sequence[str], theirs: Sequence[str]) -> list[str]:
    """Return those of our keywords that are theirs, too, whatever their case."""
    known = {name.casefold() for name in theirs}
    return [name for name in ours if name.casefold() in known]


def _changed(old: Abstraction, merged: Abstraction) -> Abstraction | None:
    """Return what a pattern says from now on; `None` if that is what it said."""
    same = (merged.shown, merged.keywords) == (old.shown, old.keywords)
    return None if same else merged
