"""Ids, times, numbers and lists as the files write them. Errors say what was expected."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from lamina import times
from lamina.errors import BadInput, FormatError
from lamina.formats import documents

SCALES = ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3))
"""From which size on a Unix time is in nano-, micro- or milliseconds: as the next coarser unit it
would lie past the year 5000."""
SEPARATOR = "|"
"""Between the values of a list in one cell."""

_NUMBER = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?")
_WHOLE = re.compile(r"-?(0|[1-9]\d{0,17})")
_YEAR = re.compile(r"\((\d{4})(?:[-–]\d{0,4})?\)\s*$")
_AMERICAN = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4}) (\d{1,2}):(\d{2}):(\d{2}) ([AP])M", re.I)
_UNIX_DATE = re.compile(
    r"[A-Z][a-z]{2} ([A-Z][a-z]{2}) +(\d{1,2}) (\d{2}):(\d{2}):(\d{2}) ([-+])(\d{2})(\d{2}) (\d{4})"
)
_MONTHS = (
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
)  # fmt: skip


def identity(value: Any, what: str) -> str:
    """Return an id as text; "0" is one. Raises `FormatError` if there is none.

    >>> identity(0, "user"), identity(" B00X ", "item")
    ('0', 'B00X')
    """
    return documents.name("" if value is None else value, what).strip()


def moment(value: Any, what: str = "timestamp") -> datetime | None:
    """Return a time: Unix seconds (or finer), ISO 8601, or as MIND and Goodreads write it.

    `None` if there is none. Raises `FormatError` if it is not a time.

    >>> moment("1260759144").isoformat(), moment(1260759144000) == moment("1260759144.0")
    ('2009-12-14T02:52:24+00:00', True)
    >>> moment("11/15/2019 8:55:22 AM").isoformat()
    '2019-11-15T08:55:22+00:00'
    """
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    try:
        if isinstance(value, str):
            return times.parse(_written(value.strip()))
        if isinstance(value, int | float) and not isinstance(value, bool):
            return _unix(value)
    except (BadInput, ValueError, OverflowError):
        pass  # Told below like anything else that is no time.
    raise FormatError(
        f"{what}: expected a time like 2026-03-04T10:00:00Z or Unix seconds, found {value!r:.60}"
    )


def number(value: Any, what: str) -> float | None:
    """Return a finite number; `None` if there is none. Raises `FormatError`.

    >>> number("4.0", "rating"), number("", "rating")
    (4.0, None)
    """
    if value is None or value == "":
        return None
    try:
        found = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        found = math.nan
    if not math.isfinite(found):
        raise FormatError(f"{what}: expected a number, found {value!r:.60}")
    return found


def text(value: Any, what: str) -> str:
    """Return text without blanks around it; of a list, its texts as paragraphs. Raises."""
    if value is None:
        return ""
    if isinstance(value, list):
        return "\n".join(filter(None, (text(each, what) for each in value)))
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return documents.expect(value, str, what).strip()


def texts(value: Any, what: str, separator: str = SEPARATOR) -> tuple[str, ...]:
    """Return the parts of a list, or of text with separators, each once. Raises `FormatError`.

    >>> texts("Comedy|Drama||Comedy", "genres")
    ('Comedy', 'Drama')
    """
    if value is None:
        return ()
    parts: Iterable[Any] = value.split(separator) if isinstance(value, str) else value
    if isinstance(parts, Mapping) or not isinstance(parts, Iterable):
        raise FormatError(f"{what}: expected a list, found {value!r:.60}")
    return tuple(dict.fromkeys(filter(None, (text(part, what) for part in parts))))


def year(title: str) -> dict[str, int]:
    """Return the year that ends a title, as an attribute; empty if none does.

    >>> year("Heat (1995)"), year("Brazil")
    ({'year': 1995}, {})
    """
    found = _YEAR.search(title)
    return {"year": int(found[1])} if found else {}


def plain(value: str) -> str | int | float:
    """Return the number that a cell holds, if it holds one and nothing is lost; else its text.

    >>> plain("12"), plain("1.5"), plain("007"), plain("north")
    (12, 1.5, '007', 'north')
    """
    if _WHOLE.fullmatch(value):
        return int(value)
    if "." in value and _NUMBER.fullmatch(value) and not value.startswith("+"):
        found = float(value)
        return found if math.isfinite(found) else value
    return value


def price(value: Any) -> dict[str, float]:
    """Return a price such as "$1,299.00" as an attribute; empty if it is not one number.

    >>> price("$1,299.00"), price("$5.00 - $9.00")
    ({'price': 1299.0}, {})
    """
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return {}
    written = str(value).strip().lstrip("$€£").replace(",", "")
    return {"price": float(written)} if _NUMBER.fullmatch(written) else {}


def _unix(value: float) -> datetime:
    size = abs(value)
    scale = next((unit for least, unit in SCALES if size >= least), 1)
    if isinstance(value, int):
        micros = value * 1_000_000 // int(scale)
        return times.EPOCH + timedelta(microseconds=micros)
    if not math.isfinite(value):
        raise ValueError(value)
    return times.EPOCH + timedelta(seconds=value / scale)


def _written(value: str) -> datetime:
    if re.fullmatch(r"[-+]?\d+", value) and not _is_date(value):
        return _unix(int(value))
    if _NUMBER.fullmatch(value) and not _is_date(value):
        return _unix(float(value))
    if found := _AMERICAN.fullmatch(value):
        month, day, year_, hour, minute, second = map(int, found.groups()[:6])
        hour = hour % 12 + (12 if found[7].upper() == "P" else 0)
        return datetime(year_, month, day, hour, minute, second, tzinfo=UTC)
    if found := _UNIX_DATE.fullmatch(value):
        return _unix_date(found)
    return times.parse(value)


def _is_date(value: str) -> bool:
    """Whether eight digits are a day of this or the last century, such as 20260304."""
    return re.fullmatch(r"(19|20)\d\d(0[1-9]|1[0-2])([0-2]\d|3[01])", value) is not None


def _unix_date(found: re.Match[str]) -> datetime:
    month, day, hour, minute, second, sign, hours, minutes, year_ = found.groups()
    offset = timedelta(hours=int(hours), minutes=int(minutes)) * (-1 if sign == "-" else 1)
    return datetime(
        int(year_), _MONTHS.index(month) + 1, int(day), int(hour), int(minute), int(second),
        tzinfo=timezone(offset),
    )  # fmt: skip
