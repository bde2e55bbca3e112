"""What a change of a note must pass, whoever proposes it; else the note stays as it was."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lamina.recall.analysis import terms
from lamina.strategies.atomrec.stages import Card, Evolution, Fields, Relation
from lamina.strategies.atomrec.words import folded, joined

MOST_KEYWORDS = 12
MOST_TAGS = 12
LONGEST_CONTEXT = 600
"""Characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What a note is to say from now on; its content and its time are as they were."""

    target: str
    """The id of the note."""
    fields: Fields
    links: tuple[Relation, ...]
    confidence: float
    supporting: tuple[str, ...]
    narrower: bool
    """Whether it drops words that its own content or its support bears out."""


def admitted(
    proposed: Evolution, target: Card, shown: Sequence[Card], least_confidence: float
) -> Change | None:
    """Return the change that a proposal makes; `None` if it makes none or is not to be had.

    It is not to be had if it is less sure than `least_confidence` or of no sureness; if it names no
    support, or a note that was not shown, be it as support or to link to.

    Args:
        proposed: What the note is to say.
        target: The note, as it is.
        shown: The other notes that were shown beside it.
        least_confidence: In [0, 1].
    """
    others = {card.id: card for card in shown if card.id != target.id}
    if not _sure(proposed.confidence, least_confidence) or not proposed.supporting:
        return None
    named = {*proposed.supporting, *(link.target for link in proposed.links)}
    if not named <= others.keys():
        return None
    fields = Fields(
        content=target.fields.content,
        keywords=joined(proposed.keywords, most=MOST_KEYWORDS),
        tags=joined(proposed.tags, most=MOST_TAGS),
        context=proposed.context.strip()[:LONGEST_CONTEXT],
    )
    links = tuple({link.target: link for link in proposed.links}.values())
    if fields == target.fields and not links:
        return None
    supporting = tuple(dict.fromkeys(proposed.supporting))
    return Change(
        target=target.id,
        fields=fields,
        links=links,
        confidence=float(proposed.confidence),
        supporting=supporting,
        narrower=_narrower(fields, target, [others[id_] for id_ in supporting]),
    )


def all_admitted(
    proposed: Mapping[str, Evolution], shown: Mapping[str, Card], least_confidence: float
) -> list[Change]:
    """Return the changes that several proposals make, each as `admitted` tells.

    Args:
        proposed: By the id of the note; one that was not shown is passed over.
        shown: All notes that were shown, by id.
        least_confidence: In [0, 1].
    """
    found = [
        admitted(evolution, shown[id_], [*shown.values()], least_confidence)
        for id_, evolution in proposed.items()
        if id_ in shown
    ]
    return [change for change in found if change]


def _sure(confidence: float, least: float) -> bool:
    return math.isfinite(confidence) and least <= confidence <= 1.0


def _narrower(new: Fields, target: Card, support: Sequence[Card]) -> bool:
    """Whether words are dropped that the note's own content or its support still bears out."""
    kept = folded((*new.keywords, *new.tags))
    dropped = folded((*target.fields.keywords, *target.fields.tags)) - kept
    if not dropped:
        return False
    said = set(terms(target.fields.content))
    borne_out = folded(w for card in support for w in (*card.fields.keywords, *card.fields.tags))
    return any(word in borne_out or _told(word, said) for word in dropped)


def _told(word: str, said: set[str]) -> bool:
    found = terms(word)
    return bool(found) and said.issuperset(found)
