"""What replies consist of: texts, words, lists; of which schema, and how they are read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lamina.errors import MalformedReply
from lamina.models.lines import clean, cut

LONGEST_WORD = 60
MOST_WORDS = 12
"""Characters of a word that is kept, and how many words of a list."""

TEXT: dict[str, Any] = {"type": "string"}
ID: dict[str, Any] = {"type": "integer"}
NUMBER: dict[str, Any] = {"type": "number"}
TEXTS: dict[str, Any] = {"type": "array", "items": TEXT}
IDS: dict[str, Any] = {"type": "array", "items": ID}


def listed(value: Mapping[str, Any], key: str) -> list[Any]:
    """Return the list at `key`.

    Raises:
        MalformedReply: There is none.
    """
    items = value.get(key)
    if not isinstance(items, list):
        raise MalformedReply(f'"{key}" is not a list')
    return items


def text(value: Any, longest: int) -> str:
    """Return a text, cut; "" if it is none."""
    return cut(value, longest) if isinstance(value, str) else ""


def words(value: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """Return the words at `key`, each once whatever its case, in order.

    Raises:
        MalformedReply: They are no list, or one that holds other things than texts.
    """
    items = listed(value, key)
    if not all(isinstance(item, str) for item in items):
        raise MalformedReply(f'"{key}" holds something that is not a text')
    kept: dict[str, str] = {}
    for item in map(clean, items):
        if 0 < len(item) <= LONGEST_WORD:
            kept.setdefault(item.casefold(), item)
    return tuple(kept.values())[:MOST_WORDS]
