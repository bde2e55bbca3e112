"""What a rule for time phrases is, and what rules for several languages share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from lamina.recall import calendar
from lamina.recall.calendar import Span

Match = re.Match[str]
Read = Callable[[Match, date, bool], Span | None]
"""From a match, the day it was said, and whether the past is preferred, to the span it names."""


@dataclass(frozen=True)
class Rule:
    """A pattern and how to read it."""

    words: str
    """The pattern as text; it ignores case."""
    read: Read

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The pattern, compiled when a text may first match: most processes need few of them."""
        return re.compile(self.words, re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """The rules of one language."""

    triggers: frozenset[str]
    """Words and years, casefolded: every text that some rule reads has one of them."""
    rules: tuple[Rule, ...]


YEARS = frozenset(str(year) for year in range(1900, 2100))
_WORD = re.compile(r"[^\W\d_]+|\d+")


def words_of(text: str) -> list[str]:
    """Return the words and numbers of a text, casefolded, as `Grammar.triggers` has them."""
    return _WORD.findall(text.casefold())


def last_words(phrases: Iterable[str]) -> frozenset[str]:
    """Return the last word of each phrase."""
    return frozenset(words_of(phrase)[-1] for phrase in phrases)


def rule(pattern: str, read: Read) -> Rule:
    """Return a rule that ignores case; spaces in `pattern` stand for any white space."""
    return Rule(pattern.replace(" ", r"\s{1,3}"), read)


def any_of(words: Iterable[str]) -> str:
    """Return a pattern of alternatives, longest first."""
    longest_first = sorted(words, key=len, reverse=True)
    return "(?:" + "|".join(re.escape(w).replace("\\ ", " ") for w in longest_first) + ")"


def number(text: str, words: dict[str, int]) -> int:
    """Read digits or a number word."""
    return int(text) if text.isdecimal() else words[" ".join(text.casefold().split())]


def dated(anchor: date, month: int, day: int | None, year: int | None, past: bool) -> Span | None:
    """Return the month, or the day in it; without a year the one that `anchor` suggests."""
    chosen = year if year is not None else _year(anchor, month, day or 1, past)
    return calendar.month_of(chosen, month) if day is None else calendar.day_of(chosen, month, day)


def _year(anchor: date, month: int, day: int, past: bool) -> int:
    later = (month, day) > (anchor.month, anchor.day)
    return anchor.year - 1 if past and later else anchor.year
