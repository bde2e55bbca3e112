"""How a note evolves without a model: it gains the words that most of its neighbours agree on."""

from __future__ import annotations

import math
from collections.abc import Callable

from lamina.strategies.atomrec.stages import Card, Evolution, Evolving, Fields
from lamina.strategies.atomrec.words import joined

LONGEST = 8
"""Keywords, and tags, that a note has at most by gaining some."""
LEAST = 2
"""Notes that must agree, and more than two of three of those that are shown."""
TELLING = 2.5
"""The weight in the catalogue from which on a word tells something: what is in at most a twelfth of
all descriptions. Agreement in what is everywhere is none."""
FEW = 2
"""In so many descriptions a word may be and tell something, however few there are."""

Words = Callable[[Fields], tuple[str, ...]]
Gain = tuple[str, tuple[str, ...]]
"""A word, and the ids of the notes that have it."""


def telling(size: int) -> float:
    """Return the weight from which on a word tells something among so many descriptions."""
    return min(TELLING, math.log((1 + size) / (1 + FEW)))


def gained(asked: Evolving, tells: Callable[[str], bool]) -> Evolution | None:
    """Return the target with a word that most of the notes shown beside it have; or `None`.

    Of several notes about one item one counts, and none about the target's own: what repeats is no
    agreement. The confidence is the share of those that agree.

    Args:
        asked: The target, and the notes shown beside it.
        tells: Whether a word tells something.
    """
    others = _one_an_item((asked.new, *asked.nearby), asked.target)
    fields = asked.target.fields
    keyword = _gain(others, fields, lambda each: each.keywords, tells)
    tag = _gain(others, fields, lambda each: each.tags, tells)
    gains = [gain for gain in (keyword, tag) if gain]
    if not gains:
        return None
    return Evolution(
        keywords=joined(fields.keywords, keyword[:1] if keyword else (), most=LONGEST),
        tags=joined(fields.tags, tag[:1] if tag else (), most=LONGEST),
        context=fields.context,
        confidence=min(len(ids) for _, ids in gains) / len(others),
        supporting=tuple(dict.fromkeys(id_ for _, ids in gains for id_ in ids)),
    )


def _one_an_item(cards: tuple[Card, ...], target: Card) -> list[Card]:
    kept: dict[str, Card] = {}
    for card in cards:
        if card.id != target.id and card.item != target.item:
            kept.setdefault(card.item, card)
    return list(kept.values())


def _gain(
    others: list[Card], fields: Fields, words: Words, tells: Callable[[str], bool]
) -> Gain | None:
    """Return what the target lacks and most of the others have: what most of them do."""
    if len(words(fields)) >= LONGEST:
        return None
    known = {word.casefold() for word in words(fields)}
    having: dict[str, dict[str, str]] = {}
    for card in others:
        for word in words(card.fields):
            if word.casefold() not in known:
                having.setdefault(word.casefold(), {}).setdefault(card.id, word)
    for found in sorted(having.values(), key=lambda each: -len(each)):
        if len(found) < LEAST or 3 * len(found) <= 2 * len(others):
            return None
        word = next(iter(found.values()))
        if tells(word):
            return word, tuple(found)
    return None
