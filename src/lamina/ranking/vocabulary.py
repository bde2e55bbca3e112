"""What the items of a catalogue say in words and numbers, to be looked up by what is asked."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lamina.items import Item
from lamina.ranking.bounds import YEARS
from lamina.ranking.wording import Said, folded, tokens

CATEGORY, TAG = "category", "tag"
Place = tuple[str, str]
"""A field and a value of it, folded."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Vocabulary:
    """What i items say."""

    told: Sequence[Mapping[str, tuple[str, ...]]]
    """Shape (i,): by field what each says: categories, tags, attributes by name; folded."""
    numbers: Mapping[str, Sequence[float | None]]
    """By attribute what each says, shape (i,)."""
    years: frozenset[str]
    """Attributes all of whose numbers can be years."""
    by_first: Mapping[str, frozenset[Place]]
    """Values by their first word."""
    unspaced: frozenset[Place]
    """Values in which words are not set apart."""
    fields: Mapping[str, frozenset[str]]
    """Value to the fields that have it."""

    def says(self, words: Sequence[str]) -> bool:
        """Whether any item says one of some words."""
        return any(word in self.fields for word in words)

    def spoken_of(self, said: Said, same: Sequence[Sequence[str]]) -> list[Place]:
        """Return the values that a text may speak of, itself or by words that say the same."""
        found = {place for token in said.tokens for place in self.by_first.get(token, ())}
        found |= {place for place in self.unspaced if place[1] in said.text}
        for names in same:
            if any(said.of(name) is not None for name in names):
                found |= {(field, n) for n in names for field in self.fields.get(n, ())}
        return sorted(found)


def vocabulary(items: Sequence[Item | None]) -> Vocabulary:
    """Return what items say; `None` says nothing."""
    told = [{} if item is None else _told(item) for item in items]
    places = {(field, value) for each in told for field, values in each.items() for value in values}
    by_first: dict[str, set[Place]] = {}
    fields: dict[str, set[str]] = {}
    for field, value in places:
        fields.setdefault(value, set()).add(field)
        if value.isascii():
            for first in tokens(value)[:1]:
                by_first.setdefault(first, set()).add((field, value))
    numbers = _numbers(items)
    return Vocabulary(
        told=told,
        numbers=numbers,
        years=frozenset(name for name, values in numbers.items() if _years(values)),
        by_first={first: frozenset(some) for first, some in by_first.items()},
        unspaced=frozenset(place for place in places if not place[1].isascii()),
        fields={value: frozenset(some) for value, some in fields.items()},
    )


def _told(item: Item) -> dict[str, tuple[str, ...]]:
    found = {
        name: tuple(folded(one) for one in _texts(value)) for name, value in item.attributes.items()
    }
    for field, values in ((CATEGORY, item.categories), (TAG, item.tags)):
        found[field] = tuple(map(folded, values))
    return {field: values for field, values in found.items() if values}


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str) and _number(value) is None:
        yield value
    elif isinstance(value, list | tuple):
        yield from (one for one in value if isinstance(one, str))


def _numbers(items: Sequence[Item | None]) -> dict[str, list[float | None]]:
    found: dict[str, list[float | None]] = {}
    for at, item in enumerate(items):
        for name, value in item.attributes.items() if item is not None else ():
            if (number := _number(value)) is not None:
                found.setdefault(name, [None] * len(items))[at] = number
    return found


def _number(value: Any) -> float | None:
    """Return what an attribute says as a number, if it does; of a date its year."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if isinstance(value, int | float):
        return float(value) if abs(value) <= sys.float_info.max else None
    match = re.fullmatch(r"(\d{4})-\d\d.*|[$€£¥]?\s*(\d+(?:\.\d+)?)\s*\D*", value.strip())
    return None if match is None else float(match[1] or match[2])


def _years(values: Sequence[float | None]) -> bool:
    told = [value for value in values if value is not None]
    return all(YEARS[0] <= value <= YEARS[1] for value in told)
