"""Which scripts a text is written in, told cheaply by its letters."""

from __future__ import annotations

import re
from collections.abc import Set
from functools import cache

LETTERS: dict[str, str] = {
    "latin": r"a-zA-Z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0300-\u036f\u1e00-\u1eff",
    "greek": r"\u0370-\u03ff\u1f00-\u1fff",
    "cyrillic": r"\u0400-\u052f",
    "hebrew": r"\u0591-\u05bd\u05bf-\u05f2",
    "arabic": r"\u0610-\u061a\u0620-\u065f\u066e-\u06d3\u06d5-\u06ff\u0750-\u077f",
    "indic": r"\u0900-\u0963\u0966-\u0dff",
    "thai": r"\u0e01-\u0e3a\u0e40-\u0e5b",
    "southeast": r"\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff",
    "hangul": r"\u1100-\u11ff\u3130-\u318f\uac00-\ud7af",
    "kana": r"\u3040-\u30ff\u31f0-\u31ff",
    "han": r"\u3005\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff",
}
"""Script to the inside of a character class that holds its letters and marks, after NFKC."""

_LANGUAGES: dict[str, frozenset[str]] = {
    "greek": frozenset({"el"}),
    "cyrillic": frozenset({"be", "bg", "kk", "mk", "mn", "ru", "sr", "uk"}),
    "hebrew": frozenset({"he", "yi"}),
    "arabic": frozenset({"ar", "fa", "ku", "ps", "ur"}),
    "indic": frozenset({"bn", "gu", "hi", "kn", "ml", "mr", "ne", "pa", "si", "ta", "te"}),
    "thai": frozenset({"th"}),
    "southeast": frozenset({"km", "lo", "my"}),
    "hangul": frozenset({"ko"}),
    "kana": frozenset({"ja"}),
    "han": frozenset({"ja", "zh"}),
}
"""Any language that is not listed is taken to be written in Latin script."""

_ALL_LISTED = frozenset().union(*_LANGUAGES.values())
_LOOKED_AT = 4000
"""Characters: enough to tell, however long the text."""


def readable_share(text: str, languages: Set[str]) -> float:
    """Return which share of the letters is in a script that some of `languages` uses.

    Args:
        text: Any text.
        languages: ISO 639-1 codes, such as those that an encoder declares.

    Returns:
        In [0, 1]; 1 for a text without letters. Languages that share a script are not told apart.

    >>> readable_share("Where does Alice live?", {"en"})
    1.0
    >>> readable_share("她住在哪里？", {"en"})
    0.0
    """
    counts = letters_by_script(text[:_LOOKED_AT])
    if not counts:
        return 1.0
    return sum(n for name, n in counts.items() if _reads(languages, name)) / sum(counts.values())


def letters_by_script(text: str) -> dict[str, int]:
    """Return how many letters `text` has of each script that it uses.

    >>> letters_by_script("Alice 住在 Oslo")
    {'latin': 9, 'han': 2}
    """
    scripts = ("latin",) if text.isascii() else LETTERS
    counts = {name: len(_pattern(name).findall(text)) for name in scripts}
    return {name: count for name, count in counts.items() if count}


@cache
def _pattern(script: str) -> re.Pattern[str]:
    return re.compile(f"[{LETTERS[script]}]")


def _reads(languages: Set[str], script: str) -> bool:
    if script == "latin":
        return bool(languages - _ALL_LISTED)
    return bool(languages & _LANGUAGES[script])
