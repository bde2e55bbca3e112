"""The numbers in a text as values, however they are written: 3, ٣, three, 三."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_SMALL = {
    **{name: value for value, name in enumerate(_ONES.split())},
    **{name: 10 * value for value, name in enumerate(_TENS.split(), start=2)},
}
_LARGEST = 10**15
"""Nobody means more than this, however many millions are said in a row."""
_LARGE = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
_ALIKE = {"dozen": 12, "couple": 2, "twice": 2, "both": 2, "pair": 2, "twins": 2, "triple": 3}
_LETTERS = re.compile(r"[a-z]+")
_HAN_DIGITS = dict(
    zip("零〇一二两兩三四五六七八九", (0, 0, 1, 2, 2, 2, *range(3, 10)), strict=True)
)
_HAN_UNITS = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "萬": 10_000, "亿": 100_000_000}
_HAN = re.compile(f"[{''.join(_HAN_DIGITS)}{''.join(_HAN_UNITS)}]+")


def numbers(text: str) -> set[float]:
    """Return the values of all numbers in `text`, in digits of any script or in words.

    Number words are read in English and Chinese.

    >>> sorted(numbers("Twenty-five cats and 1,200 dogs at 5.5 kg"))
    [5.5, 25.0, 1200.0]
    >>> sorted(numbers("三十二个人，١٢ 本书"))
    [12.0, 32.0]
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    return {*_in_digits(folded), *_in_english(folded), *_in_chinese(folded)}


def _in_digits(text: str) -> Iterator[float]:
    for found in _DIGITS.findall(text):
        plain = "".join(str(unicodedata.digit(c)) if c.isdigit() else c for c in found)
        if _THOUSANDS.fullmatch(plain):
            yield float(plain.replace(",", ""))
        elif plain.count(".") + plain.count(",") == 1:
            yield float(plain.replace(",", "."))
        else:  # A date or version: its parts.
            yield from map(float, re.split("[.,]", plain))


def _in_english(text: str) -> Iterator[float]:
    value: int | None = None
    for word in _LETTERS.findall(text):
        if word in _SMALL:
            if value is not None and not _follows(value, _SMALL[word]):
                yield float(value)
                value = None
            value = (value or 0) + _SMALL[word]
        elif word in _LARGE and value is not None:
            value = min(value * _LARGE[word], _LARGEST)
        elif word in _ALIKE:
            yield float(_ALIKE[word])
        elif value is not None and word != "and":
            yield float(value)
            value = None
    if value is not None:
        yield float(value)


def _follows(value: int, small: int) -> bool:
    """Whether a small number goes on with the one before: "twenty five", "two hundred six"."""
    return value % 100 == 0 or (20 <= value % 100 < 100 and value % 10 == 0 and small < 10)


def _in_chinese(text: str) -> Iterator[float]:
    for run in _HAN.findall(text):
        if all(letter in _HAN_DIGITS for letter in run):
            yield float("".join(str(_HAN_DIGITS[letter]) for letter in run))
            continue
        total = part = digit = 0
        for letter in run:
            if letter in _HAN_DIGITS:
                digit = _HAN_DIGITS[letter]
            elif (unit := _HAN_UNITS[letter]) >= 10_000:
                total, part, digit = total + (part + digit or 1) * unit, 0, 0
            else:
                part, digit = part + (digit or 1) * unit, 0
        yield float(total + part + digit)
