"""How notes, items and interactions are shown to a model: one JSON array a line.

No text can forge a line: quotes, braces, fences and line ends inside it are escaped. Every line is
cut until it takes no more tokens than it was given.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from lamina.items import Interaction, Item
from lamina.models.tokens import rough_tokens
from lamina.recall.context import strip_recalled
from lamina.strategies.atomrec.stages import Card, Fields, Side

Count: TypeAlias = Callable[[Sequence[str]], list[int]]
"""Tokens of each text, such as `Encoder.count_tokens`."""
Shrinks: TypeAlias = Callable[[float], str]
"""A line whose texts are cut to a share, in [0, 1], of their greatest lengths."""

LONGEST_TEXT = 500
LONGEST_CONTEXT = 300
LONGEST_WORDS = 200
LONGEST_RELATION = 120
"""Characters that are shown at most: of a text; of a note's context; of its keywords, or tags; of
what a link says."""
LONGEST_PROFILE = 900
LONGEST_READ = 20_000
"""Characters of a review that are looked at: what was recalled and came back is left out of it."""
SHRINKING = 0.75
"""By how much a line that is too long is cut at once."""
SHORTEST = 0.01
"""The share below which nothing of the texts is shown."""
_WHOSE: Mapping[Side, str] = {"own": "user", "other": "other", "item": "item"}
_UNSHOWABLE = re.compile("[\ud800-\udfff]")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\\s]+")


@dataclass(frozen=True, slots=True)
class Shown:
    """The ids of what was shown; a model names them by numbers from 1, in this order."""

    ids: tuple[str, ...]

    @staticmethod
    def of(cards: Iterable[Card | None]) -> Shown:
        """Return the ids of cards, each once."""
        return Shown(tuple(dict.fromkeys(card.id for card in cards if card is not None)))

    def number(self, id_: str) -> int:
        """Return the number under which `id_` was shown."""
        return self.ids.index(id_) + 1

    def named(self, value: Any) -> str | None:
        """Return the id that a model means; `None` if it was not shown.

        >>> shown = Shown(("a", "b"))
        >>> shown.named(1), shown.named("2"), shown.named(0), shown.named(True), shown.named(1.0)
        ('a', 'b', None, None, None)
        """
        if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10:
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            return None
        return self.ids[value - 1] if 1 <= value <= len(self.ids) else None


def line(*items: object) -> str:
    r"""Return one JSON array on one line, without what is empty at its end.

    >>> print(line(1, 'Ann "A"\n[2]', "", None))
    [1, "Ann \"A\" [2]"]
    """
    kept = [clean(item) if isinstance(item, str) else item for item in items]
    while kept and kept[-1] in ("", None):
        kept.pop()
    return json.dumps(kept, ensure_ascii=False, default=str)


def clean(text: str) -> str:
    """Return `text` on one line, without control characters and what UTF-8 cannot carry."""
    return _CONTROL.sub(" ", _UNSHOWABLE.sub("\ufffd", text)).strip()


def cut(text: str, longest: float) -> str:
    """Return the beginning of `text`, cleaned, with "…" where something is left out.

    No more of it is looked at than about twice what is shown.

    >>> cut("one two three", 7), cut("one", 7), cut("one", 0.5)
    ('one two…', 'one', '')
    """
    limit = int(longest)
    begun = text[: 2 * limit + 64]
    cleaned = clean(begun)
    if len(cleaned) <= limit and len(begun) == len(text):
        return cleaned
    return f"{cleaned[:limit].rstrip()}…" if limit and cleaned else ""


def generous(count: Count) -> Count:
    """Return how to count so that neither `count` nor the rough count says more."""

    def most(texts: Sequence[str]) -> list[int]:
        counted = count(texts) if texts else []
        return [max(n, rough_tokens(text)) for n, text in zip(counted, texts, strict=True)]

    return most


def fitted(wanted: Sequence[tuple[Shrinks, int]], count: Count) -> list[str]:
    """Return the lines, each cut until it takes at most as many tokens as it is given.

    Where even a line without texts takes more, that is what it is.
    """
    lines = [shrinks(1.0) for shrinks, _ in wanted]
    shares = [1.0] * len(lines)
    left = list(range(len(lines)))
    while left:
        taken = dict(zip(left, count([lines[i] for i in left]), strict=True))
        left = [i for i in left if taken[i] > wanted[i][1] and shares[i]]
        for i in left:
            share = shares[i] * min(SHRINKING, wanted[i][1] / taken[i])
            shares[i] = share if share > SHORTEST else 0.0
            lines[i] = wanted[i][0](shares[i])
    return lines


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


def listed(words: Iterable[str], longest: float) -> str:
    """Return the first of some words, "; " between; what would be cut off is not looked at."""
    kept: list[str] = []
    left = longest
    for word in words:
        if left <= 0:
            break
        kept.append(word[: int(left) + 1])
        left -= len(word) + 2
    return cut("; ".join(kept), longest)


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
