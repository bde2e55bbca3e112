"""What the replies of all stages have in common: texts, words, ids, shares."""

from __future__ import annotations

import math
from typing import Any

from lamina.errors import MalformedReply
from lamina.models.lines import Shown
from lamina.models.values import ID, TEXT, TEXTS, text, words
from lamina.strategies.atomrec.stages import Fields, Relation

LONGEST_CONTENT = 1200
LONGEST_CONTEXT = 600
LONGEST_RELATION = 300
"""Characters that are kept at most."""

FIELDS: dict[str, Any] = {
    "type": "object",
    "properties": {"content": TEXT, "keywords": TEXTS, "tags": TEXTS, "context": TEXT},
    "required": ["content", "keywords", "tags", "context"],
}
LINKS: dict[str, Any] = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {"id": ID, "relation": {"type": ["string", "null"]}},
        "required": ["id", "relation"],
    },
}


def fields(value: Any, key: str) -> Fields:
    """Return what a note says.

    Raises:
        MalformedReply: It is no object, has no content, or its words are not lists of texts.
    """
    if not isinstance(value, dict):
        raise MalformedReply(f'"{key}" is not a JSON object')
    content = text(value.get("content"), LONGEST_CONTENT)
    if not content:
        raise MalformedReply(f'"{key}" has no content')
    return Fields(
        content=content,
        keywords=words(value, "keywords"),
        tags=words(value, "tags"),
        context=text(value.get("context"), LONGEST_CONTEXT),
    )


def share(value: Any) -> float | None:
    """Return a number cut to [0, 1]; `None` if it is none, or not finite.

    >>> share(1.5), share(-1), share("0.5"), share(True), share(float("nan"))
    (1.0, 0.0, None, None, None)
    """
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return float(min(1, max(0, value)))


def ids(value: Any, shown: Shown) -> tuple[str, ...]:
    """Return the ids that were shown among those named, each once, in order."""
    named = [shown.named(each) for each in value] if isinstance(value, list) else []
    return tuple(dict.fromkeys(id_ for id_ in named if id_ is not None))


def relations(items: list[Any], shown: Shown) -> tuple[Relation, ...]:
    """Return the links to what was shown, each target once; others are dropped."""
    kept: dict[str, Relation] = {}
    for item in items:
        target = shown.named(item.get("id")) if isinstance(item, dict) else None
        if target is not None:
            why = text(item.get("relation"), LONGEST_RELATION)
            kept.setdefault(target, Relation(target=target, relation=why or None))
    return tuple(kept.values())
