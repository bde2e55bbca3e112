"""The calendar dates that an entry names, whole or in part."""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo

from lamina.recall.phrases_english import MONTHS

_MONTH = rf"(?P<name>{'|'.join(sorted(MONTHS, key=len, reverse=True))})\b\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"(?<![\d-]){_YEAR}-(?P<month>\d{{1,2}})(?:-(?P<day>\d{{1,2}}))?(?![\d-])",
        rf"{_YEAR}\s*年(?:\s*(?P<month>\d{{1,2}})\s*月(?:\s*(?P<day>\d{{1,2}})\s*[日号])?)?",
        r"(?<!\d)(?P<month>\d{1,2})\s*月(?:\s*(?P<day>\d{1,2})\s*[日号])?",
        rf"\b{_DAY}\s+(?:of\s+)?{_MONTH}(?:,?\s+{_YEAR})?",
        rf"\b{_MONTH}\s+{_DAY}\b(?:,?\s+{_YEAR})?",
        rf"\b{_MONTH},?\s+(?:of\s+)?{_YEAR}",
        rf"(?<![\d.,$€£¥-]){_YEAR}(?![\d.,-]\d|\d)",
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PartialDate:
    """A year, month or day, as far as told."""

    year: int | None = None
    month: int | None = None
    day: int | None = None

    def first(self, near: date) -> date | None:
        """Return its first day, in the year of `near` if it names none; `None` if impossible."""
        try:
            return date(self.year or near.year, self.month or 1, self.day or 1)
        except ValueError:
            return None

    def last(self, near: date) -> date | None:
        """Return its last day, likewise."""
        first = self.first(near)
        if first is None or self.day:
            return first
        month = self.month or 12
        return date(first.year, month, monthrange(first.year, month)[1])

    def holds(self, day: date) -> bool:
        """Whether `day` agrees with every part that is told."""
        told = ((self.year, day.year), (self.month, day.month), (self.day, day.day))
        return all(mine in (None, its) for mine, its in told)


def take_dates(text: str) -> tuple[list[PartialDate], str]:
    """Return the dates that `text` names, and the text without them.

    >>> take_dates("On 7 May 2023 she ran 5 km.")
    ([PartialDate(year=2023, month=5, day=7)], 'On   she ran 5 km.')
    """
    found: list[PartialDate] = []
    for form in _FORMS:
        found += [_read(match) for match in form.finditer(text)]
        text = form.sub(" ", text)
    return found, text


def starts(text: str, zone: tzinfo | None) -> datetime | None:
    """Return when a date begins that is written YYYY, YYYY-MM or YYYY-MM-DD; else `None`.

    >>> starts("2023-05", None)
    datetime.datetime(2023, 5, 1, 0, 0, tzinfo=datetime.timezone.utc)
    """
    found, rest = take_dates(text)
    if len(found) != 1 or rest.strip() or found[0].year is None:
        return None
    first = found[0].first(date.min)
    if first is None:
        return None
    return datetime(first.year, first.month, first.day, tzinfo=zone or UTC)


def overlaps(told: PartialDate, begins: datetime, ends: datetime) -> bool:
    """Whether some day of `told` lies in the half-open span from `begins` to `ends`."""
    first, last = told.first(begins.date()), told.last(begins.date())
    if first is None or last is None:
        return False
    final = (ends - timedelta(microseconds=1)).date()
    return first <= final and begins.date() <= last


def _read(match: re.Match[str]) -> PartialDate:
    parts = match.groupdict()
    name = parts.get("name")
    month = MONTHS[name.casefold()] if name else _number(parts.get("month"))
    year, day = _number(parts.get("year")), _number(parts.get("day"))
    return PartialDate(year=year, month=month, day=day)


def _number(digits: str | None) -> int | None:
    return int(digits) if digits else None
