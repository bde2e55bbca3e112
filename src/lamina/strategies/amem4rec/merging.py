"""What becomes of a pattern's words when another part is taken in."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from lamina.strategies.amem4rec.config import AMEM4RecConfig
from lamina.strategies.amem4rec.stages import MOST_KEYWORDS, Abstraction

FALLS = 0.8
"""By how much the weight of a new text falls over `FALLS_OVER` evolutions."""
FALLS_OVER = 10
MOST_SENTENCES = 2
ROOM = 0.5
"""The weight from which on a new text may add what only it says."""

_BETWEEN = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])\s*|\s*\n\s*")
_WORD = re.compile(r"[^\W_]+")


def weight(evolution_count: int, config: AMEM4RecConfig) -> float:
    """Return what a new text weighs against the old one: max(least, 1 - 0.8 count/10).

    0 once the words are settled, after `config.rewrites` evolutions.
    """
    if evolution_count >= config.rewrites:
        return 0.0
    return max(config.least_weight, 1.0 - FALLS * evolution_count / FALLS_OVER)


def merge(old: Abstraction, new: Abstraction, weight: float) -> Abstraction:
    """Return what both say first, then what the old one says, and the new one if there is room.

    Sentences and keywords are those of the two; none is made. What only the new one says is taken
    up while it weighs at least a half.

    Args:
        old: The pattern.
        new: The part.
        weight: Of the new one, in [0, 1]; at 0 the old one stays.
    """
    if not weight:
        return old
    return Abstraction(
        explanation=_text(old.explanation, new.explanation, weight),
        description=_text(old.description, new.description, weight),
        keywords=_both(old.keywords, new.keywords, weight, MOST_KEYWORDS),
        raw=old.raw and new.raw,
    )


def _text(old: str, new: str, weight: float) -> str:
    told = _both(_sentences(old), _sentences(new), weight, MOST_SENTENCES)
    return "".join(each if each[-1] in "。！？" else f"{each} " for each in told).strip()


def _both(old: Iterable[str], new: Iterable[str], weight: float, most: int) -> tuple[str, ...]:
    """Return the old ones that the new have, too, then the others: at most `most`."""
    ours, theirs = _by_words(old), _by_words(new)
    shared = [each for key, each in ours.items() if key in theirs]
    only = [each for key, each in ours.items() if key not in theirs]
    added = [each for key, each in theirs.items() if key not in ours]
    return tuple([*shared, *only, *(added if weight >= ROOM else [])][:most])


def _by_words(texts: Iterable[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for each in texts:
        found.setdefault(_words(each), each)
    return found


@lru_cache(maxsize=1 << 14)
def _words(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))


@lru_cache(maxsize=1 << 14)
def _sentences(text: str) -> tuple[str, ...]:
    return tuple(each for each in map(str.strip, _BETWEEN.split(text)) if each)
