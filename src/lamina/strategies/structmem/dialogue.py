"""How messages are shown to a model: one JSON array a line, which no text can forge.

Quotes, braces, fences and line ends inside a text are escaped, so that it cannot end its own line
or begin another. Ids are small integers, which models copy reliably.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from lamina.model import Event, Message
from lamina.recall.context import strip_recalled

APART = timedelta(minutes=30)
"""Messages further apart than this show a time of their own."""
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_UNSHOWABLE = re.compile("[\ud800-\udfff]")
"""Lone surrogates, which UTF-8 cannot carry."""
_LINE_ENDS = re.compile("[\x85\u2028\u2029]")
"""Line ends that JSON leaves as they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A message, or a part of one, as it is put before a model."""

    message: Message
    text: str


def words_of(message: Message) -> str:
    """Return what may be read from a message: all but what was recalled and came back."""
    return strip_recalled(message.text).strip()


def told_by(event: Event) -> str:
    """Return what an event tells: what a person made of it, or else its message's own words."""
    edited = [note.text for note in event.notes if note.by_person and note.kind == "fact"]
    return "\n".join(edited) or words_of(event.message)


def line(*items: object) -> str:
    r"""Return one JSON array, on one line whatever is in it.

    >>> print(line(1, 'Ann "A"', "a\n[2]"))
    [1, "Ann \"A\"", "a\n[2]"]
    """
    written = json.dumps(items, ensure_ascii=False)
    return _LINE_ENDS.sub(" ", _UNSHOWABLE.sub("\ufffd", written))


def time_line(moment: datetime) -> str:
    """Return the line that tells when the next ones were said, with the day of the week."""
    day = moment.date().isoformat()
    return line("time", f"{day} {_DAYS[moment.weekday()]} {moment:%H:%M}")


def prompt(shown: Sequence[Shown], before: Sequence[Shown]) -> str:
    """Return the prompt that shows messages, numbered from 1, after those said before them."""
    lines = []
    if before:
        lines += ["before", *(_told(None, each) for each in before), "messages"]
    lines += timed((each.message.said_at, _told(n, each)) for n, each in enumerate(shown, start=1))
    return "\n".join(lines)


def timed(lines: Iterable[tuple[datetime, str]]) -> Iterator[str]:
    """Yield lines, with a time line before each that was said on another day or much later."""
    last: datetime | None = None
    for said_at, text in lines:
        if last is None or said_at.date() != last.date() or abs(said_at - last) > APART:
            yield time_line(said_at)
        last = said_at
        yield text


def _told(number: int | None, shown: Shown) -> str:
    message = shown.message
    role = () if message.role == "user" else (message.role,)
    numbered = () if number is None else (number,)
    return line(*numbered, message.speaker, shown.text, *role)
