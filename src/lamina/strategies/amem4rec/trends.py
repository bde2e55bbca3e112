"""From what was done to what it shows, by categories and their order, ratings and actions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from lamina.strategies.amem4rec.stages import Seen
from lamina.strategies.amem4rec.wording import Drift, Leaning, Movement, Trend

MOST_HELD = 3
MOST_KEPT = 2
"""Categories that a trend keeps to, and that its movement tells, at most: more make texts many."""
LONGEST_CATEGORY = 40
LONGEST_ACTION = 20
"""Characters."""
SCALES = (5.0, 10.0)
"""Ratings are taken to be on the first of these scales that holds them all, or on one of 100."""
LIKED = 0.7
DISLIKED = 0.5
DRIFTED = 0.4
"""Shares of the scale: a mean from which on, and up to which, something is liked or disliked; the
step between the first and the last rating that makes them warmer or cooler."""


class Kind(NamedTuple):
    """What an interaction tells."""

    categories: frozenset[str]
    rating: float | None


def kinds(seen: Sequence[Seen]) -> list[Kind]:
    """Return what those interactions tell whose items have categories, oldest first."""
    spelled: dict[str, str] = {}
    found = []
    for each in seen:
        names = filter(None, map(_cleaned, each.categories))
        own = frozenset(spelled.setdefault(name.casefold(), name) for name in names)
        if own:
            found.append(Kind(own, each.rating))
    return found


def counted(told: Sequence[Kind]) -> dict[str, int]:
    """Return in how many interactions each category occurs, strongest first, ties by name."""
    counts = Counter(name for kind in told for name in kind.categories)
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def trend(seen: Sequence[Seen], told: Sequence[Kind], counts: Mapping[str, int]) -> Trend:
    """Return what interactions show.

    Args:
        seen: All of them, oldest first.
        told: Their `kinds`, at least one.
        counts: These, `counted`.
    """
    order = list(counts)
    held = [name for name in order if 2 * counts[name] > len(told)][:MOST_HELD]
    movement, ends = _movement([kind.categories for kind in told], order, held)
    return Trend(
        leaning=_leaning(told, frozenset(held)),
        held=tuple(sorted(held)),
        movement=movement,
        ends=ends,
        drift=_drift(told),
        actions=_actions(seen),
    )


@lru_cache(maxsize=1 << 12)
def _cleaned(category: str) -> str:
    return " ".join(category.split())[:LONGEST_CATEGORY].strip()


def _movement(
    steps: Sequence[frozenset[str]], order: Sequence[str], held: Sequence[str]
) -> tuple[Movement, tuple[str, ...]]:
    """Return how categories follow each other, and which."""
    first, last = steps[0], steps[-1]
    common = frozenset.intersection(*steps)
    kept = tuple(sorted([name for name in order if name in common][:MOST_KEPT]))
    if len(steps) > 1 and len(set(steps)) == 1:
        return "repeats", kept
    if common:
        return ("narrows" if last < first else "broadens" if first < last else "stays"), kept
    main = held[0] if held else _strongest(first, order)
    if main in first and main in last:
        other = next(step for step in steps if main not in step)
        return "alternates", (main, _strongest(other, order))
    if main in first:
        return "moves", (main, _strongest(last, order))
    if main in last:
        return "moves", (_strongest(first, order), main)
    return "alternates", (main, _strongest(first, order))


def _strongest(names: frozenset[str], order: Sequence[str]) -> str:
    return next(name for name in order if name in names)


def _leaning(told: Sequence[Kind], held: frozenset[str]) -> Leaning:
    """Return how those are rated, in the mean, that share what is held."""
    rated = [k.rating for k in told if k.rating is not None and (not held or k.categories & held)]
    if not rated:
        return ""
    mean = sum(rated) / len(rated) / _scale(told)
    return "likes" if mean >= LIKED else "dislikes" if mean <= DISLIKED else ""


def _drift(told: Sequence[Kind]) -> Drift:
    rated = [kind.rating for kind in told if kind.rating is not None]
    if not rated:
        return ""
    step = (rated[-1] - rated[0]) / _scale(told)
    return "warmer" if step >= DRIFTED else "cooler" if step <= -DRIFTED else ""


def _scale(told: Sequence[Kind]) -> float:
    highest = max(kind.rating for kind in told if kind.rating is not None)
    return next((scale for scale in SCALES if highest <= scale), 100.0)


def _actions(seen: Sequence[Seen]) -> tuple[str, ...]:
    ends = [" ".join(each.action.split())[:LONGEST_ACTION] for each in (seen[0], seen[-1])]
    return tuple(ends) if all(ends) and ends[0] != ends[1] else ()
