"""How long a summary may be: in proportion to what it sums up."""

from __future__ import annotations

from collections.abc import Iterable

from lamina.strategies.structmem.config import StructMemConfig
from lamina.strategies.structmem.sentences import count_words

SHARE = 0.5
"""Of the words that are summed up, so that a small buffer is not blown up."""
FEWEST = 40
"""Words that any summary may have."""


def summary_words(texts: Iterable[str], config: StructMemConfig) -> tuple[int, int]:
    """Return how many words a summary of `texts` should have at least and at most."""
    told = sum(map(count_words, texts))
    longest = max(FEWEST, min(config.longest_words, round(told * SHARE)))
    return round(longest * config.shortest_words / config.longest_words), longest
