"""AMEM4Rec without a language model: categories, their order, ratings and actions. No titles."""

from __future__ import annotations

from collections.abc import Sequence

from lamina.ports import Failure
from lamina.strategies.amem4rec import leaks, merging, trends, wording
from lamina.strategies.amem4rec.config import AMEM4RecConfig
from lamina.strategies.amem4rec.stages import Abstraction, Candidate, Judging, Linked, Window

MOST_KEYWORDS = 8
SHARED = 0.5
"""Share of the keywords of the one that has fewer which two must have in common."""


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
        """See `Forming.judge`: those whose categories agree, merged into what both say."""
        found = (self._linked(asked, candidate) for candidate in asked.candidates)
        return tuple(linked for linked in found if linked is not None)

    def _linked(self, asked: Judging, candidate: Candidate) -> Linked | None:
        old, new = candidate.pattern.said, asked.new
        if self._config.semantic_gate and not agree(old, new):
            return None
        merged = merging.merge(old, new, candidate.weight) if candidate.weight > 0 else old
        if merged != old and leaks.leaked(merged.shown, asked.names, merged.keywords):
            return None
        reason = wording.sharing(shared(old.keywords, new.keywords))
        return Linked(id=candidate.pattern.id, reason=reason, merged=_changed(old, merged))


def selected(window: Window) -> Abstraction | None:
    """Return what a window says by its categories; `None` where they tell too little."""
    trend = trends.trend(window.seen)
    if trend is None:
        return None
    keywords = tuple(trends.counted(trends.kinds(window.seen)))[:MOST_KEYWORDS]
    return Abstraction(
        explanation=wording.explanation(trend),
        description=wording.description(trend),
        keywords=keywords,
    )


def agree(one: Abstraction, other: Abstraction) -> bool:
    """Return whether two say the same of categories.

    The strongest keyword of each is among those of the other, at least half of the keywords of the
    one that has fewer are shared, and it is not that one likes what the other dislikes.
    """
    both = shared(one.keywords, other.keywords)
    fewer = min(len(one.keywords), len(other.keywords))
    if not both or len(both) < SHARED * fewer:
        return False
    folded = {name.casefold() for name in both}
    firsts = {one.keywords[0].casefold(), other.keywords[0].casefold()}
    leanings = {wording.leaning(one.explanation), wording.leaning(other.explanation)}
    return firsts <= folded and leanings != {"likes", "dislikes"}


def shared(ours: Sequence[str], theirs: Sequence[str]) -> list[str]:
    """Return those of our keywords that are theirs, too, whatever their case."""
    known = {name.casefold() for name in theirs}
    return [name for name in ours if name.casefold() in known]


def _changed(old: Abstraction, merged: Abstraction) -> Abstraction | None:
    """Return what a pattern says from now on; `None` if that is what it said."""
    same = (merged.shown, merged.keywords) == (old.shown, old.keywords)
    return None if same else merged
