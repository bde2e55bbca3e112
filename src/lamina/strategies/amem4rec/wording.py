"""What windows and patterns say without a model: few words, so that the same behaviour reads alike.

They follow the language of the categories: English, and Chinese where those are in Chinese.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

Leaning = Literal["likes", "dislikes", ""]
Movement = Literal["repeats", "stays", "narrows", "broadens", "alternates", "moves"]
Drift = Literal["warmer", "cooler", ""]
"""Whether ratings rose or fell from the first to the last."""

MOST_SHARED = 3
"""Categories that a reason names."""
_HAN = re.compile(r"[\u3400-\u9fff]")
_KANA = re.compile(r"[\u3040-\u30ff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Trend:
    """What a stretch of interactions shows, by categories alone."""

    leaning: Leaning
    held: tuple[str, ...]
    """What it keeps to, in alphabetical order; may be empty."""
    movement: Movement
    ends: tuple[str, ...]
    """What moves: for `alternates` and `moves` the one and the other, else what is kept."""
    drift: Drift = ""
    actions: tuple[str, ...] = ()
    """What was done first and last, where that differs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Language:
    leanings: dict[Leaning, str]
    variety: str
    movements: dict[Movement, str]
    drifts: dict[Drift, str]
    actions: str
    comma: str
    last: str
    part: str
    stop: str
    both: str


_ENGLISH = _Language(
    leanings={"likes": "Likes {0}", "dislikes": "Dislikes {0}", "": "Goes for {0}"},
    variety="variety",
    movements={
        "repeats": "Repeats {0}", "stays": "Stays with {0}", "narrows": "Narrows to {0}",
        "broadens": "Broadens from {0}", "alternates": "Alternates {0} and {1}",
        "moves": "Moves from {0} to {1}",
    },
    drifts={"warmer": "warmer in the end", "cooler": "cooler in the end", "": ""},
    actions="{0}, then {1}", comma=", ", last=" and ", part="; ", stop=".",
    both="both {0}",
)  # fmt: skip
_CHINESE = _Language(
    leanings={"likes": "喜欢{0}", "dislikes": "不喜欢{0}", "": "偏向{0}"},
    variety="多样",
    movements={
        "repeats": "重复{0}", "stays": "始终是{0}", "narrows": "收窄到{0}",
        "broadens": "由{0}拓宽", "alternates": "{0}与{1}交替", "moves": "由{0}转到{1}",
    },
    drifts={"warmer": "评价渐高", "cooler": "评价渐低", "": ""},
    actions="先{0}后{1}", comma="、", last="和", part="；", stop="。",
    both="同为{0}",
)  # fmt: skip

_MOVES = (
    re.compile(r"Moves from (.+?) to (.+?)(?=[;.](?:\s|$))"),
    re.compile(r"由(.+?)转到(.+?)(?=[；。])"),
)


def explanation(leaning: Leaning, held: Sequence[str], among: Sequence[str] = ()) -> str:
    """Return what tendency shows: what is kept to, in the language of that or else of `among`."""
    speech = _language(held or among)
    kept = _listed(held, speech) or speech.variety
    return speech.leanings[leaning].format(kept) + speech.stop


def description(trend: Trend) -> str:
    """Return how it shows, step by step."""
    speech = _language((*trend.held, *trend.ends))
    ends = trend.ends
    if trend.movement not in ("alternates", "moves"):
        ends = (_listed(trend.ends, speech),)
    parts = [speech.movements[trend.movement].format(*ends), speech.drifts[trend.drift]]
    if trend.actions:
        parts.append(speech.actions.format(*trend.actions))
    return speech.part.join(part for part in parts if part) + speech.stop


def leaning(explained: str) -> Leaning:
    """Return whether an explanation made here says that something is liked, or disliked.

    >>> leaning("Likes Crime."), leaning("不喜欢科幻。"), leaning("Goes for Crime.")
    ('likes', 'dislikes', '')
    """
    for told in ("dislikes", "likes"):
        for speech in (_ENGLISH, _CHINESE):
            if explained.startswith(speech.leanings[told].partition("{")[0]):
                return told
    return ""


def held(explained: str, keywords: Sequence[str]) -> tuple[str, ...] | None:
    """Return what an explanation made here keeps to; `None` if it was not made here of these.

    >>> held("Likes Arts and Crafts.", ("Crafts", "Arts", "Toys")), held("Loves Crime.", ("Crime",))
    (('Arts', 'Crafts'), None)
    """
    found = sorted(name for name in keywords if name in explained)
    for many in range(len(found), -1, -1):
        for names in combinations(found, many):
            if explanation(leaning(explained), names, (explained,)) == explained:
                return names
    return None


def moves(described: str) -> set[tuple[str, str]]:
    """Return from what to what a description made here says that somebody moves.

    >>> moves("Moves from Crime to Drama; warmer in the end."), moves("Repeats Crime.")
    ({('Crime', 'Drama')}, set())
    """
    return {(found[1], found[2]) for pattern in _MOVES for found in pattern.finditer(described)}


def sharing(names: Sequence[str]) -> str:
    """Return why two hang together; "" if they share nothing."""
    speech = _language(names)
    return speech.both.format(_listed(names[:MOST_SHARED], speech)) if names else ""


def _listed(names: Sequence[str], speech: _Language) -> str:
    """Return names in a row.

    >>> _listed(("a", "b", "c"), _ENGLISH), _listed(("a",), _ENGLISH), _listed((), _ENGLISH)
    ('a, b and c', 'a', '')
    """
    first = speech.comma.join(names[:-1])
    return speech.last.join(part for part in (first, *names[-1:]) if part)


def _language(names: Sequence[str]) -> _Language:
    text = " ".join(names)
    return _CHINESE if _HAN.search(text) and not _KANA.search(text) else _ENGLISH
