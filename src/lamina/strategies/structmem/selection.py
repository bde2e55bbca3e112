"""A summary that invents nothing: the most central sentences, with their dates, in time order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lamina.model import Event, Message
from lamina.recall.analysis import terms
from lamina.strategies.structmem import sentences
from lamina.strategies.structmem.centrality import centrality, likeness
from lamina.strategies.structmem.dialogue import told_by

MOST_SENTENCES = 400
"""Sentences that are compared: each is compared with every other."""
TOO_ALIKE = 0.6
"""Cosine from which on a sentence only says again what a chosen one says."""
FEWEST_TERMS = 4
"""Terms that a sentence needs to be compared: cheers are alike, and would be the centre."""
PAST_SHARE = 0.25
"""Share of the words that sentences of the history may take: the buffer is what is summed up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence and the message that it stands in."""

    message: Message
    text: str
    past: bool
    """Whether it is of the history, not of the buffer."""
    terms: tuple[str, ...]
    """Its terms, in order."""

    @property
    def words(self) -> int:
        """Its length."""
        return sentences.count_words(self.text)


def select(buffer: Sequence[Event], past: Sequence[Event], longest_words: int) -> list[Sentence]:
    """Return the most central telling sentences, no two alike, in the order they were said.

    Args:
        buffer: What is summed up.
        past: What is near to it in the history; it takes `PAST_SHARE` of the words at most.
        longest_words: Of all sentences together.
    """
    told = [*_telling(buffer, past=False), *_telling(past, past=True)][:MOST_SENTENCES]
    # The speakers' names say nothing about the subject.
    names = {t for who in {s.message.speaker for s in told} for t in terms(who)}
    likenesses = likeness([[t for t in s.terms if t not in names] for s in told])
    chosen = _choose(told, centrality(likenesses), likenesses, longest_words)
    return sorted((told[i] for i in chosen), key=lambda s: (s.message.said_at, s.message.position))


def written(chosen: Sequence[Sentence]) -> str:
    """Return the summary: a line a message."""
    lines: dict[str, list[Sentence]] = {}
    for sentence in chosen:
        lines.setdefault(sentence.message.id, []).append(sentence)
    return "\n".join(
        quoted(said[0].message, [sentence.text for sentence in said]) for said in lines.values()
    )


def quoted(message: Message, told: Sequence[str]) -> str:
    """Return a line of a summary: the date of a message, who said it, and sentences of it.

    Dates are ISO 8601 in the speaker's own time, which needs no language.
    """
    return f"{message.said_at.date().isoformat()} {message.speaker}: {' '.join(told)}"


def _telling(events: Sequence[Event], *, past: bool) -> list[Sentence]:
    """Return the sentences with something to compare; if there are none, all that tell at all."""
    told = [
        Sentence(message=event.message, text=text, past=past, terms=tuple(terms(text)))
        for event in events
        for text in sentences.split(told_by(event))
        if not sentences.is_question(text)
    ]
    rich = [each for each in told if len(set(each.terms)) >= FEWEST_TERMS]
    return rich or [each for each in told if sentences.states(each.text)]


def _choose(
    told: Sequence[Sentence],
    weights: NDArray[np.float64],
    likenesses: NDArray[np.float64],
    longest_words: int,
) -> list[int]:
    """Return indices in reading order, most central first taken, while there is room."""
    room = {True: round(longest_words * PAST_SHARE), False: longest_words}
    chosen: list[int] = []
    for i in sorted(range(len(told)), key=lambda i: (-weights[i], i)):
        words = told[i].words
        fits = words <= room[False] and (words <= room[True] or not told[i].past)
        if not fits or any(likenesses[i, j] >= TOO_ALIKE for j in chosen):
            continue
        chosen.append(i)
        room[False] -= words
        if told[i].past:
            room[True] -= words
    return sorted(chosen)
