"""Whether a text speaks of a word, and whether it asks for it or refuses it."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field

_TOKEN = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*|[^\w\s]")
_REFUSING = frozenset(
    (
        *("not", "no", "without", "except", "excluding", "exclude", "avoid", "never", "nothing"),
        *("neither", "nor", "hate", "dislike"),
    )
)
_TURNING = frozenset(["but", "only", "just", "rather", "instead", ".", ",", ";", "!", "?", ":"])
"""What ends a refusal."""
_REACH = 5
"""Tokens that a refusal reaches."""
_REFUSING_CHINESE = re.compile(r"不要|不想|不看|不喜欢|不是|除了|没有|讨厌|非|别|无|不")
_TURNING_CHINESE = re.compile(r"[，。；！？,.;!?]|但|而是|只要")
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
    either: bool = field(init=False)
    """Whether it offers a choice: "comedy or drama"."""

    def __post_init__(self) -> None:
        self.text = folded(self.text)
        self.tokens = tokens(self.text)
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
                return not self._refused(begin)
        return None

    def _refused(self, begin: int) -> bool:
        for token in reversed(self.tokens[max(0, begin - _REACH) : begin]):
            if token in _TURNING:
                return False
            if token in _REFUSING or token.endswith(("n't", "n’t")) or token.startswith("non"):
                return True
        return False

    def _chinese(self, word: str) -> bool | None:
        begin = self.text.find(word)
        if begin < 0:
            return None
        before = _TURNING_CHINESE.split(self.text[max(0, begin - _REACH_CHINESE) : begin])[-1]
        return _REFUSING_CHINESE.search(before) is None
