"""Stretches of the calendar around a day: days, weeks, weekends, months, seasons, years.

Weeks begin on Monday; seasons are the northern ones. Every function returns `None` where the
calendar ends (years 1 to 9999) or has no such day.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, date, timedelta
from typing import Literal

Grain = Literal["day", "week", "weekend", "month", "season", "year"]

SEASONS: dict[str, int] = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}
"""Season to its first month; each lasts three."""
_SEASON_MONTHS = 3


@dataclass(frozen=True, slots=True)
class Span:
    """Whole days, half open: from `first` until `after`."""

    first: date
    after: date
    grain: Grain


def day(anchor: date, offset: int = 0) -> Span | None:
    """Return the day `offset` days after `anchor`."""
    return _span(anchor, offset, 1, "day")


def week(anchor: date, offset: int = 0) -> Span | None:
    """Return the calendar week `offset` weeks after that of `anchor`."""
    return _span(anchor, 7 * offset - anchor.weekday(), 7, "week")


def weekend(anchor: date, offset: int = 0) -> Span | None:
    """Return Saturday and Sunday of the week `offset` weeks after that of `anchor`."""
    return _span(anchor, 7 * offset - anchor.weekday() + 5, 2, "weekend")


def weekday(anchor: date, number: int, offset: int = 0) -> Span | None:
    """Return day `number` (Monday is 0) of the week `offset` weeks after that of `anchor`."""
    return _span(anchor, 7 * offset - anchor.weekday() + number, 1, "day")


def weekday_before(anchor: date, number: int) -> Span | None:
    """Return the latest day `number` (Monday is 0) strictly before `anchor`."""
    return _span(anchor, -((anchor.weekday() - number - 1) % 7 + 1), 1, "day")


def weekday_after(anchor: date, number: int) -> Span | None:
    """Return the first day `number` (Monday is 0) strictly after `anchor`."""
    return _span(anchor, (number - anchor.weekday() - 1) % 7 + 1, 1, "day")


def month(anchor: date, offset: int = 0) -> Span | None:
    """Return the calendar month `offset` months after that of `anchor`."""
    return _months(anchor.year * 12 + anchor.month - 1 + offset, 1, "month")


def year(anchor: date, offset: int = 0) -> Span | None:
    """Return the calendar year `offset` years after that of `anchor`."""
    return _months((anchor.year + offset) * 12, 12, "year")


def month_of(year: int, number: int) -> Span | None:
    """Return month `number`, from 1, of a year."""
    return _months(year * 12 + number - 1, 1, "month") if 1 <= number <= 12 else None


def season_of(year: int, season: str) -> Span | None:
    """Return a season; winter is named by the year in which it begins."""
    return _months(year * 12 + SEASONS[season] - 1, _SEASON_MONTHS, "season")


def season(anchor: date, season: str, offset: int) -> Span | None:
    """Return the latest such season over before `anchor` (-1), this year's (0), or the next (1)."""
    found = [s for n in (-2, -1, 0, 1) if (s := season_of(anchor.year + n, season))]
    if offset < 0:
        return max((s for s in found if s.after <= anchor), key=_first, default=None)
    if offset > 0:
        return min((s for s in found if s.first > anchor), key=_first, default=None)
    return season_of(anchor.year, season)


def day_of(year: int, month: int, number: int) -> Span | None:
    """Return one date, if there is such a one."""
    try:
        return day(date(year, month, number))
    except ValueError:
        return None


def unit(anchor: date, grain: Grain, offset: int) -> Span | None:
    """Return the day, week, month, ... that is `offset` of them after that of `anchor`."""
    return {"day": day, "week": week, "weekend": weekend, "month": month, "year": year}[grain](
        anchor, offset
    )


def _first(span: Span) -> date:
    return span.first


def _span(anchor: date, offset: int, days: int, grain: Grain) -> Span | None:
    try:
        first = anchor + timedelta(days=offset)
        return Span(first, first + timedelta(days=days), grain)
    except OverflowError:
        return None


def _months(number: int, count: int, grain: Grain) -> Span | None:
    """Return `count` months from month `number`, counted from January of year 0."""
    first, after = divmod(number, 12), divmod(number + count, 12)
    if first[0] < MINYEAR or after[0] > MAXYEAR:
        return None
    return Span(date(first[0], first[1] + 1, 1), date(after[0], after[1] + 1, 1), grain)
