"""The few words that notes formed without a model consist of, beside what was given.

They follow the language of the item's title: English, and Chinese where it is in Chinese.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from lamina.items import Interaction, Item
from lamina.recall.context import strip_recalled
from lamina.strategies.atomrec.stages import Card, Click

_HAN = re.compile(r"[\u3400-\u9fff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_YEAR = re.compile(r"\s*[(（]\d{4}[)）]\s*$")
SAID_CHARACTERS = 240
DESCRIBED_CHARACTERS = 240
"""Of what a user said, and of a description: more would cost more than it tells."""
BETWEEN = 0.05
"""A rating that is nearer to the user's mean than this share of it is as usual."""
FEWEST = 3
"""Ratings before one, from which on it can be above or below what is usual."""
DASH = " — "
"""What parts a title from what was done."""
AFTER = 2
"""Titles of the latest notes that a context names."""
MOSTLY = 2
"""Tags that a context names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Language:
    rated: str
    above: str
    below: str
    after: str
    mostly: str
    comma: str
    part: str
    both: str


_ENGLISH = _Language(
    rated="rated {0:g}", above=", above usual", below=", below usual", after="after {0}",
    mostly="mostly {0}", comma=", ", part="; ", both="both {0}",
)  # fmt: skip
_CHINESE = _Language(
    rated="评分 {0:g}", above="，高于平常", below="，低于平常", after="在 {0} 之后",
    mostly="多为 {0}", comma="、", part="；", both="同为 {0}",
)  # fmt: skip


def done(click: Click) -> str:
    """Return what a user did with an item, and the beginning of what they said of it."""
    item = click.item
    title = item.title.strip() or item.id
    usual = click.usual if click.rated >= FEWEST else None
    deed = _deed(click.interaction, usual, _language(title))
    told = f"{title}{DASH}{deed}" if deed else title
    said = _beginning(strip_recalled(click.interaction.text), SAID_CHARACTERS)
    return f"{told}: {said}" if said else told


def described(item: Item) -> str:
    """Return what an item is: its title, and the beginning of its description."""
    title = item.title.strip() or item.id
    description = _beginning(item.description, DESCRIBED_CHARACTERS)
    return f"{title}. {description}" if description else title


def context(click: Click) -> str:
    """Return what the user did before, and what that was mostly; empty if nothing."""
    if not click.recent:
        return ""
    speech = _language(click.item.title)
    titles = [name for card in click.recent[:AFTER] if (name := title(card))]
    parts = [speech.after.format(speech.comma.join(titles))] if titles else []
    tags = Counter(tag for card in click.recent for tag in dict.fromkeys(card.fields.tags))
    common = [tag for tag, count in tags.most_common(MOSTLY) if count > 1]
    if common:
        parts.append(speech.mostly.format(speech.comma.join(common)))
    return speech.part.join(parts)


def sharing(shared: Sequence[str]) -> str | None:
    """Return why two notes hang together; `None` if they share nothing."""
    if not shared:
        return None
    speech = _language(shared[0])
    return speech.both.format(speech.comma.join(shared[:3]))


def _deed(done: Interaction, usual: float | None, speech: _Language) -> str:
    """Return what was done, and a rating beside the mean of the user's ratings before it."""
    rating = done.rating
    if rating is None:
        return done.action
    told = speech.rated.format(rating)
    if usual is None or abs(rating - usual) <= BETWEEN * abs(usual):
        return told
    return told + (speech.above if rating > usual else speech.below)


def below(rating: float | None, usual: float) -> bool:
    """Whether a rating, if there is one, is clearly lower than usual."""
    return rating is not None and usual - rating > BETWEEN * abs(usual)


def title(card: Card) -> str:
    """Return the title of what a note tells of, without the year."""
    return _YEAR.sub("", card.fields.content.partition(DASH)[0])[:80]


def _language(text: str) -> _Language:
    return _CHINESE if _HAN.search(text) and not _KANA.search(text) else _ENGLISH


def _beginning(text: str, longest: int) -> str:
    """Return the beginning of a text, cut after a word or sentence mark."""
    text = " ".join(text.split())
    if len(text) <= longest:
        return text
    cut = text[:longest]
    end = max(cut.rfind(mark) for mark in (" ", "。", "，", "；", "、"))
    return cut[: end if end > longest // 2 else longest].rstrip(" ,;，；、")
