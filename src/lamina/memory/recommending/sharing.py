"""What users share, as evidence for an item, and as it is shown to a model that ranks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lamina.items import Evidence, Item, Pattern
from lamina.memory.pooling.retrieving import LookedUp
from lamina.strategies.amem4rec.windows import Done
from lamina.strategies.amem4rec.wording import leaning
from lamina.strategies.atomrec.stages import Card, Fields, Reading
from lamina.times import EPOCH

MOST = 2
"""Patterns that are told of one item."""


def agreeing(item: Item, patterns: Sequence[Pattern], share: float) -> Iterator[Evidence]:
    """Yield the weightiest patterns that speak for what an item is counted among.

    Those that say that it is disliked are none of them.

    Args:
        item: As it is described.
        patterns: Weightiest first.
        share: What patterns add to the item's score, which is parted by their weights.
    """
    own = {name.casefold() for name in (*item.categories, *item.tags)}
    found = [
        each
        for each in patterns
        if leaning(each.explanation) != "dislikes"
        and own & {word.casefold() for word in each.keywords}
    ]
    told = found[:MOST]
    whole = sum(each.weight for each in told) or 1.0
    for each in told:
        yield Evidence(
            kind="pattern",
            id=each.id,
            text=each.to_text(),
            at=each.last_at,
            weight=share * each.weight / whole,
        )


def cards(found: LookedUp) -> tuple[Card, ...]:
    """Return patterns as a model is shown them, weightiest first."""
    return tuple(
        Card(
            id=each.id,
            side="pattern",
            fields=Fields(content=each.to_text(), keywords=each.keywords),
            at=each.last_at or EPOCH,
            similarity=each.similarity,
        )
        for each in found.patterns
    )


def reading(instruction: str, found: LookedUp) -> Reading:
    """Return what a model is shown where only what users share and the recent history count."""
    return Reading(
        instruction=instruction,
        profile="",
        own=tuple(_did(each) for each in reversed(found.done)),
        patterns=cards(found),
    )


def _did(done: Done) -> Card:
    title = done.item.title or done.item.id
    return Card(
        id=done.id,
        side="own",
        fields=Fields(content=title, tags=done.item.categories),
        at=done.said_at,
        item=done.item.id,
        rating=done.rating,
    )
