"""How a note evolves without a model: it gains the words that most of its neighbours agree on."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lamina.strategies.atomrec.stages import Card, Evolution, Evolving, Fields
from lamina.strategies.atomrec.words import joined

LONGEST = 10
"""Keywords, and tags, that a note has at most by gaining some."""
GAINED = 1
"""Keywords, and tags, that it gains at once."""
LEAST = 2
"""Notes that must agree."""

Words = Callable[[Fields], tuple[str, ...]]
Gain = tuple[str, tuple[str, ...]]
"""A word, and the ids of the notes that have it."""


def gained(asked: Evolving) -> Evolution | None:
    """Return the target with what more than half of the notes shown beside it have; or `None`.

    Of several notes about one item one counts, and none about the target's own: what repeats is no
    agreement. The confidence is the share of those that agree.
    """
    others = _one_an_item((asked.new, *asked.nearby), asked.target)
    fields = asked.target.fields
    keywords = list(_gains(others, fields, lambda each: each.keywords))[:GAINED]
    tags = list(_gains(others, fields, lambda each: each.tags))[:GAINED]
    if not keywords and not tags:
        return None
    agreeing = [len(ids) for _, ids in (*keywords, *tags)]
    return Evolution(
        keywords=joined(fields.keywords, (word for word, _ in keywords), most=LONGEST),
        tags=joined(fields.tags, (word for word, _ in tags), most=LONGEST),
        context=fields.context,
        confidence=min(agreeing) / len(others),
        supporting=tuple(dict.fromkeys(id_ for _, ids in (*keywords, *tags) for id_ in ids)),
    )


def _one_an_item(cards: tuple[Card, ...], target: Card) -> list[Card]:
    kept: dict[str, Card] = {}
    for card in cards:
        if card.id != target.id and card.item != target.item:
            kept.setdefault(card.item, card)
    return list(kept.values())


def _gains(others: list[Card], fields: Fields, words: Words) -> Iterator[Gain]:
    """Yield what the target lacks and more than half have, the most agreed on first."""
    known = {word.casefold() for word in words(fields)}
    if len(known) >= LONGEST:
        return
    having: dict[str, dict[str, str]] = {}
    for card in others:
        for word in words(card.fields):
            if word.casefold() not in known:
                having.setdefault(word.casefold(), {}).setdefault(card.id, word)
    for found in sorted(having.values(), key=lambda each: -len(each)):
        if len(found) >= LEAST and 2 * len(found) > len(others):
            yield next(iter(found.values())), tuple(found)
