"""From a model's reply to a summary: what it may name, and what is malformed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from lamina.errors import MalformedReply
from lamina.strategies.structmem.own_language import keeps_language
from lamina.strategies.structmem.sentences import count_words
from lamina.strategies.structmem.shown_ids import index_of

FAR_TOO_LONG = 2
"""A summary of more than so many times the words asked for is none."""
LONGEST_RELATION = 300
"""Characters of what a link says."""
_LINK = {
    "type": "object",
    "properties": {"id": {"type": "integer"}, "relation": {"type": "string"}},
    "required": ["id", "relation"],
}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "summary": {"type": "string"},
        "links": {"type": "array", "items": _LINK},
        "revises": {"type": ["integer", "null"]},
    },
    "required": ["summary"],
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What a model made of the buffer and what is near to it."""

    text: str
    links: Mapping[int, str] = field(default_factory=dict)
    """Index of an earlier line to how the buffer hangs together with it."""
    revises: int | None = None
    """Index of the earlier summary that this one replaces."""


def parser(*, count: int, told: str, longest_words: int) -> Callable[[Any], Summary]:
    """Return how to read a reply.

    The parser drops links to lines that were not shown. It raises `MalformedReply` where the
    summary is blank, no text, far too long, or not in the script of what it sums up.

    Args:
        count: How many earlier lines were shown, numbered from 1.
        told: What is summed up.
        longest_words: How long the summary was to be at most.
    """

    def parse(value: Mapping[str, Any]) -> Summary:
        text = value.get("summary")
        if not isinstance(text, str) or not text.strip():
            raise MalformedReply('"summary" is not a text')
        if count_words(text) > FAR_TOO_LONG * longest_words:
            raise MalformedReply(f"the summary has more than {longest_words} words")
        if not keeps_language(text, told):
            raise MalformedReply("the summary is not in the language of the notes")
        links = value.get("links")
        return Summary(
            text=text.strip(),
            links=dict(_links(links if isinstance(links, list) else [], count)),
            revises=index_of(value.get("revises"), count),
        )

    return parse


def _links(items: list[Any], count: int) -> list[tuple[int, str]]:
    found = []
    for item in items:
        index = index_of(item.get("id"), count) if isinstance(item, dict) else None
        relation = item.get("relation") if index is not None else None
        if index is not None and isinstance(relation, str) and relation.strip():
            found.append((index, " ".join(relation.split())[:LONGEST_RELATION]))
    return found
