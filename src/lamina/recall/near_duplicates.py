"""Near-duplicates give way to the more relevant; what differs in a number or a name stays."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import numpy as np

from lamina.recall.analysis import STOP_WORDS, terms
from lamina.recall.time_words import resolve

if TYPE_CHECKING:
    from lamina.model import Vectors

ALIKE = 0.9
"""Cosine below which two texts are not even compared."""

_WORD = re.compile(r"[^\W_]+")
_NEGATIONS = frozenset({"no", "not", "never", "none", "nobody", "without", "cannot", "t"})
"""With "t" for "don't": its words are cut at the apostrophe."""


def distinct(
    texts: Sequence[str], said_at: Sequence[datetime], vectors: Vectors, limit: int
) -> list[int]:
    """Return the positions of up to `limit` texts that do not repeat one before them.

    Args:
        texts: Most relevant first, n of them.
        said_at: When each was said. "I ran today", said on two days, is told twice.
        vectors: Shape (n, dim), unit rows, aligned with `texts`.
        limit: At least 0; looking stops there.
    """
    kept: list[int] = []
    for i in range(len(texts)):
        if len(kept) >= limit:
            break
        alike = np.flatnonzero(vectors[kept] @ vectors[i] >= ALIKE)
        if not any(_repeats(i, kept[j], texts, said_at) for j in alike):
            kept.append(i)
    return kept


def twins(texts: Sequence[str], said_at: Sequence[datetime], vectors: Vectors) -> dict[int, int]:
    """Return for each text that repeats one before it which one that is: the first of its kind.

    Args:
        texts: In the order of preference, n of them.
        said_at: When each was said.
        vectors: Shape (n, dim), unit rows, aligned with `texts`.
    """
    found: dict[int, int] = {}
    first_to_say: dict[str, int] = {}
    for i in range(len(texts)):
        alike = np.flatnonzero(vectors[:i] @ vectors[i] >= ALIKE).tolist()
        alike.append(first_to_say.setdefault(texts[i], i))
        firsts = (j for j in sorted(alike) if j < i and j not in found)
        first = next((j for j in firsts if _repeats(i, j, texts, said_at)), None)
        if first is not None:
            found[i] = first
    return found


def same(one: str, other: str) -> bool:
    """Whether one text says no more than the other, but for words that change little.

    A number, a name, a negation, or a word of a script without capitals always changes it, and so
    does any word put in another's place.

    >>> same("Ann likes plum cake.", "Ann really likes plum cake!")
    True
    >>> same("Ann likes plum cake.", "Bea likes plum cake.")
    False
    >>> same("Ann likes plum cake.", "Ann likes pear cake.")
    False
    """
    if _telling(one) != _telling(other):
        return False
    ours, theirs = set(terms(one)), set(terms(other))
    return ours <= theirs or theirs <= ours


def _repeats(one: int, other: int, texts: Sequence[str], said_at: Sequence[datetime]) -> bool:
    if not same(texts[one], texts[other]):
        return False
    return said_at[one].date() == said_at[other].date() or not (
        resolve(texts[one], said_at[one]) or resolve(texts[other], said_at[other])
    )


def _telling(text: str) -> set[str]:
    words = set(_WORD.findall(unicodedata.normalize("NFKC", text)))
    return {word.casefold() for word in words if _tells(word)}


def _tells(word: str) -> bool:
    folded = word.casefold()
    if folded in _NEGATIONS:
        return True
    if folded in STOP_WORDS:
        return False
    return word[0].isupper() or any(c.isdigit() for c in word) or not word[0].islower()
