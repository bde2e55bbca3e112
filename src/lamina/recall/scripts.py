"""Which script a text is written in, cheaply; and so whether an encoder can read it."""

from __future__ import annotations

import re
from collections.abc import Set

_LETTERS = {
    "han": r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff",
    "kana": r"\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f",
    "hangul": r"\u1100-\u11ff\u3130-\u318f\uac00-\ud7af",
    "thai": r"\u0e00-\u0e7f",
    "southeast": r"\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff",
    "latin": r"a-zA-Z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff",
    "greek": r"\u0370-\u03ff\u1f00-\u1fff",
    "cyrillic": r"\u0400-\u052f",
    "arabic": r"\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufefc",
    "hebrew": r"\u0590-\u05ff",
    "indic": r"\u0900-\u0963\u0966-\u0dff",
}
LETTERS: dict[str, str] = _LETTERS
"""Script to the inside of a regular expression's character class."""

_LANGUAGES: dict[str, frozenset[str]] = {
    "han": frozenset({"zh", "ja"}),
    "kana": frozenset({"ja"}),
    "hangul": frozenset({"ko"}),
    "thai": frozenset({"th"}),
    "southeast": frozenset({"lo", "my", "km"}),
    "greek": frozenset({"el"}),
    "cyrillic": frozenset({"ru", "uk", "bg", "sr"}),
    "arabic": frozenset({"ar", "fa", "ur"}),
    "hebrew": frozenset({"he", "yi"}),
    "indic": frozenset({"hi", "bn", "ta", "te", "mr"}),
}
_FOREIGN = {name: re.compile(f"[{_LETTERS[name]}]") for name in _LANGUAGES}
_LATIN = re.compile(f"[{_LETTERS['latin']}]")
_LOOKED_AT = 2000
