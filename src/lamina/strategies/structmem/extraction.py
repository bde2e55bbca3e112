"""From a model's reply to entries: what it may name, what is dropped, and what is malformed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from lamina.errors import MalformedReply
from lamina.model import Certainty
from lamina.strategies.structmem.dialogue import Shown
from lamina.strategies.structmem.own_language import keeps_language
from lamina.strategies.structmem.shown_ids import index_of

Perspective = Literal["fact", "relation"]

LONGEST_ENTRY = 1000
"""Characters: one sentence that is longer is no sentence."""
_TEXT = {"type": "string"}
_ID = {"type": "integer"}
_FACT = {
    "type": "object",
    "properties": {
        "source_id": _ID,
        "fact": _TEXT,
        "about": _TEXT,
        "certainty": {"type": "string", "enum": list(get_args(Certainty))},
        "date": _TEXT,
    },
    "required": ["source_id", "fact"],
}
_RELATION = {
    "type": "object",
    "properties": {"source_id": _ID, "relation": _TEXT},
    "required": ["source_id", "relation"],
}
_ITEMS = {"fact": _FACT, "relation": _RELATION}


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One thing that a model read from one message."""

    perspective: Perspective
    source: int
    """Index of what was shown."""
    text: str
    about: str | None = None
    certainty: Certainty = "stated"
    date: str | None = None


def schema(perspectives: Sequence[Perspective]) -> dict[str, Any]:
    """Return the JSON Schema of a reply in these perspectives."""
    names = [f"{perspective}s" for perspective in perspectives]
    return {
        "type": "object",
        "properties": {
            name: {"type": "array", "items": _ITEMS[perspective]}
            for name, perspective in zip(names, perspectives, strict=True)
        },
        "required": names,
    }


def parser(
    shown: Sequence[Shown], perspectives: Sequence[Perspective]
) -> Callable[[Any], list[Entry]]:
    """Return how to read a reply about what was shown, numbered from 1.

    The parser drops entries that are blank, no text, too long, told already or about an id that
    was not shown. It raises `MalformedReply` where a list is no list, where nothing at all is left
    of a reply that had entries, and where entries are not in the script of their messages.
    """

    def parse(value: Mapping[str, Any]) -> list[Entry]:
        given = [item for each in perspectives for item in _items(value, each)]
        entries = _once(_read(item, each, len(shown)) for each, item in given)
        if given and not entries:
            raise MalformedReply("none of its entries has a source_id that was shown and a text")
        if any(not keeps_language(e.text, shown[e.source].text) for e in entries):
            raise MalformedReply("an entry is not in the language of its message")
        return entries

    return parse


def _items(value: Mapping[str, Any], perspective: Perspective) -> list[tuple[Perspective, Any]]:
    items = value.get(f"{perspective}s")
    if not isinstance(items, list):
        raise MalformedReply(f'"{perspective}s" is not a list')
    return [(perspective, item) for item in items]


def _read(item: Any, perspective: Perspective, count: int) -> Entry | None:
    if not isinstance(item, dict):
        return None
    source, text = index_of(item.get("source_id"), count), _text(item.get(perspective))
    if source is None or text is None:
        return None
    return Entry(
        perspective=perspective,
        source=source,
        text=text,
        about=_text(item.get("about")),
        certainty=_certainty(item.get("certainty")),
        date=_text(item.get("date")),
    )


def _certainty(value: Any) -> Certainty:
    known: tuple[Certainty, ...] = get_args(Certainty)
    return next((each for each in known if each == value), "stated")


def _text(value: Any) -> str | None:
    text = " ".join(value.split()) if isinstance(value, str) else ""
    return text if 0 < len(text) <= LONGEST_ENTRY else None


def _once(entries: Iterator[Entry | None]) -> list[Entry]:
    """Keep each entry once, and one relation a message."""
    kept: dict[tuple[Any, ...], Entry] = {}
    for entry in entries:
        if entry is not None:
            told = entry.text.casefold() if entry.perspective == "fact" else None
            kept.setdefault((entry.perspective, entry.source, told), entry)
    return list(kept.values())
