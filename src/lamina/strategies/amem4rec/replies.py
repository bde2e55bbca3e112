"""From a model's reply to what windows say, and what a new part belongs to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lamina.errors import MalformedReply
from lamina.models import values
from lamina.models.lines import Shown
from lamina.strategies.amem4rec.leaks import leaked_anew
from lamina.strategies.amem4rec.stages import (
    MOST_KEYWORDS,
    Abstraction,
    Candidate,
    Judging,
    Linked,
)

LONGEST_TEXT = 400
LONGEST_REASON = 160
"""Characters that are kept at most."""


def abstracted(many: int) -> Callable[[Any], dict[int, Abstraction]]:
    """Return how to read what windows say, by place from 0.

    The parser leaves out windows that lack something or are of no form, and what was not asked. It
    raises `MalformedReply` where there is no list, or nothing is left.
    """
    shown = Shown(tuple(map(str, range(many))))

    def parse(value: Mapping[str, Any]) -> dict[int, Abstraction]:
        found: dict[int, Abstraction] = {}
        for each in values.listed(value, "windows"):
            place = shown.named(each.get("id")) if isinstance(each, dict) else None
            said = None if place is None else said_by(each)
            if place is not None and said is not None:
                found.setdefault(int(place), said)
        if not found:
            raise MalformedReply("none of its windows has an id that was shown and all its texts")
        return found

    return parse


def linked(asked: Judging, shown: Shown) -> Callable[[Any], tuple[Linked, ...]]:
    """Return how to read which candidates are linked, in their order.

    The parser drops what was not shown, and links whose merged text lacks something or gives away a
    name. It raises `MalformedReply` where there is no list, or no id of it was shown.
    """
    candidates = {each.pattern.id: each for each in asked.candidates}

    def parse(value: Mapping[str, Any]) -> tuple[Linked, ...]:
        items = values.listed(value, "linked")
        told: dict[str, Mapping[str, Any]] = {}
        for each in items:
            id_ = shown.named(each.get("id")) if isinstance(each, dict) else None
            if id_ is not None:
                told.setdefault(id_, each)
        if items and not told:
            raise MalformedReply("none of its links has an id that was shown")
        found = (_linked(asked, candidates[id_], told[id_]) for id_ in candidates if id_ in told)
        return tuple(link for link in found if link is not None)

    return parse


def said_by(value: Mapping[str, Any]) -> Abstraction | None:
    """Return what an entry says; `None` if it lacks a text, or its keywords are no texts."""
    explanation = values.text(value.get("behavior_explanation"), LONGEST_TEXT)
    description = values.text(value.get("pattern_description"), LONGEST_TEXT)
    try:
        keywords = values.words(value, "keywords")[:MOST_KEYWORDS]
    except MalformedReply:
        return None
    if not (explanation and description and keywords):
        return None
    return Abstraction(explanation=explanation, description=description, keywords=keywords)


def _linked(asked: Judging, candidate: Candidate, value: Mapping[str, Any]) -> Linked | None:
    reason = values.text(value.get("reason"), LONGEST_REASON)
    told = _given_away(asked, candidate, (reason,))
    merged = said_by(value) if candidate.weight > 0 else None
    if candidate.weight > 0 and (merged is None or _given_away(asked, candidate, merged.words)):
        return None
    return Linked(id=candidate.pattern.id, reason="" if told else reason, merged=merged)


def _given_away(asked: Judging, candidate: Candidate, words: Sequence[str]) -> tuple[str, ...]:
    """Return the names in some words that neither the part nor the pattern says."""
    before = (*asked.new.words, *candidate.pattern.said.words)
    return leaked_anew("\n".join(words), "\n".join(before), asked.names)
