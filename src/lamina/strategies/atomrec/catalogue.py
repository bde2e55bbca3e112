"""How common a term is among the items that are described: what a word tells."""

from __future__ import annotations

import math
from bisect import bisect_right, insort
from collections.abc import Iterable


class Catalogue:
    """In how many descriptions each term occurs. It grows; nothing in it changes.

    Times are microseconds: only what was known by then counts.
    """

    def __init__(self) -> None:
        self._known: list[int] = []
        self._of: dict[str, list[int]] = {}

    def add(self, terms: Iterable[str], known_from: int) -> None:
        """Count one more description.

        Args:
            terms: What occurs in it.
            known_from: Since when it is known.
        """
        _insert(self._known, known_from)
        for term in set(terms):
            _insert(self._of.setdefault(term, []), known_from)

    def size(self, by: int) -> int:
        """Return how many descriptions were known by then."""
        return bisect_right(self._known, by)

    def weight(self, term: str, by: int) -> float:
        """Return how much a term tells: ln((1 + N) / (1 + n)), n of N descriptions having it."""
        found = bisect_right(self._of.get(term, ()), by)
        return math.log((1 + self.size(by)) / (1 + found))


def _insert(times: list[int], time: int) -> None:
    if not times or times[-1] <= time:
        times.append(time)
    else:
        insort(times, time)
