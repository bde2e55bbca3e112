"""Whether an entry is told in the script of what it was read from."""

from __future__ import annotations

from lamina.recall.scripts import letters_by_script

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
    said, told = _shares(source), _shares(entry)
    if not said or not told:
        return True
    main = max(said, key=said.__getitem__)
    if said[main] < 1 - _ENOUGH:  # So mixed that either will do.
        return not told.keys().isdisjoint(said)
    return told.get(main, 0.0) >= _ENOUGH


def _shares(text: str) -> dict[str, float]:
    weights: dict[str, float] = {}
    for script, letters in letters_by_script(text).items():
        family = _FAMILIES.get(script, script)
        weights[family] = weights.get(family, 0.0) + letters * _WEIGHTS.get(script, 1.0)
    whole = sum(weights.values())
    return {family: weight / whole for family, weight in weights.items()}
