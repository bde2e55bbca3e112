"""Numbers with comparators in what is asked for: "under 20", "after 1990", "50元以下"."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

_NUMBER = r"(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
_MONEY = "$€£¥"
_BEFORE = rf"[{_MONEY}]?\s*"
_UNIT = r"\s*([a-z]+|[元块年页星分时人%€£$¥]+)?"

_LESS = r"under|below|less than|fewer than|cheaper than|shorter than|before|earlier than|older than"
_MOST = r"at most|up to|(?:not|no) (?:more|later|over) than|not over|not above|maximum|max|until|<="
_MORE = r"over|above|more than|longer than|after|later than|newer than"
_LEAST = r"at least|since|from|(?:not|no) (?:less|fewer|earlier) than|not under|minimum|min|>="
_ENGLISH = (
    (_MOST, False, True), (_LEAST, True, True), (rf"{_LESS}|<", False, False),
    (rf"{_MORE}|>", True, False),
)  # fmt: skip
"""Words before a number; whether it is the least; whether it is itself meant."""
_CHINESE_BEFORE = (
    (r"不超过|不高于|不多于|最多|至多|不晚于", False, True),
    (r"不低于|不少于|至少|最少|起码|不早于", True, True),
    (r"低于|少于|不到|小于|早于", False, False),
    (r"高于|超过|多于|大于|晚于", True, False),
)
_CHINESE_AFTER = (
    (r"以下|以内|之内", False, True),
    (r"以上|起", True, True),
    (r"以前|之前", False, False),
    (r"以后|之后", True, False),
)
UNITS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "price": ("$", "€", "£", "¥", "dollar", "dollars", "euro", "euros", "pound", "pounds",
                  "usd", "eur", "元", "块", "price", "cost", "价格", "价"),
        "year": ("year", "years", "released", "年"),
        "minutes": ("min", "mins", "minute", "minutes", "分", "runtime", "duration"),
        "hours": ("hour", "hours", "时"),
        "pages": ("page", "pages", "页"),
        "rating": ("star", "stars", "rating", "rated", "星", "评分"),
    }
)  # fmt: skip
"""What tells of which kind of attribute a number speaks."""
KIN: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "price": ("price", "cost", "fee", "价"),
        "year": ("year", "date", "released", "年"),
        "minutes": ("minute", "runtime", "duration", "length", "分钟", "时长"),
        "hours": ("hour", "小时"),
        "pages": ("page", "页"),
        "rating": ("rating", "star", "score", "评分", "星"),
    }
)
"""What stands in the names of attributes of each kind."""
_DATED = re.compile(
    r"before|after|since|from|later|earlier|until|older|newer|以前|之前|以后|之后|[早晚]于|起"
)
YEARS = (1000, 2999)
_TENS = ("twent", "thirt", "fort", "fift", "sixt", "sevent", "eight", "ninet")
_CHINESE_TENS = "二三四五六七八九"
_IN_YEAR = re.compile(
    r"\b(?:in|from|of)\s+(?:the year\s+)?([12]\d{3})(?![\d.,]*\d)"
    rf"(?!\s*(?:[-–{_MONEY}元块页分]|or (?:later|newer|more)|and (?:later|after|newer)"
    r"|(?:to|till|until|on|onwards?|up|euros?|dollars?|pounds?|pages?|minutes?|k?m)\b))"
)
_CHINESE_YEAR = re.compile(r"(?<!\d)([12]\d{3})\s*年(?!代)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """A range that a number of an item must lie in."""

    least: float = -math.inf
    most: float = math.inf
    least_itself: bool = True
    most_itself: bool = True
    kind: str = ""
    """One of `UNITS`; empty: untold."""
    said: str = ""

    def keeps(self, value: float) -> bool:
        """Whether a value lies in the range.

        >>> Bound(most=20, most_itself=False).keeps(20)
        False
        """
        above = value > self.least or (self.least_itself and value == self.least)
        below = value < self.most or (self.most_itself and value == self.most)
        return above and below


def bounds(folded: str) -> list[Bound]:
    """Return the ranges that a text names, in the order of their kinds of wording.

    Args:
        folded: Normalised (NFKC) and case folded.
    """
    found: list[Bound] = []
    for make in (_between, _decades, _in_year, _before_numbers, _after_numbers, _chinese_year):
        for begin, end, bound in make(folded):
            found.append(bound)
            folded = f"{folded[:begin]}{' ' * (end - begin)}{folded[end:]}"
    return found


def _between(folded: str) -> Iterator[tuple[int, int, Bound]]:
    english = rf"(?:between|from)\s+{_BEFORE}{_NUMBER}\s*(?:and|to|-|–)\s*{_BEFORE}{_NUMBER}{_UNIT}"
    chinese = (
        rf"{_BEFORE}{_NUMBER}\s*[元块年]?\s*(?:到|至|-|–|~)\s*{_BEFORE}{_NUMBER}{_UNIT}(?:之间|间)?"
    )
    for pattern in (english, chinese):
        for match in re.finditer(pattern, folded):
            low, high = sorted((_value(match[1]), _value(match[2])))
            kind = _kind(match[0], match[3], high, dated=low >= YEARS[0])
            yield *match.span(), Bound(least=low, most=high, kind=kind, said=match[0].strip())


def _decades(folded: str) -> Iterator[tuple[int, int, Bound]]:
    for match in re.finditer(r"(?:(\d{2})?(\d0))(?:'?s\b|年代)", folded):
        century = int(match[1] or ("20" if match[2] in ("00", "10", "20") else "19"))
        begin = century * 100 + int(match[2])
        yield (
            *match.span(),
            Bound(least=begin, most=begin + 9, kind="year", said=match[0].strip()),
        )

    for match in re.finditer(rf"\b({'|'.join(_TENS)})ies\b|([{_CHINESE_TENS}])十年代", folded):
        ten = _TENS.index(match[1]) if match[1] else _CHINESE_TENS.index(match[2])
        begin = 2020 if ten == 0 else 1920 + 10 * ten
        yield *match.span(), Bound(least=begin, most=begin + 9, kind="year", said=match[0])


def _in_year(folded: str) -> Iterator[tuple[int, int, Bound]]:
    """Yield "in 1994" and "from 1994", but not "from 1994 on"."""
    yield from _exactly(_IN_YEAR.finditer(folded))


def _chinese_year(folded: str) -> Iterator[tuple[int, int, Bound]]:
    """Yield 1994年 where no comparator took it."""
    yield from _exactly(_CHINESE_YEAR.finditer(folded))


def _exactly(matches: Iterator[re.Match[str]]) -> Iterator[tuple[int, int, Bound]]:
    for match in matches:
        year = _value(match[1])
        yield *match.span(), Bound(least=year, most=year, kind="year", said=match[0])


def _before_numbers(folded: str) -> Iterator[tuple[int, int, Bound]]:
    """Yield what a comparator before a number says."""
    for words, least, itself in (*_ENGLISH, *_CHINESE_BEFORE):
        start = "" if "不" in words or "于" in words else r"(?<![a-z])"
        pattern = re.compile(rf"{start}(?:{words})\s*{_BEFORE}{_NUMBER}{_UNIT}")
        for match in pattern.finditer(folded):
            yield *match.span(), _bound(match, least, itself)
        folded = pattern.sub(lambda match: " " * len(match[0]), folded)


def _after_numbers(folded: str) -> Iterator[tuple[int, int, Bound]]:
    """Yield what a comparator after a number says."""
    unit = r"\s*([元块年页星分时人]+钟?)?"
    for words, least, itself in _CHINESE_AFTER:
        for match in re.finditer(rf"{_BEFORE}{_NUMBER}{unit}\s*(?:{words})", folded):
            yield *match.span(), _bound(match, least, itself)
    for match in re.finditer(rf"{_BEFORE}{_NUMBER}{_UNIT}\s+or (less|fewer|more|later)", folded):
        least = match[3] in ("more", "later")
        yield *match.span(), _bound(match, least, True)


def _bound(match: re.Match[str], least: bool, itself: bool) -> Bound:
    """Return the range of a match: its first group is the number, its second the unit."""
    value = _value(match[1])
    kind = _kind(match[0], match[2], value, dated=bool(_DATED.search(match[0])))
    alone = match[2] is None or kind or not match[2].isascii()
    said = match[0].strip() if alone else match[0][: match.end(1) - match.start()].strip()
    if least:
        return Bound(least=value, least_itself=itself, kind=kind, said=said)
    return Bound(most=value, most_itself=itself, kind=kind, said=said)


def _kind(said: str, unit: str | None, value: float, *, dated: bool) -> str:
    told = (unit or "", *(mark for mark in _MONEY if mark in said))
    for kind, names in UNITS.items():
        if any(name and (name in names or name.rstrip("钟") in names) for name in told):
            return kind
    plain = YEARS[0] <= value <= YEARS[1] and float(value).is_integer()
    return "year" if dated and plain else ""


def _value(number: str) -> float:
    return float(number.replace(",", ""))
