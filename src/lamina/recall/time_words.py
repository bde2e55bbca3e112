"""Words that name a time, resolved against the day they were said.

"Yesterday", said on 8 May 2023, is 7 May 2023; "last March", "two weeks ago", "the week before
8 May 2023", 上个月, 去年三月 name a stretch of days. Texts without any such word, which
are most, are told at a glance. Where a phrase may mean something else ("may", "march",
"second", a weekday alone), it is left alone: a wrong time is worse than none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timezone

from lamina.recall.calendar import Grain, Span
from lamina.recall.phrases import Rule, words_of
from lamina.recall.phrases_chinese import GATE as CHINESE_GATE
from lamina.recall.phrases_chinese import RULES as CHINESE_RULES
from lamina.recall.phrases_english import ENGLISH
from lamina.recall.phrases_european import EUROPEAN
from lamina.times import to_micros

_GRAMMARS = (ENGLISH, *EUROPEAN)
_ASKS_WHEN = re.compile(
    r"\bwhen\b|\b(?:what|which|whose)\s+(?:day|date|week|weekend|month|season|year|time)\b"
    r"|\bhow\s+(?:long|recently)\b|\bhow\s+many\s+(?:day|week|month|year)s\b"
    r"|\bquand\b|\bcuándo\b|\bwann\b|什么时候|何时|哪一?[天年月]|几[月号]|多久|什麼時候|いつ",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class TimeRange:
    """A stretch of whole days of the speaker's, half open, in microseconds since 1970 UTC."""

    start: int
    end: int
    grain: Grain
    phrase: str
    """The words that name it, as written."""


@dataclass(frozen=True, slots=True)
class _Found:
    start: int
    end: int
    span: Span


def resolve(text: str, said_at: datetime, *, prefer_past: bool = False) -> list[TimeRange]:
    """Return the times that the words of `text` name, in the order of the text.

    Args:
        text: In English or Chinese; plain phrases also in French, Spanish, German and Japanese.
        said_at: Aware; days begin at midnight in its UTC offset.
        prefer_past: Whether a month or date without a year is the latest one not after `said_at`
            (as in questions), rather than the one in the same year.

    >>> [r] = resolve("I moved here the day before yesterday.", datetime(2023, 5, 8, tzinfo=UTC))
    >>> (r.end - r.start) // 3_600_000_000, r.phrase
    (24, 'day before yesterday')
    """
    anchor = said_at.date()
    found = [
        _Found(match.start(), match.end(), span)
        for rule in _rules_for(text)
        for match in rule.pattern.finditer(text)
        if (span := rule.read(match, anchor, prefer_past))
    ]
    return [_range(each, text, said_at) for each in _longest(found)]


def asks_when(query: str) -> bool:
    """Whether a question asks for a time."""
    return bool(_ASKS_WHEN.search(query))


def _rules_for(text: str) -> list[Rule]:
    """Return the rules that may read something in `text`: for most texts none."""
    words = set(words_of(text))
    rules = [
        rule
        for grammar in _GRAMMARS
        if not grammar.triggers.isdisjoint(words)
        for rule in grammar.rules
    ]
    if not text.isascii() and CHINESE_GATE.search(text):
        rules += CHINESE_RULES
    return rules


def _longest(found: list[_Found]) -> list[_Found]:
    """Of phrases that overlap keep the longest, in the order of the text."""
    kept: list[_Found] = []
    for each in sorted(found, key=lambda f: (f.start, -f.end)):
        if not kept or each.start >= kept[-1].end:
            kept.append(each)
        elif each.end - each.start > kept[-1].end - kept[-1].start:
            kept[-1] = each
    return kept


def _range(found: _Found, text: str, said_at: datetime) -> TimeRange:
    zone = timezone(said_at.utcoffset() or UTC.utcoffset(None))
    return TimeRange(
        start=_midnight(found.span.first, zone),
        end=_midnight(found.span.after, zone),
        grain=found.span.grain,
        phrase=text[found.start : found.end],
    )


def _midnight(day: date, zone: timezone) -> int:
    return to_micros(datetime.combine(day, time.min, zone))
