"""Whether an entry is told in the script of what it was read from."""

from __future__ import annotations

import re
from functools import cache

from lamina.recall.scripts import LETTERS

_FAMILIES = {"han": "east", "kana": "east", "hangul": "east"}
_WEIGHTS = {"han": 3.0, "kana": 1.5, "hangul": 2.0}
"""How many Latin letters one letter is worth: a Chinese word has two, an English one five."""
_ENOUGH = 0.2
"""Share of a script that makes it one of a text's scripts: names of another may stand in it."""


def keeps_language(entry: str, source: str) -> bool:
    """Whether `entry` uses a script that `source` is mainly written in; short of letters, yes.

    >>> keeps_language("Alice moved to Oslo.", "我搬到奥斯陆了。")
    False
    >>> keeps_language("爱丽丝用 PostgreSQL。", "我用 PostgreSQL。")
    True
    """
    main = max(_shares(source).items(), key=lambda share: share[1], default=None)
    told = _shares(entry)
    if main is None or not told or main[1] < 1 - _ENOUGH:
        # No letters, or scripts so mixed that either will do.
        return main is None or not told or bool(told.keys() & _shares(source).keys())
    return told.get(main[0], 0.0) >= _ENOUGH


def _shares(text: str) -> dict[str, float]:
    weights: dict[str, float] = {}
    for script, letters in LETTERS.items():
        family = _FAMILIES.get(script, script)
        found = len(_pattern(letters).findall(text)) * _WEIGHTS.get(script, 1.0)
        weights[family] = weights.get(family, 0.0) + found
    whole = sum(weights.values())
    return {family: weight / whole for family, weight in weights.items() if weight}


@cache
def _pattern(letters: str) -> re.Pattern[str]:
    return re.compile(f"[{letters}]")
