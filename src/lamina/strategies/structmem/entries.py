"""From entries to drafts of notes: who said it, how certain, when it holds, and is it borne out."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cache

from lamina.model import Certainty, Message, NoteDraft
from lamina.recall.analysis import terms
from lamina.strategies.structmem import sentences
from lamina.strategies.structmem.certainty import certainty
from lamina.strategies.structmem.dates import starts, take_dates
from lamina.strategies.structmem.dialogue import words_of
from lamina.strategies.structmem.extraction import Entry
from lamina.strategies.structmem.named_times import begins_on, named_time
from lamina.strategies.structmem.support import (
    Evidence,
    date_is_told,
    evidence,
    supported,
)


def drafts(
    entries: Sequence[Entry], shown: Sequence[Message], before: Sequence[Message], reach: int
) -> list[NoteDraft]:
    """Return the notes that a model's entries become.

    Args:
        entries: With the index of the message that each was read from.
        shown: The messages that the model was shown, in order; a part stands for its message.
        before: The messages it was shown before those.
        reach: How many messages before its own a fact may take names and numbers from; a relation
            may take them from all that was shown before, since it ties the message to that.
    """
    heard = [*before, *shown]
    speakers = {message.speaker for message in heard}

    @cache
    def grounds(source: int, within: int) -> Evidence:
        place = len(before) + source
        return evidence(shown[source], heard[max(0, place - within) : place], speakers)

    return [
        _draft(
            entry,
            shown[entry.source],
            grounds(entry.source, reach if entry.perspective == "fact" else len(heard)),
        )
        for entry in entries
    ]


def _draft(entry: Entry, message: Message, grounds: Evidence) -> NoteDraft:
    return NoteDraft(
        kind=entry.perspective,
        text=entry.text,
        event=message.id,
        sources=(message.id,),
        about=_about(entry, message),
        said_by=message.speaker,
        certainty=_certainty(entry, message),
        supported=supported(entry.text, grounds),
        valid_at=_valid_at(entry, message, grounds) if entry.perspective == "fact" else None,
    )


def _about(entry: Entry, message: Message) -> str | None:
    return entry.about or (message.speaker if entry.perspective == "fact" else None)


def _certainty(entry: Entry, message: Message) -> Certainty:
    """Return the model's word, or where it takes a fact for certain, what the words betray."""
    if entry.certainty != "stated" or entry.perspective == "relation":
        return entry.certainty
    return certainty(_source_sentence(entry.text, message))


def _source_sentence(entry: str, message: Message) -> str:
    """Return the sentence of a message that shares most terms with an entry."""
    told = set(terms(entry))
    parts = sentences.split(words_of(message)) or [""]
    return max(parts, key=lambda part: len(told & set(terms(part))))


def _valid_at(entry: Entry, message: Message, grounds: Evidence) -> datetime | None:
    """Return from when on it holds: by the model's date if that is borne out, else by its words.

    A date that is only what is told of ("the deadline is 3 June") is not when that begins to hold.
    """
    told = starts(entry.date, message.said_at.tzinfo) if entry.date else None
    if entry.date and told and all(date_is_told(d, grounds) for d in take_dates(entry.date)[0]):
        return told if begins_on(entry.text, message.said_at, told) else None
    return named_time(entry.text, message.said_at)
