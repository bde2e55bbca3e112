"""Text and times as they are shown."""

from __future__ import annotations

import re
from datetime import datetime

from lamina.apps.cli.naming import short

_UNSHOWN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""What could steer a terminal, turn text around, or cannot be written at all."""
_ID = re.compile(r"\b[0-9a-f]{32}\b")
_PICTURES = 0x2400
"""Where Unicode has pictures of the control characters."""

ALWAYS = "always"
"""When what an item is was known, where that is not told: it is kept as the year 1."""
BRIEF = 600
"""Characters of one text in a table."""


def clean(text: str) -> str:
    r"""Return stored text with a picture in place of each character that must not be shown.

    >>> clean("a\x1b[31mb\rc\nd")
    'a␛[31mb␍c\nd'
    """
    return _UNSHOWN.sub(lambda found: _picture(ord(found[0])), text)


def brief(text: str) -> str:
    """Return text as tables show it: its beginning, where it is long."""
    return text if len(text) <= BRIEF else f"{text[:BRIEF]}… ({len(text):,} characters)"


def when(moment: datetime) -> str:
    """Return a moment to the minute, with its offset from UTC where it has one.

    >>> from datetime import timedelta, timezone
    >>> when(datetime(2026, 3, 4, 10, 5, tzinfo=timezone(timedelta(hours=8))))
    '2026-03-04 10:05 +08:00'
    """
    if moment.year == 1:
        return ALWAYS
    zone = moment.isoformat()[-6:] if moment.utcoffset() else ""
    return f"{moment:%Y-%m-%d %H:%M} {zone}".rstrip()


def span(began_at: datetime, ended_at: datetime) -> str:
    """Return a moment, or the first and last day of what lasted longer."""
    if began_at.date() == ended_at.date():
        return when(ended_at)
    return days(began_at, ended_at)


def days(began_at: datetime, ended_at: datetime) -> str:
    """Return a day, or the first and the last of several."""
    if began_at.date() == ended_at.date() or began_at.year == 1:
        return day(ended_at)
    return f"{began_at:%Y-%m-%d} to {ended_at:%Y-%m-%d}"


def day(moment: datetime) -> str:
    """Return the day of a moment."""
    return ALWAYS if moment.year == 1 else f"{moment:%Y-%m-%d}"


def shortened(text: str) -> str:
    """Return text with the whole ids in it as tables show them.

    >>> shortened("operation 0123456789abcdef0123456789abcdef")
    'operation 01234567'
    """
    return _ID.sub(lambda found: short(found[0]), text)


def folded(time: str) -> str:
    """Return what `span` or `days` says, in two lines where it is a span: a column is narrow."""
    return time.replace(" to ", " to\n")


def counted(number: int, thing: str, things: str | None = None) -> str:
    """Return a number with its noun.

    >>> counted(1, "message"), counted(1200, "message")
    ('1 message', '1,200 messages')
    """
    return f"{number:,} {thing if number == 1 else things or thing + 's'}"


def _picture(code: int) -> str:
    if code < 0x20:
        return chr(_PICTURES + code)
    return "\u2421" if code == 0x7F else "\ufffd"
