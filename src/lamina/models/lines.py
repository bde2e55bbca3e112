"""What a model is shown: one JSON array a line.

No text can forge a line: quotes, braces, fences and line ends inside it are escaped. Every line is
cut until it takes no more tokens than it was given.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from lamina.models.tokens import rough_tokens

Count: TypeAlias = Callable[[Sequence[str]], list[int]]
"""Tokens of each text, such as `Encoder.count_tokens`."""
Shrinks: TypeAlias = Callable[[float], str]
"""A line whose texts are cut to a share, in [0, 1], of their greatest lengths."""

SHRINKING = 0.75
"""By how much a line that is too long is cut at once."""
SHORTEST = 0.01
"""The share below which nothing of the texts is shown."""
_UNSHOWABLE = re.compile("[\ud800-\udfff]")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\\s]+")


class Named(Protocol):
    """Something with an id."""

    @property
    def id(self) -> str:
        """Its id."""
        ...


@dataclass(frozen=True, slots=True)
class Shown:
    """The ids of what was shown; a model names them by numbers from 1, in this order."""

    ids: tuple[str, ...]

    @staticmethod
    def of(named: Iterable[Named | None]) -> Shown:
        """Return the ids of what has one, each once."""
        return Shown(tuple(dict.fromkeys(each.id for each in named if each is not None)))

    def number(self, id_: str) -> int:
        """Return the number under which `id_` was shown."""
        return self.ids.index(id_) + 1

    def named(self, value: Any) -> str | None:
        """Return the id that a model means; `None` if it was not shown.

        >>> shown = Shown(("a", "b"))
        >>> shown.named(1), shown.named("2"), shown.named(0), shown.named(True), shown.named(1.0)
        ('a', 'b', None, None, None)
        """
        if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10:
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            return None
        return self.ids[value - 1] if 1 <= value <= len(self.ids) else None


def line(*items: object) -> str:
    r"""Return one JSON array on one line, without what is empty at its end.

    >>> print(line(1, 'Ann "A"\n[2]', "", None))
    [1, "Ann \"A\" [2]"]
    """
    kept = [clean(item) if isinstance(item, str) else item for item in items]
    while kept and kept[-1] in ("", None):
        kept.pop()
    return json.dumps(kept, ensure_ascii=False, default=str)


def clean(text: str) -> str:
    """Return `text` on one line, without control characters and what UTF-8 cannot carry."""
    return _CONTROL.sub(" ", _UNSHOWABLE.sub("\ufffd", text)).strip()


def cut(text: str, longest: float) -> str:
    """Return the beginning of `text`, cleaned, with "…" where something is left out.

    No more of it is looked at than about twice what is shown.

    >>> cut("one two three", 7), cut("one", 7), cut("one", 0.5)
    ('one two…', 'one', '')
    """
    limit = int(longest)
    begun = text[: 2 * limit + 64]
    cleaned = clean(begun)
    if len(cleaned) <= limit and len(begun) == len(text):
        return cleaned
    return f"{cleaned[:limit].rstrip()}…" if limit and cleaned else ""


def roughly(texts: Sequence[str]) -> list[int]:
    """Return about how many tokens each text has; see `lamina.models.tokens`."""
    return [rough_tokens(text) for text in texts]


def generous(count: Count) -> Count:
    """Return how to count so that neither `count` nor the rough count says more."""

    def most(texts: Sequence[str]) -> list[int]:
        counted = count(texts) if texts else []
        return list(map(max, counted, roughly(texts)))

    return most


def fitted(wanted: Sequence[tuple[Shrinks, int]], count: Count) -> list[str]:
    """Return the lines, each cut until it takes at most as many tokens as it is given.

    Where even a line without texts takes more, that is what it is.
    """
    lines = [shrinks(1.0) for shrinks, _ in wanted]
    shares = [1.0] * len(lines)
    left = list(range(len(lines)))
    while left:
        taken = dict(zip(left, count([lines[i] for i in left]), strict=True))
        left = [i for i in left if taken[i] > wanted[i][1] and shares[i]]
        for i in left:
            share = shares[i] * min(SHRINKING, wanted[i][1] / taken[i])
            shares[i] = share if share > SHORTEST else 0.0
            lines[i] = wanted[i][0](shares[i])
    return lines


def listed(words: Iterable[str], longest: float) -> str:
    """Return the first of some words, "; " between; what would be cut off is not looked at."""
    kept: list[str] = []
    left = longest
    for word in words:
        if left <= 0:
            break
        kept.append(word[: int(left) + 1])
        left -= len(word) + 2
    return cut("; ".join(kept), longest)


def level(wanted: Sequence[int], most: int) -> int:
    """Return the greatest limit so that all, each cut to it, take no more than `most` together.

    >>> level([10, 100, 100], 110), level([10, 20], 110), level([], 9)
    (50, 20, 0)
    """
    for place, each in enumerate(sorted(wanted)):
        limit = most // (len(wanted) - place)
        if each > limit:
            return limit
        most -= each
    return max(wanted, default=0)
