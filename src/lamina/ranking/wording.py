"""Whether a text speaks of a word, and whether it asks for it or refuses it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field

_TOKEN = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*|[^\w\s]")
_NON = "non"
_REFUSING = frozenset(
    (
        *("not", "no", "without", "except", "excluding", "exclude", "avoid", "never", "nothing"),
        *("neither", "nor", "hate", "dislike", "none", _NON),
    )
)
_TURNING = frozenset(["but", "only", "just", "rather", "instead", ".", ",", ";", "!", "?", ":"])
"""What ends a refusal."""
_COMPARING = frozenset(["more", "less", "fewer", "over", "above", "under", "later", "earlier"])
"""After a refusal these make a comparison: "no more than"."""
_REACH = 5
"""Tokens that a refusal reaches."""
_REFUSING_CHINESE = re.compile(
    r"不要|不想|不看|不喜欢|不是|除了|没有|讨厌|非(?!常)|(?<![特区分])别|无|不(?![错同过])"
)
_TURNING_CHINESE = re.compile(r"[，。；！？,.;!?]|但|而是|只要|不过")
_REACH_CHINESE = 8
"""Characters."""


def folded(text: str) -> str:
    """Return a text in one form: NFKC, case folded."""
    return unicodedata.normalize("NFKC", text).casefold()


def tokens(text: str) -> list[str]:
    """Return the words and marks of a folded text, words without the ending of the plural."""
    return [singular(token) for token in _TOKEN.findall(text)]


def singular(word: str) -> str:
    """Return an English word without the ending of the plural."""
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    plural = len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))
    return word[:-1] if plural else word


@dataclass(slots=True)
class Said:
    """What is asked for, ready to be looked through."""

    text: str
    tokens: list[str] = field(init=False)
    refused: list[bool] = field(init=False)
    """Which tokens a refusal reaches."""
    either: bool = field(init=False)
    """Whether it offers a choice: "comedy or drama"."""

    def __post_init__(self) -> None:
        self.text = _spoken(self.text)
        self.tokens = tokens(self.text)
        self.refused = _refused(self.tokens)
        self.either = "or" in self.tokens or "或" in self.text

    def of(self, word: str) -> bool | None:
        """Whether a folded word is asked for (True), refused (False), or not spoken of.

        >>> said = Said("Not horror, a comedy")
        >>> said.of("horror"), said.of("comedy"), said.of("war")
        (False, True, None)
        """
        if not word.isascii():
            return self._chinese(word)
        parts = tokens(word)
        size = len(parts)
        if not size:
            return None
        for begin in range(len(self.tokens) - size + 1):
            if self.tokens[begin : begin + size] == parts:
                return not self.refused[begin]
        return None

    def _chinese(self, word: str) -> bool | None:
        begin = self.text.find(word)
        if begin < 0:
            return None
        before = _TURNING_CHINESE.split(self.text[max(0, begin - _REACH_CHINESE) : begin])[-1]
        return _REFUSING_CHINESE.search(before) is None


def wanted(text: str) -> str:
    """Return a text without what it refuses; as it is, if it refuses nothing.

    >>> wanted("Not a thriller, a comedy"), wanted("喜剧，不要恐怖的"), wanted("A Comedy")
    (', a comedy', '喜剧，', 'A Comedy')
    """
    said = _spoken(text)
    spans = [match.span() for match in _TOKEN.finditer(said)]
    heard = Said(said)
    refusing = map(_refuses, heard.tokens, [*heard.tokens, ""][1:])
    gone = [
        span for span, *reached in zip(spans, heard.refused, refusing, strict=True) if any(reached)
    ]
    for match in _REFUSING_CHINESE.finditer(said):
        turning = _TURNING_CHINESE.search(said, match.end())
        end = match.end() + _REACH_CHINESE
        gone.append((match.start(), min(end, turning.start()) if turning else end))
    if not gone:
        return text
    source = text if len(text) == len(said) else said
    kept = [
        mark for at, mark in enumerate(source) if not any(begin <= at < end for begin, end in gone)
    ]
    return " ".join("".join(kept).split())


def _refuses(token: str, after: str) -> bool:
    refusing = token in _REFUSING or token.endswith(("n't", "n’t"))
    return refusing and after not in _COMPARING


def _spoken(text: str) -> str:
    """Return a text folded, "non-" parted from what it refuses."""
    return re.sub(r"\bnon-", f"{_NON} ", folded(text))


def _refused(said: Sequence[str]) -> list[bool]:
    """Return which tokens a refusal before them reaches; "no more than" is none."""
    found, left = [], 0
    for token, after in zip(said, [*said, ""][1:], strict=True):
        found.append(left > 0 and token not in _TURNING)
        left = 0 if token in _TURNING else max(0, left - 1)
        if _refuses(token, after):
            left = 1 if token == _NON else _REACH
    return found
