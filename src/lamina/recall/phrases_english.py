"""English time phrases."""

from __future__ import annotations

import re
from datetime import date

from lamina.recall import calendar
from lamina.recall.calendar import Grain, Span
from lamina.recall.phrases import (
    YEARS,
    Grammar,
    Match,
    Rule,
    any_of,
    dated,
    last_words,
    number,
    rule,
)

MONTHS = {
    name: i
    for i, names in enumerate(
        (
            ("january", "jan"),
            ("february", "feb"),
            ("march", "mar"),
            ("april", "apr"),
            ("may",),
            ("june", "jun"),
            ("july", "jul"),
            ("august", "aug"),
            ("september", "sep", "sept"),
            ("october", "oct"),
            ("november", "nov"),
            ("december", "dec"),
        ),
        start=1,
    )
    for name in names
}
_FULL_MONTHS = {name: i for name, i in MONTHS.items() if len(name) > 4 or name in ("june", "july")}
_DOUBTFUL = ("march", "april", "may", "june", "august")
"""Months that are also verbs or people: alone, they need a word before them that tells."""
_SURE_MONTHS = tuple(name for name in _FULL_MONTHS if name not in _DOUBTFUL)
_WEEKDAYS = {
    name: i
    for i, name in enumerate(
        ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
    )
}
_DAYS = {
    "yesterday": -1,
    "last night": -1,
    "today": 0,
    "tonight": 0,
    "this morning": 0,
    "this afternoon": 0,
    "this evening": 0,
    "tomorrow": 1,
    "day before yesterday": -2,
    "day after tomorrow": 2,
}
_UNITS: dict[str, Grain] = {
    "day": "day",
    "week": "week",
    "weekend": "weekend",
    "month": "month",
    "year": "year",
}
_SEASONS = {**{name: name for name in calendar.SEASONS}, "fall": "autumn"}
_NUMBERS = {
    **{word: 1 for word in ("a", "an", "one")},
    **{word: 2 for word in ("two", "a couple of", "a couple", "couple of")},
    **{word: 3 for word in ("three", "a few", "few", "several")},
    **{
        word: i
        for i, word in enumerate(
            ("four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"), start=4
        )
    },
}
_WHICH = {
    **{word: -1 for word in ("last", "past", "previous")},
    **{word: 0 for word in ("this", "this past", "this coming", "current")},
    **{word: 1 for word in ("next", "coming", "following")},
}

_N = rf"(?P<n>\d{{1,3}}|{any_of(_NUMBERS)})"
_UNIT = rf"(?P<unit>{any_of(_UNITS)})s?"
_NAME = rf"(?P<name>{any_of((*_WEEKDAYS, *_UNITS, *_SEASONS, *_FULL_MONTHS, 'may'))})"
_DAY = r"(?P<d>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<y>(?:19|20)\d\d)(?!\d|[.,:]\d)"
_MONTH = rf"(?P<m>{any_of(MONTHS)})\.?"
_DAY_FIRST = rf"(?<![\d.:])\b{_DAY} (?:of )?{_MONTH}(?:(?:,? | of |,){_YEAR})?(?!\w)"
_MONTH_FIRST = rf"\b{_MONTH} (?:the )?{_DAY}(?!\d|[:.%]\d|%)(?:(?:,? |,){_YEAR})?(?!\w)"
_ORDINAL = re.compile(r"\d(?:st|nd|rd|th)", re.IGNORECASE)
_ANY_DATE = re.sub(r"\?P<\w>", "?:", f"{_DAY_FIRST}|{_MONTH_FIRST}")


def _day_word(match: Match, anchor: date, _past: bool) -> Span | None:
    return calendar.day(anchor, number(match.group(), _DAYS))


def _ago(match: Match, anchor: date, _past: bool) -> Span | None:
    return _distant(match, anchor, -1)


def _ahead(match: Match, anchor: date, _past: bool) -> Span | None:
    return _distant(match, anchor, 1)


def _distant(match: Match, anchor: date, sign: int) -> Span | None:
    grain = _UNITS[match["unit"].casefold()]
    return calendar.unit(anchor, grain, sign * number(match["n"], _NUMBERS))


def _which(match: Match, anchor: date, _past: bool) -> Span | None:
    return _named(anchor, match["name"].casefold(), number(match["which"], _WHICH))


def _recently(match: Match, anchor: date, _past: bool) -> Span | None:
    """Read "the past three weeks": from the first of them until the day itself."""
    grain = _UNITS[match["unit"].casefold()]
    first = calendar.unit(anchor, grain, -number(match["n"], _NUMBERS))
    today = calendar.day(anchor)
    return Span(first.first, today.after, grain) if first and today else None


def _date(match: Match, anchor: date, past: bool) -> Span | None:
    year = match["y"]
    if match["m"] in ("may", "march") and not year and not _ORDINAL.search(match.group()):
        return None  # "they may 2", "we march 5 miles": as verbs
    day, month = int(match["d"]), MONTHS[match["m"].casefold()]
    return dated(anchor, month, day, int(year) if year else None, past)


def _month(match: Match, anchor: date, past: bool) -> Span | None:
    year = match["y"]
    return dated(anchor, MONTHS[match["m"].casefold()], None, int(year) if year else None, past)


def _month_alone(match: Match, anchor: date, past: bool) -> Span | None:
    return dated(anchor, MONTHS[match["m"].casefold()], None, None, past)


def _year(match: Match, _anchor: date, _past: bool) -> Span | None:
    return calendar.year(date(int(match["y"]), 1, 1))


def _season(match: Match, _anchor: date, _past: bool) -> Span | None:
    return calendar.season_of(int(match["y"]), _SEASONS[match["s"].casefold()])


def _iso(match: Match, _anchor: date, _past: bool) -> Span | None:
    return calendar.day_of(int(match["y"]), int(match["m"]), int(match["d"]))


def _beside(match: Match, anchor: date, past: bool) -> Span | None:
    """Read "the week before 8 May 2023", "two days after May 8", "the month before last"."""
    sign = -1 if match["side"].casefold() == "before" else 1
    name, reference = match["name"].casefold(), match["date"].casefold()
    if reference in ("last", "next"):
        return _named(anchor, name, 2 * sign) if name in _UNITS else None
    base = _read_date(match["date"], anchor, past)
    if base is None or (match["n"] and name not in _UNITS):
        return None
    if name in _WEEKDAYS:
        near = calendar.weekday_before if sign < 0 else calendar.weekday_after
        return near(base.first, _WEEKDAYS[name])
    if name == "weekend":
        return _weekend_beside(base.first, sign)
    if name in _UNITS:
        return calendar.unit(base.first, _UNITS[name], sign * number(match["n"] or "1", _NUMBERS))
    return None


def _weekend_beside(day: date, sign: int) -> Span | None:
    """Return the nearest weekend wholly before or after a day."""
    saturday = calendar.weekday_after(day, 5) if sign > 0 else calendar.weekday_before(day, 6)
    return calendar.weekend(saturday.first) if saturday else None


def _read_date(text: str, anchor: date, past: bool) -> Span | None:
    if text.casefold() in _DAYS:
        return calendar.day(anchor, _DAYS[text.casefold()])
    found = (each.pattern.fullmatch(text) for each in _DATES)
    return next((_date(match, anchor, past) for match in found if match), None)


def _named(anchor: date, name: str, which: int) -> Span | None:
    """Return the last (-1), this (0) or next (1) day, week, season, month, ... of this name."""
    if name in _WEEKDAYS:
        if which < 0:
            return calendar.weekday_before(anchor, _WEEKDAYS[name])
        return calendar.weekday(anchor, _WEEKDAYS[name], which)
    if name in _SEASONS:
        return calendar.season(anchor, _SEASONS[name], which)
    if name in MONTHS:
        return _month_named(anchor, MONTHS[name], which)
    return calendar.unit(anchor, _UNITS[name], which)


def _month_named(anchor: date, month: int, which: int) -> Span | None:
    """Return the latest such month over before `anchor`, this year's, or the next to begin."""
    year = anchor.year
    if which < 0 and month >= anchor.month:
        year -= 1
    if which > 0 and month <= anchor.month:
        year += 1
    return calendar.month_of(year, month)


_DATES = (rule(_DAY_FIRST, _date), rule(_MONTH_FIRST, _date))
_SURE = rf"(?P<m>{any_of(_SURE_MONTHS)})"
_BEFORE_MONTH = r"(?:in|during|since|from|until|till|by|of|early|late|mid|around)(?: |-)"
_RULES: tuple[Rule, ...] = (
    rule(rf"\b{any_of(_DAYS)}\b", _day_word),
    rule(rf"\b{_N} {_UNIT} ago\b", _ago),
    rule(rf"\bin (?:about )?{_N} {_UNIT}\b(?! of\b)", _ahead),
    rule(rf"\b{_N} {_UNIT} from (?:now|today)\b", _ahead),
    rule(rf"\b(?P<which>{any_of(_WHICH)}) {_NAME}\b", _which),
    rule(rf"\b(?:last|past|previous) {_N} {_UNIT}\b", _recently),
    rule(
        rf"\b(?:{_N} )?{_NAME}s? (?P<side>before|after)"
        rf" (?P<date>last\b|next\b|yesterday|today|{_ANY_DATE})",
        _beside,
    ),
    *_DATES,
    rule(rf"\b{_MONTH}(?:,? | of ){_YEAR}", _month),
    rule(rf"\b{_SURE}\b(?! \d)", _month_alone),
    rule(rf"\b{_BEFORE_MONTH}(?P<m>{any_of(_DOUBTFUL)})\b(?!,? \d| of \d)", _month_alone),
    rule(
        rf"\b(?:in|since|during|by|of|until|from|year|back in) {_YEAR}(?! ?%|-| [a-z]+s\b)\b", _year
    ),
    rule(rf"\b(?P<s>{any_of(_SEASONS)})(?: of)? {_YEAR}", _season),
    rule(r"(?<![\d-])(?P<y>(?:19|20)\d\d)[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})(?![\d-])", _iso),
)
_NAMES = (*_DAYS, *_WEEKDAYS, *_UNITS, *_SEASONS, *MONTHS)
ENGLISH = Grammar(
    triggers=last_words((*_NAMES, *(f"{unit}s" for unit in _UNITS))) | YEARS, rules=_RULES
)
