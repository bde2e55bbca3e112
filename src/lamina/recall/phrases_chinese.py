"""Time phrases in Chinese, and those of Japanese that share its characters."""

from __future__ import annotations

import re
from datetime import date

from lamina.recall import calendar
from lamina.recall.calendar import Grain, Span
from lamina.recall.phrases import Match, Rule, any_of, dated, rule

_DAYS = {
    "大前天": -3,
    "前天": -2,
    "前日": -2,
    "昨天": -1,
    "昨日": -1,
    "昨晚": -1,
    "昨夜": -1,
    "今天": 0,
    "今日": 0,
    "今早": 0,
    "今晨": 0,
    "今晚": 0,
    "今夜": 0,
    "明天": 1,
    "明日": 1,
    "明早": 1,
    "明晚": 1,
    "后天": 2,
    "後天": 2,
    "明後日": 2,
    "大后天": 3,
    "大後天": 3,
}
_YEARS = {"前年": -2, "去年": -1, "昨年": -1, "今年": 0, "明年": 1, "来年": 1, "后年": 2, "後年": 2}
_WHICH = {
    **{word: -2 for word in ("上上个", "上上個", "上上")},
    **{word: -1 for word in ("上个", "上個", "上", "上一个", "上一", "先")},
    **{word: 0 for word in ("这个", "這個", "这", "這", "本", "今")},
    **{word: 1 for word in ("下个", "下個", "下", "下一个", "下一", "来")},
    **{word: 2 for word in ("下下个", "下下個", "下下")},
}
_UNITS: dict[str, Grain] = {
    **{word: "day" for word in ("天", "日")},
    **{word: "week" for word in ("周", "週", "星期", "礼拜", "禮拜", "个星期", "个礼拜", "個星期")},
    **{word: "month" for word in ("月", "个月", "個月", "か月", "ヶ月")},
    **{word: "year" for word in ("年",)},
}
_WEEKS = tuple(word for word, grain in _UNITS.items() if grain == "week")
_DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {
    "两": 2,
    "兩": 2,
    "几": 3,
    "幾": 3,
}
_SEASONS = {"春": "spring", "夏": "summer", "秋": "autumn", "冬": "winter"}
_WEEKDAYS = {c: i for i, c in enumerate("一二三四五六")} | {"日": 6, "天": 6}

_N = r"(?P<n>\d{1,3}|[一二两兩三四五六七八九十几幾]{1,3})"
_MONTH = r"(?P<m>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])月"
_DAY = r"(?P<d>[12]\d|3[01]|0?[1-9]|[二三]?十[一二三四五六七八九]?|[一二三四五六七八九])[日号號]"
_YEAR = r"(?P<y>(?:19|20)\d\d)年"
_WHICH_WORD = rf"(?P<which>{any_of(_WHICH)})"
_WEEK_WORD = any_of((*_WEEKS, "曜"))

GATE = re.compile(
    rf"{any_of((*_DAYS, *_YEARS))}|(?:19|20)\d\d年|[\d一二三四五六七八九十]月|[上这這本今下先来]"
    rf"[一个個]?{any_of((*_UNITS, '末'))}|[天日周週期拜月年](?:以|之)?[前后後]"
)
"""Found in every text that some rule reads, and in few others."""


def _number(text: str) -> int:
    """Read digits, or Chinese numerals up to 99."""
    if text.isdecimal():
        return int(text)
    tens, ten, ones = text.rpartition("十")
    if not ten:
        return _DIGITS[text[-1]]
    return 10 * (_DIGITS[tens[-1]] if tens else 1) + (_DIGITS[ones] if ones else 0)


def _day_word(match: Match, anchor: date, _past: bool) -> Span | None:
    return calendar.day(anchor, _DAYS[match.group()])


def _distant(match: Match, anchor: date, _past: bool) -> Span | None:
    sign = -1 if match["side"].endswith("前") else 1
    return calendar.unit(anchor, _UNITS[match["unit"]], sign * _number(match["n"]))


def _which_unit(match: Match, anchor: date, _past: bool) -> Span | None:
    return calendar.unit(anchor, _UNITS[match["unit"]], _WHICH[match["which"]])


def _which_weekday(match: Match, anchor: date, _past: bool) -> Span | None:
    which, day = _WHICH[match["which"]], match["day"]
    if day == "末":
        return calendar.weekend(anchor, which)
    return calendar.weekday(anchor, _WEEKDAYS[day], which)


def _which_month_day(match: Match, anchor: date, _past: bool) -> Span | None:
    month = calendar.month(anchor, _WHICH[match["which"]])
    if month is None:
        return None
    return calendar.day_of(month.first.year, month.first.month, _number(match["d"]))


def _year_word(match: Match, anchor: date, _past: bool) -> Span | None:
    named = calendar.year(anchor, _YEARS[match["year"]])
    return _within(match, named.first.year) if named else None


def _year(match: Match, _anchor: date, _past: bool) -> Span | None:
    return _within(match, int(match["y"]))


def _within(match: Match, year: int) -> Span | None:
    """Return the season, month or day of `year` that follows its name, or all of it."""
    if match["s"]:
        return calendar.season_of(year, _SEASONS[match["s"]])
    if not match["m"]:
        return calendar.year(date(year, 1, 1))
    month = _number(match["m"])
    return (
        calendar.day_of(year, month, _number(match["d"]))
        if match["d"]
        else calendar.month_of(year, month)
    )


def _month_day(match: Match, anchor: date, past: bool) -> Span | None:
    return dated(anchor, _number(match["m"]), _number(match["d"]), None, past)


def _month(match: Match, anchor: date, past: bool) -> Span | None:
    return dated(anchor, _number(match["m"]), None, None, past)


_REST = rf"(?:的?(?:(?P<s>[春夏秋冬])[天季]?|{_MONTH}(?:份|{_DAY})?))?"
RULES: tuple[Rule, ...] = (
    rule(any_of(_DAYS), _day_word),
    rule(rf"{_N}(?P<unit>{any_of(_UNITS)})(?P<side>(?:以|之)?[前后後])", _distant),
    rule(rf"{_WHICH_WORD}(?P<unit>{any_of(_UNITS)})(?![一二三四五六日天末])", _which_unit),
    rule(rf"{_WHICH_WORD}{_WEEK_WORD}(?P<day>[一二三四五六日天末])", _which_weekday),
    rule(rf"{_WHICH_WORD}月{_DAY}", _which_month_day),
    rule(rf"(?P<year>{any_of(_YEARS)}){_REST}", _year_word),
    rule(rf"{_YEAR}{_REST}", _year),
    rule(rf"(?<![\d年一二三四五六七八九十个個上下]){_MONTH}{_DAY}", _month_day),
    rule(
        rf"(?<![\d年一二三四五六七八九十个個上下]){_MONTH}份?(?![\d一二三四五六七八九十天])", _month
    ),
)
