"""The times that events are set on, in English and Chinese: a weekday, a date, an hour."""

from __future__ import annotations

import re
from dataclasses import dataclass

_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_MONTH_NAMES = {
    name: number
    for number, month in enumerate(_MONTHS, start=1)
    for name in (month, month[:3], *(["sept"] if number == 9 else []))
}
_DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_SMALL = {
    word: number
    for number, word in enumerate(
        [
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        ],
        start=1,
    )
}
_HAN = {letter: number for number, letter in enumerate("〇一二三四五六七八九")} | {"两": 2, "零": 0}
_HAN_DAYS = {**{letter: number for number, letter in enumerate("一二三四五六")}, "日": 6, "天": 6}

_MONTH = rf"(?P<month>{'|'.join(sorted(_MONTH_NAMES, key=len, reverse=True))})\.?"
_NUMBER = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_FORMS = tuple(
    (kind, re.compile(form, re.IGNORECASE))
    for kind, form in (
        ("date", rf"(?:the )?{_NUMBER}(?: of)? {_MONTH}\b(?:,? (?P<year>\d{{4}}))?"),
        ("date", rf"{_MONTH} (?:the )?{_NUMBER}\b(?![:\d])(?:,? (?P<year>\d{{4}}))?"),
        ("date", r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})\b"),
        ("date", r"(?:the )?(?P<day>\d{1,2})(?:st|nd|rd|th)\b"),
        ("date", rf"{_MONTH}(?= |,|$)(?: (?P<year>\d{{4}}))?"),
        (
            "date",
            r"(?:(?P<year>\d{4})年)?(?P<month>[\d一二三四五六七八九十]{1,3})月"
            r"(?:(?P<day>[\d一二三四五六七八九十]{1,3})[日号])?",
        ),
        ("date", r"(?P<day>[\d一二三四五六七八九十]{1,3})[日号]"),
        (
            "weekday",
            r"(?:this |next |the following |the coming |coming )?"
            rf"(?P<weekday>{'|'.join(_DAYS)})s?\b",
        ),
        ("weekday", r"(?:这|下|本)?个?(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天])"),
        (
            "relative",
            r"(?P<relative>today|tonight|tomorrow|the day after tomorrow|next (?:week|month|year)|"
            r"今天|今晚|明天|明晚|后天|大后天|下周|下个?月|明年|下个星期)",
        ),
        (
            "clock",
            r"(?P<hour>\d{1,2})(?:[:.h](?P<minute>\d\d))?\s*(?P<half>[ap])\.?m\b\.?",
        ),
        ("clock", r"(?P<hour>\d{1,2})[:：](?P<minute>\d\d)"),
        ("clock", r"half past (?P<past>\d{1,2}|[a-z]+)\b"),
        ("clock", r"(?P<hour>\d{1,2}|" + "|".join(_SMALL) + r")\b(?: o'?clock)?(?!\s*[a-z%$€£/-])"),
        ("clock", r"(?P<named>noon|midday|midnight)\b"),
        (
            "clock",
            r"(?P<hour>[\d一二两三四五六七八九十]{1,3})点(?:钟|整)?"
            r"(?P<minute>半|[\d一二三四五六七八九十]{1,3}分?)?",
        ),
        (
            "part",
            r"(?:in the )?(?P<part>morning|afternoon|evening|night)\b|"
            r"(?P<han_part>早上|上午|中午|下午|傍晚|晚上|凌晨)",
        ),
    )
)
_BETWEEN = re.compile(r"(?:\s|,|，|的|\b(?:on|at|in|by|from|the)\b)+", re.IGNORECASE)
_DAY_KINDS = ("date", "weekday", "relative")
_HALVES = {
    "morning": "a", "早上": "a", "上午": "a", "凌晨": "a", "afternoon": "p", "evening": "p",
    "night": "p", "下午": "p", "晚上": "p", "傍晚": "p", "中午": "p",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """The parts of a time that were told; "" for the others."""

    date: str = ""
    """Such as `05-03`; either part may be missing."""
    weekday: str = ""
    relative: str = ""
    clock: str = ""
    """Such as `3:00`, of twelve hours."""
    half: str = ""
    """`a` or `p`, where it is told which."""


def read(text: str) -> Moment | None:
    """Return the time that `text` is, if it is nothing but one.

    >>> read("Friday at 3pm") == read("Friday at 3 pm"), read("Friday with Ann")
    (True, None)
    """
    parts: dict[str, str] = {}
    rest = _BETWEEN.sub(" ", text.strip(), count=1) if _BETWEEN.match(text.strip()) else text
    rest = rest.strip()
    while rest:
        found = _next(rest)
        if found is None or any(key in parts and key != "half" for key in found[0]):
            return None
        parts |= found[0]
        rest = rest[found[1] :]
        between = _BETWEEN.match(rest)
        rest = rest[between.end() :] if between else rest
    return Moment(**parts) if parts else None


def _next(text: str) -> tuple[dict[str, str], int] | None:
    """Return the parts told at the start of `text`, and where they end."""
    for kind, form in _FORMS:
        found = form.match(text)
        if found is None:
            continue
        told = {key: value.lower() for key, value in found.groupdict().items() if value}
        parts = _parts(kind, told)
        if parts:
            return parts, found.end()
    return None


def _parts(kind: str, told: dict[str, str]) -> dict[str, str] | None:
    if kind == "clock":
        return _clock(told)
    if kind == "part":
        return {"half": _HALVES[told.get("part") or told["han_part"]]}
    if kind == "date":
        return _date(told)
    if kind == "weekday":
        name = told["weekday"]
        return {"weekday": str(_HAN_DAYS[name] if name in _HAN_DAYS else _DAYS.index(name))}
    return {"relative": told["relative"]}


def _date(told: dict[str, str]) -> dict[str, str] | None:
    month, day = told.get("month", ""), told.get("day", "")
    number = _MONTH_NAMES.get(month) or (_value(month) if month else 0)
    count = _value(day) if day else 0
    if number > 12 or count > 31:
        return None
    return {"date": f"{number or '':0>2}-{count or '':0>2}"}


def _clock(told: dict[str, str]) -> dict[str, str] | None:
    if "named" in told:
        return {"clock": "0:00", "half": "a" if told["named"] == "midnight" else "p"}
    hour = _value(told.get("hour") or told["past"])
    minute = told.get("minute", "30" if "past" in told else "00").rstrip("分")
    minutes = 30 if minute == "半" else _value(minute)
    if not 0 <= hour <= 24 or minutes > 59:
        return None
    half = told.get("half") or ("p" if hour > 12 else "")
    return {"clock": f"{hour % 12}:{minutes:02}"} | ({"half": half} if half else {})


def _value(text: str) -> int:
    """Return a small number told in digits, in English or in Chinese; 99 if it is none."""
    if text.isdecimal():
        return int(text)
    if text in _SMALL:
        return _SMALL[text]
    tens, ten, ones = text.rpartition("十")
    if not all(letter in _HAN for letter in tens + ones):
        return 99
    units = _HAN[ones] if ones else 0
    return (_HAN[tens] if tens else 1) * 10 + units if ten else units


def excludes(old: Moment, new: Moment, *, moved: bool) -> bool:
    """Whether an event cannot be at both times.

    Args:
        old: When it was to be.
        new: When it is said to be since.
        moved: Whether it was said to be moved: then another way to name a day names another day.
    """
    for kind in _DAY_KINDS:
        before, after = getattr(old, kind), getattr(new, kind)
        if before and after:
            return _differs(before, after) or (_other_hour(old, new) and before == after)
    days = [any(getattr(each, kind) for kind in _DAY_KINDS) for each in (old, new)]
    if all(days):
        return moved
    return _other_hour(old, new)


def _differs(before: str, after: str) -> bool:
    """Whether two days differ in a part that both tell: 3 May is in May."""
    pairs = zip(before.split("-"), after.split("-"), strict=False)
    return any(one != other and "00" not in (one, other) for one, other in pairs)


def _other_hour(old: Moment, new: Moment) -> bool:
    if not (old.clock and new.clock):
        return bool(old.half and new.half and old.half != new.half)
    return old.clock != new.clock or ("" not in (old.half, new.half) and old.half != new.half)
