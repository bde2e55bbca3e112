"""Text into terms: the one analyser, for what is stored and for what is asked.

Both sides must be cut alike, so nothing here guesses a text's language: each run of letters is
treated by its script. Where words are set apart, a word is folded (case, accents) and stemmed by
the Snowball stemmer of the script's most common language: English for Latin, Russian for Cyrillic,
and so on. Where they are not, every two neighbouring characters are a term, so that a word of two
is found however the sentence is cut; in Chinese the single characters and the longer words that
jieba's dictionary sees are terms as well.
"""

from __future__ import annotations

import importlib
import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise

from lamina.recall.scripts import LETTERS

_STOP = (
    "a an the of to in on at is are was were be been am and or it its this that do did does have "
    "has had i you he she they we me my your his her their our him them us for with what when "
    "where who which how why would"
)
STOP_WORDS = frozenset(_STOP.split())
"""English words that say nothing about a subject; few on purpose."""
_HAN_STOP = frozenset("的了是在我你他她它们和也都就吗呢吧啊着过个这那有不与及么什")
_CLITICS = frozenset({"s", "t", "m", "d", "re", "ve", "ll"})
_LONGEST = 64
"""Characters of a word that count: nothing that people call a word is longer."""

_STEMMERS = {
    "latin": ("english", "EnglishStemmer"),
    "greek": ("greek", "GreekStemmer"),
    "cyrillic": ("russian", "RussianStemmer"),
    "arabic": ("arabic", "ArabicStemmer"),
    "indic": ("hindi", "HindiStemmer"),
}
_UNSPACED = ("thai", "southeast", "hangul", "kana", "han")

_LATIN_WORD = rf"[{LETTERS['latin']}0-9]+(?:['’][{LETTERS['latin']}]+)*"
_PIECES = {
    "address": r"[a-z0-9][a-z0-9._+\-]{0,63}@[a-z0-9][a-z0-9.\-]{0,63}[a-z0-9]",
    "number": rf"v?[0-9]+(?:[.,:/\-][0-9]+)+(?![{LETTERS['latin']}0-9])",
    "latin": _LATIN_WORD,
    **{script: f"[{letters}]+" for script, letters in LETTERS.items() if script != "latin"},
    "other": r"[^\W_]+",
}
_PIECE = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in _PIECES.items()))
_THOUSANDS = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+")
_ASCII_WORD = re.compile(r"[a-z0-9]+")
_MARKS = re.compile(r"[\u0300-\u036f]+")
_ARABIC_MARKS = re.compile(r"[\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]+")
_LATIN_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}
)
_ARABIC_LETTERS = str.maketrans("ٱیک", "ايك")
"""The stemmer sees to the other forms of alef, and to the endings."""
_DIGITS = str.maketrans(
    "٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९",
    "012345678901234567890123456789",
)


def terms(text: str) -> list[str]:
    """Return the terms of `text`, in reading order, repeated as often as they occur.

    Takes any text, in time linear in its length. Stop words give no term; names, numbers,
    versions and addresses are kept whole.

    >>> terms("Where did Zoë's cats go on 2023-05-08?")
    ['zoe', 'cat', 'go', '2023-05-08', '2023', '05', '08']
    >>> terms("喝咖啡")
    ['喝咖', '咖啡', '喝咖啡']
    """
    folded = unicodedata.normalize("NFKC", text).casefold().translate(_DIGITS)
    return [
        term
        for piece in _PIECE.finditer(folded)
        for term in _terms_of(piece.lastgroup or "other", piece.group())
        if term
    ]


def _terms_of(kind: str, piece: str) -> Iterator[str]:
    if kind == "latin":
        return _latin(piece)
    if kind in ("address", "number"):
        return _compound(piece)
    if kind == "han":
        return _chinese(piece)
    if kind in _UNSPACED:
        return _neighbours(piece)
    return iter([_stem(kind, _bare(kind, piece)[:_LONGEST])])


def _compound(piece: str) -> Iterator[str]:
    """Yield a number or address whole, and its parts where those mean something alone."""
    if _THOUSANDS.fullmatch(piece):
        piece = piece.replace(",", "")
    yield piece[:_LONGEST]
    if any(mark in piece for mark in "@-/"):
        for part in _ASCII_WORD.findall(piece):
            yield from _kept(part)


def _latin(piece: str) -> Iterator[str]:
    first, *rest = piece.replace("’", "'").split("'")
    if rest == ["t"] and first.endswith("n"):
        return  # "didn't", "can't": auxiliaries
    elided = bool(rest) and len(first) == 1  # "l'école", "d'accord"
    for word in [] if elided else [first]:
        yield from _kept(word)
    for word in rest:
        if word not in _CLITICS:
            yield from _kept(word)


def _kept(word: str) -> Iterator[str]:
    if word not in STOP_WORDS:
        yield _stem("latin", _bare("latin", word)[:_LONGEST])


def _bare(script: str, word: str) -> str:
    """Drop what people may leave out in writing: accents and vowel marks."""
    if word.isascii():
        return word
    if script == "arabic":
        return _ARABIC_MARKS.sub("", word).translate(_ARABIC_LETTERS)
    if script in ("latin", "greek"):
        return _MARKS.sub("", unicodedata.normalize("NFD", word)).translate(_LATIN_LETTERS)
    if script == "cyrillic":
        return word.replace("ё", "е")
    return word


@lru_cache(maxsize=1 << 16)
def _stem(script: str, word: str) -> str:
    """Return the stem. A stemmer holds state, so each call has its own; hence the cache."""
    if script not in _STEMMERS or any(c.isdigit() for c in word):
        return word
    stem: str = _stemmer(script)().stemWord(word)
    return stem or word


@cache
def _stemmer(script: str) -> type:
    # Named, not by `snowballstemmer.stemmer`: that takes PyStemmer where it is installed, whose
    # stems differ between versions.
    module, name = _STEMMERS[script]
    found: type = getattr(importlib.import_module(f"snowballstemmer.{module}_stemmer"), name)
    return found


def _neighbours(run: str) -> Iterator[str]:
    if len(run) == 1:
        return iter([run])
    return (a + b for a, b in pairwise(run))


def _chinese(run: str) -> Iterator[str]:
    if len(run) > 1:
        yield from _neighbours(run)
    for word in _words(run):
        if len(word) > 2 or (len(word) == 1 and word not in _HAN_STOP):
            yield word


def _words(run: str) -> list[str]:
    import rjieba

    found: list[str] = rjieba.cut_for_search(run)
    return found
