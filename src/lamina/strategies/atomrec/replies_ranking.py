"""From a model's reply to a synthesis, facets and scores: what it may name, what is malformed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from lamina.errors import MalformedReply
from lamina.items import Facet
from lamina.models import values
from lamina.models.lines import Shown
from lamina.models.values import ID, IDS, NUMBER, TEXT, TEXTS
from lamina.strategies.atomrec import replies
from lamina.strategies.atomrec.config import AtomRecConfig
from lamina.strategies.atomrec.profiles import facet
from lamina.strategies.atomrec.prompts import Stage
from lamina.strategies.atomrec.stages import Card, Scored, Synthesis, Taste

LONGEST_SUMMARY = 2000
LONGEST_FACET = 120
LONGEST_RATIONALE = 300
"""Characters that are kept at most."""
MOST_PATHS = 12
MOST_EDGES = 60


def _listing(required: list[str], **properties: Any) -> dict[str, Any]:
    entry = {"type": "object", "properties": properties, "required": required}
    return {"type": "array", "items": entry}


SCHEMAS: Mapping[Stage, dict[str, Any]] = MappingProxyType(
    {
        "synthesise": {
            "type": "object",
            "properties": {
                "summary": TEXT,
                "facet_hints": TEXTS,
                "evidence_paths": {"type": "array", "items": IDS},
            },
            "required": ["summary"],
        },
        "taste": {
            "type": "object",
            "properties": {
                "facets": _listing(
                    ["facet", "confidence", "supporting_notes"],
                    facet=TEXT,
                    confidence=NUMBER,
                    supporting_notes=IDS,
                ),
                "support_edges": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {"from": ID, "to": ID, "weight": NUMBER},
                        "required": ["from", "to", "weight"],
                    },
                },
            },
            "required": ["facets"],
        },
        "score": {
            "type": "object",
            "properties": {
                "scores": _listing(
                    ["item_id", "score"],
                    item_id=ID,
                    score=NUMBER,
                    rationale=TEXT,
                )
            },
            "required": ["scores"],
        },
    }
)


def synthesis(shown: Sequence[Card], most: int) -> Callable[[Any], Synthesis]:
    """Return how to read a synthesis.

    The parser drops paths that name what was not shown, do not begin with a note of the user's own,
    or leave the links. It raises `MalformedReply` where there is no summary.

    Args:
        shown: The notes, numbered from 1 in this order.
        most: How many hints are kept.
    """
    ids = Shown.of(shown)
    own = {card.id for card in shown if card.side == "own"}
    steps = {(card.after, card.id) for card in shown if card.after}
    steps |= {(there, here) for here, there in steps}

    def parse(value: Mapping[str, Any]) -> Synthesis:
        summary = values.text(value.get("summary"), LONGEST_SUMMARY)
        if not summary:
            raise MalformedReply('"summary" is not a text')
        given = value.get("evidence_paths")
        paths = [_path(each, ids) for each in (given if isinstance(given, list) else [])]
        sound = [
            path
            for path in paths
            if path and path[0] in own and all(step in steps for step in pairwise(path))
        ]
        return Synthesis(
            summary=summary,
            facet_hints=_hints(value.get("facet_hints"))[:most],
            evidence_paths=tuple(dict.fromkeys(sound))[:MOST_PATHS],
        )

    return parse


def _path(given: Any, shown: Shown) -> tuple[str, ...]:
    named = [shown.named(each) for each in given] if isinstance(given, list) else []
    known = tuple(id_ for id_ in named if id_ is not None)
    return known if len(known) == len(named) == len(set(known)) else ()


def _hints(given: Any) -> tuple[str, ...]:
    hints = [values.text(each, LONGEST_FACET) for each in given] if isinstance(given, list) else []
    return tuple(dict.fromkeys(hint for hint in hints if hint))


def taste(shown: Sequence[Card], config: AtomRecConfig) -> Callable[[Any], Taste]:
    """Return how to read Stage-R.

    The parser drops facets without a text, a confidence that is a finite number, or support by a
    note of the user's own; facets told again; and edges between what was not shown. It raises
    `MalformedReply` where there is no list, or nothing is left of a reply that had facets.
    """
    ids = Shown.of(shown)
    by_id = {card.id: card for card in shown}

    def parse(value: Mapping[str, Any]) -> Taste:
        items = values.listed(value, "facets")
        found: dict[str, Facet] = {}
        for item in items:
            read = _facet(item, ids, by_id, config)
            if read is not None:
                found.setdefault(read.facet.casefold(), read)
        if items and not found:
            raise MalformedReply("none of its facets has a text, a confidence and own support")
        edges = value.get("support_edges")
        return Taste(
            facets=tuple(found.values())[: config.facets],
            support_edges=_edges(edges if isinstance(edges, list) else [], ids),
        )

    return parse


def _facet(item: Any, ids: Shown, by_id: Mapping[str, Card], config: AtomRecConfig) -> Facet | None:
    if not isinstance(item, dict):
        return None
    told = values.text(item.get("facet"), LONGEST_FACET)
    confidence = replies.share(item.get("confidence"))
    support = [by_id[id_] for id_ in replies.ids(item.get("supporting_notes"), ids)]
    if not told or confidence is None or not any(card.side == "own" for card in support):
        return None
    return facet(told, confidence, support, config)


def _edges(items: Sequence[Any], ids: Shown) -> tuple[tuple[str, str, float], ...]:
    kept: dict[tuple[str, str], float] = {}
    for item in items:
        if not isinstance(item, dict):
            continue
        one, other = ids.named(item.get("from")), ids.named(item.get("to"))
        weight = replies.share(item.get("weight"))
        if one is not None and other is not None and one != other and weight is not None:
            kept.setdefault((one, other), weight)
    return tuple((*ends, weight) for ends, weight in kept.items())[:MOST_EDGES]


def scores(shown: Shown) -> Callable[[Any], Scored]:
    """Return how to read scores of the items that were shown.

    What was not shown, or is named again, is dropped and counted. An entry whose score is no finite
    number is dropped, too. If no entry has a score at all, each gets one by its place. The parser
    raises `MalformedReply` where there is no list, or nothing is left of it.
    """

    def parse(value: Mapping[str, Any]) -> Scored:
        items = [each if isinstance(each, dict) else {"item_id": each} for each in
                 values.listed(value, "scores")]  # fmt: skip
        by_order = not any("score" in item for item in items)
        found: dict[str, tuple[str, float, str]] = {}
        invented = 0
        for place, item in enumerate(items):
            id_ = shown.named(item.get("item_id"))
            if id_ is None or id_ in found:
                invented += 1
                continue
            told = 1.0 - place / len(items) if by_order else replies.share(item.get("score"))
            if told is not None:
                found[id_] = (id_, told, values.text(item.get("rationale"), LONGEST_RATIONALE))
        if not found:
            raise MalformedReply("none of its scores has an item_id that was shown and a number")
        return Scored(scores=tuple(found.values()), invented=invented, by_order=by_order)

    return parse
