"""The time that words name, as the moment from which on what they say holds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from lamina.recall.time_words import TimeRange, resolve
from lamina.times import from_micros, offset_minutes, to_micros

_TAKES_SO_LONG = re.compile(r"in \w+ (?:minute|hour|day|week|month|year)s?", re.IGNORECASE)
"""Words that tell how long something took as often as when it will be."""
_LEADS = re.compile(
    r"(?:back in|in|during|since|until|till|by|of|from|on|at|year)\b|[从自]从?", re.IGNORECASE
)
"""What a phrase of time may have of the words that lead up to it."""
_SINCE = re.compile(
    r"(?:\b(?:from|since|starting|beginning|effective|as of|desde|depuis|dès|seit|ab|"
    r"(?:à|a) partir (?:de|du))(?: (?:the|in|on|le|el))?|[从自]从?)\s*$",
    re.IGNORECASE,
)
_SINCE_HAN = re.compile(r"\s*(?:起|开始|以来)")
"""Words that say that something holds from a time on: before it, and after it in Chinese."""
_NOT_FROM = re.compile(
    r"(?:\b(?:to|until|till|by|before|through|not|instead of|rather than|hasta|bis|"
    r"jusqu['’](?:à|en|au))(?: (?:the|on|in|at))*|到|至|前|不是|而不是)\s*$",
    re.IGNORECASE,
)
_NOT_FROM_HAN = re.compile(r"\s*(?:为止|之前|以前|前|截止)")
"""Words that say that a time is an end, a limit, or what something was put off to."""
_IS = re.compile(
    r"(?:\b(?:is|are|am|falls?|due|scheduled|planned|set|booked)|['’]s|:)"
    r"(?:\s+(?:on|at|in|for|the|now|actually|still|every|always|only|just|really))*\s*$|"
    r"(?:是|定在|定于|改在|改成|改为|为|：|:)\s*(?:每年)?(?:的)?$|:\s*$",
    re.IGNORECASE,
)
_IS_AFTER = re.compile(r"\s*(?:(?:is|are|was)\b|['’]s\b|就?是)", re.IGNORECASE)
"""Words that make a time what something is or is on: "her birthday is on 4 May"."""
_EMPHASIS = re.compile(r"是\s*$")
_EMPHASISED = re.compile(r"的[。！!.]?\s*$")
"""是 … 的 only stresses when something was done."""
_BEGINS = re.compile(
    r"\b(?:mov(?:e|es|ing)|relocat\w+|join(?:s|ing)?|becom(?:e|es|ing)|retir(?:e|es|ing)|"
    r"marr(?:y|ies|ying)|(?:get|gets|getting) (?:married|divorced|promoted)|switch(?:es|ing)?|"
    r"quit(?:s|ting)?|resign(?:s|ing)?|tak(?:e|es|ing) over|emigrat\w+|"
    r"leav(?:e|es|ing) (?:my|his|her|our|their)|"
    r"(?:will|['’]ll|going to) (?:live|work|study|be (?:living|working|studying|an?|the))|"
    r"(?:(?:i|we|you|he|she|they|who)\b(?:['’]\w+| am| is| are| will| shall)?|"
    r"(?-i:[A-Z][a-z]+)(?: is| will)?) (?:\w+ )?(?:start|begin)(?:s|ning|ing)?|"
    r"déménag\w+|mud(?:o|amos|aré|armos)|zieh\w*)\b|"
    r"搬|迁|开始|入职|上任|就任|成为|当上|结婚|退休|毕业|离职|辞职|转学|入学|住[在进到]",
    re.IGNORECASE,
)
"""Words of what begins: told of a time ahead, it holds from then on, unlike a plan or a date."""


@dataclass(frozen=True, slots=True)
class _Named:
    """A time that words name, and what stands around it."""

    span: TimeRange
    lead: str
    """What leads up to it, prepositions among them."""
    after: str


def named_time(words: str, said_at: datetime) -> datetime | None:
    """Return from when on what `words` say holds, in the offset of `said_at`, if they say so.

    "Yesterday I …", said on 2023-05-08, holds from 2023-05-07, and "I move in December" from then.
    `None` where no time is named, or where it is only what they tell: "the deadline is 3 June".
    """
    for named in _named(words, said_at):
        if _begins_then(named, words, said_at):
            return from_micros(named.span.start, offset_minutes(said_at))
    return None


def begins_on(words: str, said_at: datetime, moment: datetime) -> bool:
    """Whether what `words` say begins at a moment that is known to be the time they tell."""
    at = to_micros(moment)
    told = [each for each in _named(words, said_at) if each.span.start <= at < each.span.end]
    if told:
        return any(_begins_then(each, words, said_at) for each in told)
    return moment <= said_at or _BEGINS.search(words) is not None


def _named(words: str, said_at: datetime) -> Iterator[_Named]:
    place = 0
    for span in resolve(words, said_at):
        if not _TAKES_SO_LONG.fullmatch(span.phrase):
            place = max(words.find(span.phrase, place), place)
            lead = _LEADS.match(span.phrase)
            end = place + len(span.phrase)
            yield _Named(span, words[:place] + (lead.group() if lead else ""), words[end:])


def _begins_then(named: _Named, words: str, said_at: datetime) -> bool:
    """Whether the words say that something begins then, or was done then."""
    if _SINCE.search(named.lead) or _SINCE_HAN.match(named.after):
        return True
    if _NOT_FROM.search(named.lead) or _NOT_FROM_HAN.match(named.after) or _is_content(named):
        return False
    return named.span.start <= to_micros(said_at) or _BEGINS.search(words) is not None


def _is_content(named: _Named) -> bool:
    """Whether the time is what is told, not when something is so."""
    if _EMPHASIS.search(named.lead) and _EMPHASISED.search(named.after):
        return False
    return bool(_IS.search(named.lead) or _IS_AFTER.match(named.after))
