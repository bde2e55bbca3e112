"""What is known of a user in all, worked out from their notes; and what of a taste lasts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from lamina.identity import digest
from lamina.items import Facet
from lamina.strategies.atomrec.config import AtomRecConfig
from lamina.strategies.atomrec.stages import Card

ONE_NOTE = 0.3
"""How sure one note makes a side of a taste."""
MOST_TOLD = 12
"""Tags and keywords that a profile tells of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A tag or keyword, and the notes that have it."""

    word: str
    """As it was written first."""
    cards: tuple[Card, ...]
    """In order of time."""

    @property
    def rating(self) -> float | None:
        """The mean of the ratings that were given, on the data's own scale."""
        given = [card.rating for card in self.cards if card.rating is not None]
        return sum(given) / len(given) if given else None


def lasting(times: Sequence[datetime], config: AtomRecConfig) -> bool:
    """Whether what was done at these times shows a stable preference rather than a passing one.

    It does if it was done on at least `lasting_days` separate days (of UTC offsets as recorded),
    the first and the last of them at least `lasting_span_days` days apart. Many acts on one day are
    one mood; two far apart may be chance.
    """
    days = sorted({time.date() for time in times})
    if len(days) < max(1, config.lasting_days):
        return False
    return (days[-1] - days[0]).days >= config.lasting_span_days


def facet(told: str, confidence: float, support: Sequence[Card], config: AtomRecConfig) -> Facet:
    """Return a facet with when it was supported, by the user's own notes, and whether it lasts."""
    times = sorted(card.at for card in support if card.side == "own")
    return Facet(
        facet=told,
        confidence=confidence,
        supporting_notes=tuple(dict.fromkeys(card.id for card in support)),
        first_at=times[0] if times else None,
        last_at=times[-1] if times else None,
        lasting=lasting(times, config),
    )


def confidence(supporting: int) -> float:
    """Return how sure so many notes make a side of a taste: 1 - (1 - 0.3)^n, in [0, 1).

    >>> [round(confidence(n), 2) for n in (0, 1, 3)]
    [0.0, 0.3, 0.66]
    """
    return 1.0 - (1.0 - ONE_NOTE) ** supporting


def liked(cards: Sequence[Card]) -> list[Card]:
    """Return the notes that speak for their item: not rated, or no lower than their mean rating."""
    given = [card.rating for card in cards if card.rating is not None]
    mean = sum(given) / len(given) if given else 0.0
    return [card for card in cards if card.rating is None or card.rating >= mean]


def sides(cards: Sequence[Card]) -> list[Side]:
    """Return the tags and keywords of notes, those of most notes first; ties by a hash.

    A word that two notes write in different cases is one; one in both lists of a note counts once.
    """
    found: dict[str, dict[str, Card]] = {}
    written: dict[str, str] = {}
    for card in sorted(cards, key=lambda each: (each.at, digest(each.id))):
        for word in (*card.fields.tags, *card.fields.keywords):
            folded = " ".join(word.split()).casefold()
            if folded:
                written.setdefault(folded, " ".join(word.split()))
                found.setdefault(folded, {}).setdefault(card.id, card)
    each = [Side(word=written[w], cards=tuple(by_id.values())) for w, by_id in found.items()]
    return sorted(each, key=lambda side: (-len(side.cards), digest(side.word.casefold())))


def told(cards: Sequence[Card]) -> str:
    """Return a profile in words that need no language: what recurs, how often, when, how rated.

    "Drama ×12 (1999-03-01 – 2001-05-04, ⌀ 3.9); …", the most frequent first; "" without notes.
    """
    return "; ".join(map(_side, sides(cards)[:MOST_TOLD]))


def _side(side: Side) -> str:
    first, last = side.cards[0].at.date(), side.cards[-1].at.date()
    span = f"{first}" if first == last else f"{first} – {last}"
    rated = "" if side.rating is None else f", ⌀ {side.rating:.1f}"
    return f"{side.word} ×{len(side.cards)} ({span}{rated})"
