"""Whether an entry is borne out by what it was read from: its names, numbers and dates.

Cheap and wary: what it flags is kept, but no summary rests on it. It reads names where a script
has capitals, numbers in every script, and dates in English, Chinese and ISO forms.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from lamina.model import Message
from lamina.recall.phrases_english import MONTHS
from lamina.recall.time_words import resolve
from lamina.strategies.structmem.dates import PartialDate, overlaps, take_dates
from lamina.strategies.structmem.dialogue import words_of
from lamina.strategies.structmem.numerals import numbers
from lamina.times import from_micros, offset_minutes

_WORD = re.compile(r"[^\W\d_]+(?:['’\-][^\W\d_]+)*")
_STARTS = re.compile(r"(?:^|[.!?:;…。！？]\s*|[\"“”‘(（「『]\s*|\n)\s*$")
_ORDINARY_WORDS = (
    "i the a an his her its their our my your he she it they we you this that these those there "
    "here both all some many most each every one another no not after before during while when "
    "since because although though if as at in on by for from with without to of and but or so "
    "yet also then now today yesterday tomorrow who what where why how which everyone someone "
    "people mr mrs ms dr miss sir monday tuesday wednesday thursday friday saturday sunday mon tue "
    "wed thu fri sat sun assistant tool system user image photo picture ok yes "
    "der die das ein eine er sie es wir ihr ihre sein seine im am nach bei le la les un une il "
    "elle ils elles son sa ses leur dans en au el los las una ella ellos su sus lo gli uno di da "
    "o os as он она они его её ее их это этот в на с после"
)
_ORDINARY = frozenset(_ORDINARY_WORDS.split()) | frozenset(MONTHS)
"""Words that may have a capital without naming anybody in particular."""
_MADE_WORD = re.compile(r"(?:ing|ion|ions|ment|ness|ity|ed|ly|ship|ance|ence)$")
"""Endings of English words that open a sentence with a capital but are no names."""
_SAME_STEM = 4
"""Letters that two words must share at the start to be forms of one: Sweden, Swedish."""
_AGO = re.compile(
    r"\b(?:ago|last|next|past|since|this|coming|recent(?:ly)?|earlier|later|soon|weekend|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|yesterday|tomorrow|tonight|today)\b"
    r"|前|后|後|上|下|去年|明年|今|昨|明|周|週|星期",
    re.IGNORECASE,
)
"""Words that place an event relative to the message, also where they were not resolved."""
_REACH_DAYS = 800
"""How far such words reach, in days."""


@dataclass(frozen=True)
class Evidence:
    """What an entry may rest on."""

    said: tuple[tuple[str, datetime], ...]
    """Texts and when they were said; the message's own is the last."""
    speakers: frozenset[str] = frozenset()
    """Everybody who may be named without being mentioned."""

    @cached_property
    def words(self) -> frozenset[str]:
        """All words, folded, with the speakers' names."""
        texts = (*(text for text, _ in self.said), *self.speakers)
        return frozenset(word for text in texts for word in _folded_words(text))

    @cached_property
    def numbers(self) -> frozenset[float]:
        """All numbers."""
        texts = (*(text for text, _ in self.said), *self.speakers)
        return frozenset(number for text in texts for number in numbers(text))

    @cached_property
    def spans(self) -> tuple[tuple[datetime, datetime], ...]:
        """The times that the texts name."""
        return tuple(
            (
                from_micros(span.start, offset_minutes(said_at)),
                from_micros(span.end, offset_minutes(said_at)),
            )
            for text, said_at in self.said
            for span in resolve(text, said_at)
        )


def evidence(
    message: Message, before: Sequence[Message] = (), speakers: Iterable[str] = ()
) -> Evidence:
    """Return what an entry read from `message` may rest on.

    Args:
        message: What it was read from.
        before: The messages shown before it, oldest first.
        speakers: Who else takes part.
    """
    heard = (*before, message)
    return Evidence(
        said=tuple((words_of(each), each.said_at) for each in heard),
        speakers=frozenset((*speakers, *(each.speaker for each in heard))),
    )


def supported(entry: str, grounds: Evidence) -> bool:
    """Whether the names, numbers and dates of `entry` are borne out by `grounds`."""
    dates, rest = take_dates(unicodedata.normalize("NFKC", entry))
    return (
        all(date_is_told(date, grounds) for date in dates)
        and numbers(rest) - {0.0, 1.0} <= grounds.numbers
        and all(_name_is_told(name, grounds) for name in _names(rest))
    )


def date_is_told(date: PartialDate, grounds: Evidence) -> bool:
    """Whether a date is that of the message, or one that the texts name or point to."""
    said = [said_at for _, said_at in grounds.said]
    if any(date.holds(said_at.date()) for said_at in said):
        return True
    if any(overlaps(date, begins, ends) for begins, ends in grounds.spans):
        return True
    parts = {float(part) for part in (date.year, date.day) if part is not None}
    if parts and parts <= grounds.numbers and _month_is_told(date, grounds):
        return True
    return any(_pointed_to(date, text, said_at) for text, said_at in grounds.said)


def _month_is_told(date: PartialDate, grounds: Evidence) -> bool:
    if date.month is None or float(date.month) in grounds.numbers:
        return True
    return any(word in grounds.words for word, month in MONTHS.items() if month == date.month)


def _pointed_to(date: PartialDate, text: str, said_at: datetime) -> bool:
    """Whether vague words, such as "the week before last", may mean this date."""
    first = date.first(said_at.date())
    near = first is not None and abs((first - said_at.date()).days) <= _REACH_DAYS
    return near and bool(_AGO.search(text))


def _names(text: str) -> Iterable[str]:
    """Yield the words that look like names: with a capital where none is due."""
    for match in _WORD.finditer(text):
        word = match.group()
        if not word[0].isupper() or _folded(word) in _ORDINARY:
            continue
        begins = _STARTS.search(text[: match.start()])
        heads = text[match.end() :].startswith((":", "："))
        if not (begins and (heads or _MADE_WORD.search(word))):
            yield word


def _name_is_told(name: str, grounds: Evidence) -> bool:
    """Whether a name, or each part of it, is among the words, be it in another form."""
    return all(
        part in grounds.words or any(_same_stem(part, word) for word in grounds.words)
        for part in _folded_words(name)
        if part not in _ORDINARY
    )


def _same_stem(one: str, other: str) -> bool:
    shared = max(_SAME_STEM, min(len(one), len(other)) - 2)
    return one[:shared] == other[:shared] and min(len(one), len(other)) >= _SAME_STEM


def _folded_words(text: str) -> list[str]:
    return [
        part
        for word in _WORD.findall(unicodedata.normalize("NFKC", text))
        for part in re.split(r"['’\-]", _folded(word))
        if len(part) > 1
    ]


def _folded(word: str) -> str:
    bare = unicodedata.normalize("NFD", word.casefold())
    return "".join(c for c in bare if not unicodedata.combining(c))
