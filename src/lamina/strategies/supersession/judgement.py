"""What a model is shown of facts to compare, and how its verdicts are read."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from lamina.errors import MalformedReply
from lamina.identity import digest
from lamina.model import Note
from lamina.ports import Request
from lamina.strategies.supersession import prompts
from lamina.strategies.supersession.candidates import Pairing

Verdict = Literal["same", "updates", "contradicts", "unrelated"]

MOST_OUTPUT = 1024
"""Tokens of a reply at most: a verdict with its reason is about thirty."""
LONGEST_TEXT = 300
"""Characters of a fact that are shown: most have fewer than a hundred."""
_ID = {"type": "integer"}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "pairs": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "new": _ID,
                    "known": _ID,
                    "why": {"type": "string"},
                    "verdict": {"type": "string", "enum": list(get_args(Verdict))},
                },
                "required": ["new", "known", "verdict"],
            },
        }
    },
    "required": ["pairs"],
}
_UNSHOWABLE = re.compile("[\ud800-\udfff\x85\u2028\u2029]")
"""What JSON leaves as it is, though it ends a line or cannot be sent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What a model says of two facts."""

    new: Note
    known: Note
    verdict: Verdict
    why: str = ""


def request(pairings: Sequence[Pairing]) -> Request:
    """Return what is asked about new facts and their candidates."""
    numbers = _numbers(pairings)
    lines = []
    for each in pairings:
        lines.append(_line("new", numbers[each.new.id], each.new))
        lines += [_line("known", numbers[other.id], other) for other in each.known]
    return Request(
        role="memory",
        system=prompts.load("supersede"),
        prompt="\n".join(lines),
        schema=SCHEMA,
        max_output_tokens=MOST_OUTPUT,
    )


def prompt_digest() -> str:
    """Return a digest of the wording."""
    return digest(prompts.load("supersede"))


def parser(pairings: Sequence[Pairing]) -> Callable[[Any], list[Judged]]:
    """Return how to read a reply about these facts.

    The parser drops what names a pair that was not shown, or one judged already. It raises
    `MalformedReply` where there is no list, or nothing is left of a reply that had verdicts.
    """
    numbers = _numbers(pairings)
    shown = {
        (numbers[each.new.id], numbers[other.id]): (each.new, other)
        for each in pairings
        for other in each.known
    }

    def parse(value: Mapping[str, Any]) -> list[Judged]:
        items = value.get("pairs")
        if not isinstance(items, list):
            raise MalformedReply('"pairs" is not a list')
        found: dict[tuple[int, int], Judged] = {}
        for item in items:
            judged = _read(item, shown)
            if judged:
                found.setdefault(*judged)
        if items and not found:
            raise MalformedReply("none of its pairs has ids that were shown and a verdict")
        return list(found.values())

    return parse


def _read(
    item: Any, shown: Mapping[tuple[int, int], tuple[Note, Note]]
) -> tuple[tuple[int, int], Judged] | None:
    if not isinstance(item, dict) or item.get("verdict") not in get_args(Verdict):
        return None
    pair = _number(item.get("new")), _number(item.get("known"))
    if pair not in shown:
        return None
    new, known = shown[pair]
    why = item.get("why")
    return pair, Judged(
        new=new, known=known, verdict=item["verdict"], why=why if isinstance(why, str) else ""
    )


def _number(value: Any) -> int:
    """Return a number that a model may write as text; 0, which is never shown, if it is none."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _numbers(pairings: Sequence[Pairing]) -> dict[str, int]:
    """Return the number of each fact, in the order shown, from 1."""
    shown = [note.id for each in pairings for note in (each.new, *each.known)]
    return {id_: number for number, id_ in enumerate(dict.fromkeys(shown), start=1)}


def _line(what: str, number: int, note: Note) -> str:
    day = note.began_at.date().isoformat()
    speaker = note.said_by or note.about or ""
    told = speaker if note.role == "user" else f"{speaker} ({note.role})"
    text = note.text if len(note.text) <= LONGEST_TEXT else f"{note.text[:LONGEST_TEXT]}…"
    written = json.dumps([what, number, day, told, text], ensure_ascii=False)
    return _UNSHOWABLE.sub(" ", written)
