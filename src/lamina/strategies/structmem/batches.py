"""Messages into batches of bounded length, and long messages into parts."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lamina.model import Message
from lamina.strategies.structmem.dialogue import Shown, words_of

CountTokens = Callable[[Sequence[str]], list[int]]

_CUTS = re.compile(r"\n+|(?<=[.!?…。！？])\s*|\s+")
_WINDOW = 0.2
"""Share of a text, around its middle, in which a good place to cut is looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DialogueBatch:
    """What one call reads."""

    shown: tuple[Shown, ...]

    @property
    def messages(self) -> tuple[Message, ...]:
        """What its lines are of, aligned."""
        return tuple(each.message for each in self.shown)

    def goes_on_from(self, other: DialogueBatch) -> bool:
        """Whether both show parts of one message."""
        return self.shown[0].message.id == other.shown[-1].message.id


def cut(messages: Sequence[Message], limit: int, count_tokens: CountTokens) -> list[DialogueBatch]:
    """Return the messages that say something as batches of up to `limit` tokens, in order.

    A message that is longer is a batch of its own, or several: one for each of its parts.
    """
    told = [(message, words_of(message)) for message in messages]
    told = [(message, words) for message, words in told if words]
    costs = count_tokens([words for _, words in told]) if told else []
    batches: list[list[Shown]] = []
    room = 0
    for (message, words), cost in zip(told, costs, strict=True):
        if cost > limit:
            parts = split(words, limit, count_tokens)
            batches += [[Shown(message=message, text=part)] for part in parts]
            room = 0
            continue
        if cost > room:
            batches.append([])
            room = limit
        batches[-1].append(Shown(message=message, text=words))
        room -= cost
    return [DialogueBatch(shown=tuple(batch)) for batch in batches]


def split(text: str, limit: int, count_tokens: CountTokens) -> list[str]:
    """Return `text` in parts of up to `limit` tokens, cut where a line, sentence or word ends."""
    if len(text) < 2 or count_tokens([text])[0] <= limit:
        return [text]
    place = _cut_near_middle(text)
    halves = text[:place].strip(), text[place:].strip()
    return [part for half in halves if half for part in split(half, limit, count_tokens)]


def _cut_near_middle(text: str) -> int:
    middle, reach = len(text) // 2, max(1, int(len(text) * _WINDOW))
    found = [
        cut
        for cut in _CUTS.finditer(text, middle - reach, middle + reach)
        if 0 < cut.end() < len(text)
    ]
    return min(found, key=_badness(middle)).end() if found else middle


def _badness(middle: int) -> Callable[[re.Match[str]], tuple[int, int]]:
    """Order cuts: line ends first, then sentence ends, then blanks; the nearest of its kind."""

    def key(cut: re.Match[str]) -> tuple[int, int]:
        before = cut.string[cut.start() - 1 : cut.start()]
        kind = 0 if "\n" in cut.group() else 1 if before in ".!?…。！？" else 2
        return kind, abs(cut.end() - middle)

    return key


def first_step(
    batches: Sequence[DialogueBatch], most: int
) -> tuple[Sequence[DialogueBatch], Sequence[DialogueBatch]]:
    """Return the first `most` batches and the rest; the parts of one message stay together."""
    end = min(most, len(batches))
    while 0 < end < len(batches) and batches[end].goes_on_from(batches[end - 1]):
        end += 1
    return batches[:end], batches[end:]
