"""How notes, items and interactions are shown to a model: one JSON array a line."""

from __future__ import annotations

from collections.abc import Mapping

from lamina.items import Interaction, Item
from lamina.models.lines import Shrinks, cut, line, listed
from lamina.recall.context import strip_recalled
from lamina.strategies.atomrec.stages import Card, Fields, Side

LONGEST_TEXT = 500
LONGEST_CONTEXT = 300
LONGEST_WORDS = 200
LONGEST_RELATION = 120
"""Characters that are shown at most: of a text; of a note's context; of its keywords, or tags; of
what a link says."""
LONGEST_PROFILE = 900
LONGEST_READ = 20_000
"""Characters of a review that are looked at: what was recalled and came back is left out of it."""
_WHOSE: Mapping[Side, str] = {
    "own": "user", "other": "other", "item": "item", "pattern": "pattern",
}  # fmt: skip


def note(card: Card, number: int | None, way: tuple[int, str] | None = None) -> Shrinks:
    """Return the line of a note; `way`: the number of the note before it on a path, and how."""

    def shrinks(share: float) -> str:
        numbered = () if number is None else (number,)
        told = _told(card.fields, share)
        whose = _WHOSE[card.side]
        day = card.at.date().isoformat()
        return line(*numbered, whose, day, card.rating, *told, *_path(way, share))

    return shrinks


def _path(way: tuple[int, str] | None, share: float) -> tuple[dict[str, object], ...]:
    if way is None:
        return ()
    relation = cut(way[1], LONGEST_RELATION * share)
    return ({"from": way[0], **({"relation": relation} if relation else {})},)


def _told(fields: Fields, share: float) -> tuple[str, str, str, str]:
    return (
        cut(fields.content, LONGEST_TEXT * share),
        listed(fields.keywords, LONGEST_WORDS * share),
        listed(fields.tags, LONGEST_WORDS * share),
        cut(fields.context, LONGEST_CONTEXT * share),
    )


def item(described: Item) -> Shrinks:
    """Return the line of an item."""

    def shrinks(share: float) -> str:
        return line("item", *_kind(described, share), cut(described.description, 700 * share))

    return shrinks


def candidate(number: int, described: Item, memory: str) -> Shrinks:
    """Return the line of a candidate: its title is cut last."""

    def shrinks(share: float) -> str:
        known = cut(memory, LONGEST_TEXT * share)
        return line(number, *_kind(described, share), known)

    return shrinks


def _kind(described: Item, share: float) -> tuple[str, str, str, str]:
    attributes = (f"{name}: {value}" for name, value in described.attributes.items())
    return (
        cut(described.title or described.id, 120 * min(1.0, 2 * share)),
        listed(described.categories, LONGEST_WORDS * share),
        listed(described.tags, LONGEST_WORDS * share),
        listed(attributes, LONGEST_WORDS * share),
    )


def did(interaction: Interaction) -> Shrinks:
    """Return the line of what the user did, and said of it."""
    words = strip_recalled(interaction.text[:LONGEST_READ])
    day = interaction.at.date().isoformat()

    def shrinks(share: float) -> str:
        return line("did", cut(interaction.action, 40), day, interaction.rating,
                    cut(words, 1200 * share))  # fmt: skip

    return shrinks


def named(label: str, text: str, *rest: object, longest: int = LONGEST_PROFILE) -> Shrinks:
    """Return a line that begins with a label."""

    def shrinks(share: float) -> str:
        return line(label, cut(text, longest * share), *rest)

    return shrinks
