"""Values that stand in a text, by their sort: a number of kilos, an hour, an address, a name.

Two statements in other words are about one thing if they give another value of the same sort. A
number's unit is its sort; a bare number is of any.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping

from lamina.strategies.supersession.known_names import listed

Values = Mapping[str, frozenset[str]]
"""The values of each sort, in plain form."""

BARE = "number"
"""The sort of a number without a unit."""
_WORDS = {
    word: number
    for number, word in enumerate(
        [
            "zero",
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
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
            "twenty",
        ]
    )
} | {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60}
_HAN_DIGITS = {letter: number for number, letter in enumerate("零一二三四五六七八九")} | {
    "两": 2, "〇": 0,
}  # fmt: skip
_DAYS = "mon|tues|wednes|thurs|fri|satur|sun"
WEEKDAYS = frozenset(f"{day}day" for day in _DAYS.split("|"))
_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_PLAIN_UNITS = {
    "kg": "kilo", "公斤": "kilo", "千克": "kilo", "kilos": "kilo", "kgs": "kilo", "斤": "jin",
    "cm": "cm", "厘米": "cm", "公分": "cm", "号楼": "栋", "幢": "栋", "楼": "层", "floors": "floor",
    "块": "元", "块钱": "元", "yrs": "year", "years": "year",
}  # fmt: skip
_NO_UNITS = listed(
    "a an and at but for from i if in is it lol my no not now of oh on or ok our so sorry that the "
    "then to up we with you actually please"
)
_HAN_UNIT = (
    "号楼|公斤|千克|厘米|公分|块钱|年级|"
    "[斤点号栋幢楼层岁年月天元块万个只条口间室码米度级届人站杯台支]"
)
_CHINESE_UNITS = re.compile(_HAN_UNIT)
_FORMS = re.compile(
    r"(?P<email>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)"
    r"|(?P<phone>\+?\d(?:[\d ()-]{6,16})\d)(?!\w)"
    rf"|\b(?P<weekday>(?:{_DAYS})days?)\b|(?:周|星期|礼拜)(?P<han_day>[一二三四五六日天])"
    rf"|\b(?P<date>\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_MONTHS})[a-z]*|"
    rf"(?:{_MONTHS})[a-z]* \d{{1,2}}"
    r"(?:st|nd|rd|th)?|the \d{1,2}(?:st|nd|rd|th)(?! of))\b|(?P<han_date>\d{1,2}月\d{1,2}[日号]?)"
    r"|\b(?P<clock>\d{1,2}(?:[:.]\d\d)? ?[ap]m|\d{1,2}:\d\d|noon|midnight)\b"
    r"|(?P<money>[£$€¥]\s?\d[\d,.]*k?)"
    r"|(?<![A-Za-z])(?P<blood>AB|A|B|O)(?=(?: ?型|[+-](?!\w)| (?:pos|neg)))"
    rf"|(?<![A-Za-z\d.])(?P<count>\d+(?:[.,]\d+)*|[零〇一二两三四五六七八九十百]{{2,}}(?![\u4e00-\u9fff])"
    rf"|[零〇一二两三四五六七八九十百]+(?={_HAN_UNIT}))"
    r"(?:st|nd|rd|th|\*)*(?: ?(?P<unit>[A-Za-z]+|[\u4e00-\u9fff]{1,2}))?"
    rf"|\b(?P<word>{'|'.join(_WORDS)})\b(?: (?P<of>[a-z]+))?",
    re.IGNORECASE,
)
_NAMES = re.compile(r"(?<![\w'’])[A-ZÀ-Þ][\w&'-]*")


def values(text: str) -> Values:
    """Return the values in `text`.

    >>> values("Four bedrooms, 9am"), values("5th floor")["floor"]
    ({'bedroom': frozenset({'4'}), 'clock': frozenset({'9am'})}, frozenset({'5'}))
    """
    found: defaultdict[str, set[str]] = defaultdict(set)
    for each in _FORMS.finditer(text):
        sort, value = _plain(each)
        if sort:
            found[sort].add(value)
    return {sort: frozenset(those) for sort, those in found.items()}


def _plain(found: re.Match[str]) -> tuple[str, str]:
    told = {name: value for name, value in found.groupdict().items() if value}
    if "word" in told:
        return _unit(told.get("of", "")), str(_WORDS[told["word"].lower()])
    if "count" in told:
        return _unit(told.get("unit", "")), f"{number(told['count']):g}"
    kind, value = next(iter(told.items()))
    if kind in ("phone", "money"):
        return kind, re.sub(r"[^\d.+]", "", value)
    name = {"han_day": "weekday", "han_date": "date"}.get(kind, kind)
    return name, value.lower().replace(" ", "")


def _unit(word: str) -> str:
    plain = word.lower()
    if not plain or plain in _NO_UNITS:
        return BARE
    if not plain.isascii():
        known = _CHINESE_UNITS.match(plain)
        return _PLAIN_UNITS.get(known.group(), known.group()) if known else BARE
    return _PLAIN_UNITS.get(plain, plain.removesuffix("s"))


def number(text: str) -> float:
    """Return a number told in digits or in Chinese: 21 for 二十一."""
    if text[0].isdigit() and text.isascii():
        return float(re.sub(r",(?=\d{3})|[.,](?=.*[.,])", "", text).replace(",", "."))
    total, last = 0, 0
    for letter in text:
        if letter in "十百":
            total += (last or 1) * (10 if letter == "十" else 100)
            last = 0
        else:
            last = _HAN_DIGITS[letter]
    return float(total + last)


def names(text: str) -> frozenset[str]:
    """Return the words with a capital that do not open a sentence."""
    return frozenset(
        each.group().lower().removesuffix("'s")
        for each in _NAMES.finditer(text)
        if not re.search(r"(?:^|[.!?…]\s*)$", text[max(0, each.start() - 3) : each.start()])
        and each.group() not in ("I", "I'm", "I've", "I'd", "I'll", "OK", "Ok")
    )


def another(old: Values, new: Values) -> str:
    """Return the sort of which the new text gives another value than the old one; "" if none.

    A bare number stands for one of any unit: "Shoe size 43", "scratch that, 42".
    """
    for sort, told in new.items():
        known = old.get(sort)
        if known and told - known:
            return sort
    if new.get(BARE) and not any(sort in old for sort in new):
        counted = [sort for sort in old if sort not in ("email", "weekday", "blood")]
        return counted[0] if counted else ""
    if old.get(BARE) and not any(sort in old for sort in new):
        counted = [sort for sort in new if sort not in ("email", "weekday", "blood", "phone")]
        return BARE if counted and all(new[sort] - old[BARE] for sort in counted) else ""
    return ""
