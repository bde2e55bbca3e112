"""Which names a text that is shared gives away: titles, ids of items, ids of users."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from lamina.recall.analysis import STOP_WORDS
from lamina.recall.scripts import LETTERS

_UNSPACED = "".join(LETTERS[script] for script in ("han", "kana", "thai", "southeast"))
_PIECE = re.compile(rf"[{_UNSPACED}]|(?:(?![{_UNSPACED}])[^\W_])+")
"""A character of a script that sets no words apart, or a word or number of another."""
_BRACKETS = re.compile(r"\(([^()]*)\)")
_BRACKETED = re.compile(r"(?:\s*\([^()]*\))+\s*$")
_KNOWN_AS = re.compile(r"^\s*a\.?k\.?a\.?\s+", re.IGNORECASE)
_ARTICLES = (
    "the a an le la les un une el los las il lo i gli der die das ein eine l de het en et den det"
)
_TRAILING = re.compile(rf"^(.*\S),\s*({'|'.join(_ARTICLES.split())})['’]?$", re.IGNORECASE)
_LEADING = re.compile(r"^(?:the|an?)\s+(.+)$", re.IGNORECASE)
_HEAD = re.compile(r"^(.{2,}?)\s*(?::|：|\s[-–—])\s*\S")
_SMALL = (
    "up down out off over under then there here now again no not so but if as by from i them him "
    "us all any some one more most very just only"
)
QUOTED = 5
"""Words in a row that give a longer name away."""
QUOTED_CHARACTERS = 20
"""Of those words, with blanks: fewer may be a phrase that anybody uses."""
JOINED = 5
"""Letters from which on a name is found although its words are joined, or taken apart."""
_HEBREW, _ARABIC = r"\u0591-\u05bd\u05bf-\u05c7", r"\u064b-\u065f\u0670"
_UNSEEN = re.compile(rf"(?<=i)\u0307|[{_HEBREW}{_ARABIC}]")
"""A dot that one more is written as, and vowels that writers leave out."""
_CONTROL = dict.fromkeys([*range(9), *range(14, 32), 127])
_WORD = re.compile(r"[^\W\d_]+")
_MIXED = re.compile(r"[a-z].*[\u0370-\u052f]|[\u0370-\u052f].*[a-z]", re.DOTALL)
_ALIKE = str.maketrans("авсԁеһіјкмнорԛѕтухѡαβγεηικμνορτυχω", "abcdehijkmhopqstyxwabyenikmvoptuxw")
"""Cyrillic and Greek letters that look like Latin ones."""
_COMMON = STOP_WORDS | frozenset(_SMALL.split())


def leaked(text: str, names: Sequence[str], allowed: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the names that a text gives away, in the order of `names`, each once.

    Both sides are compared word by word, whatever their case, width and punctuation, and in words
    that mix scripts whichever letter only looks like another. Accents count, but where the text
    has the name's capitals. Where a script sets no words apart, a name is found within them. A
    title is found as well without its year, with its article elsewhere or left out, by what stands
    before its colon, with its words joined or taken apart, and if it is long by five words of it in
    a row.

    A name of words that every text has ("It", "Her") is only found where the text writes it as a
    name: with its capitals, after another word. One that has only words of `allowed` is not found.

    Args:
        text: What is to be shared.
        names: Titles and ids.
        allowed: Words that may be said although they are names, such as categories.
    """
    words = _joined(text)
    said = [_pieces(each) for each in allowed]
    may = frozenset(word for each in said for word in (*each, "".join(each)))
    found = (name for name in names if _gives_away(text, words, name, may))
    return tuple(dict.fromkeys(found))


def leaked_anew(text: str, before: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return the names that a text gives away and what was said before did not; see `leaked`."""
    told = leaked(text, names)
    known = leaked(before, told) if told else ()
    return tuple(name for name in told if name not in known)


def _gives_away(text: str, words: str, name: str, may: frozenset[str]) -> bool:
    forms, signs = _sought(name)
    for form in forms:
        if may >= form.pieces:
            continue
        if form.blanked in words and (form.telling or _named(text, name)):
            return True
        if form.telling and form.letters not in may and _has_joined(text, form.letters):
            return True
    if _accented(text, name, may) or _quoted(words, name, may):
        return True
    return bool(signs) and signs in _clean(text)


def _has_joined(text: str, letters: str) -> bool:
    """Whether words of a text that follow each other are these letters, however parted."""
    if len(letters) < JOINED:
        return False
    whole, ends = _run_together(text)
    at = whole.find(letters)
    while at >= 0:
        if at in ends and at + len(letters) in ends:
            return True
        at = whole.find(letters, at + 1)
    return False


@lru_cache(maxsize=1 << 8)
def _run_together(text: str) -> tuple[str, frozenset[int]]:
    """Return the letters of a text in a row, and where its words begin and end in it."""
    pieces = _pieces(text)
    return "".join(pieces), frozenset(accumulate(map(len, pieces), initial=0))


def _accented(text: str, name: str, may: frozenset[str]) -> bool:
    """Whether a text writes a name with its capitals, but with other accents."""
    if text.isascii() and name.isascii():
        return False
    plain, bare = _plain(text), _bare(unicodedata.normalize("NFKC", name))
    for each in {bare, *_titles(bare)}:
        sought, pieces = _plain(each).strip(), frozenset(_pieces(each))
        if sought == sought.lower() or pieces <= _COMMON or pieces <= may:
            continue
        if re.search(rf"(?<![^\W_]){re.escape(sought)}(?![^\W_])", plain):
            return True
    return False


@lru_cache(maxsize=1 << 12)
def _plain(text: str) -> str:
    """Return a text without accents."""
    parted = unicodedata.normalize("NFKD", text)
    return "".join(c for c in parted if not unicodedata.combining(c))


def _quoted(words: str, name: str, may: frozenset[str]) -> bool:
    """Whether a text has several words in a row of a name that has more of them."""
    if name.count(" ") < QUOTED:
        return False
    whole = _joined(name)
    return any(run in whole and not may.issuperset(run.split()) for run in _runs(words))


@lru_cache(maxsize=1 << 8)
def _runs(words: str) -> tuple[str, ...]:
    """Return what stands in a row in a text that would give a name away."""
    pieces = words.split()
    rows = (pieces[start : start + QUOTED] for start in range(len(pieces) - QUOTED + 1))
    runs = (f" {' '.join(row)} " for row in rows if not _COMMON.issuperset(row))
    return tuple(run for run in runs if len(run) >= QUOTED_CHARACTERS)


class _Form(NamedTuple):
    """One way in which a name may be told."""

    blanked: str
    """Its pieces, with a blank before and after each."""
    pieces: frozenset[str]
    telling: bool
    """Whether it has a word that is not in every text."""

    @property
    def letters(self) -> str:
        """Its pieces in a row."""
        return self.blanked.replace(" ", "")


@lru_cache(maxsize=1 << 16)
def _sought(name: str) -> tuple[tuple[_Form, ...], str]:
    """Return the ways in which a name may be told, and what it is if it has no words."""
    whole = _clean(name)
    bare = _bare(whole)
    forms: dict[str, _Form] = {}
    for way in (whole, bare, *_parts(whole)):
        pieces = frozenset(_pieces(way))
        form = _Form(_joined(way), pieces, not pieces <= _COMMON)
        if pieces and (form.telling or way in (whole, bare)):
            forms.setdefault(form.blanked, form)
    return tuple(forms.values()), "" if forms else _signs(name)


def _parts(name: str) -> Iterator[str]:
    """Yield what of a name stands for it: titles in brackets, with or without their articles."""
    for inner in _BRACKETS.findall(name):
        other = _KNOWN_AS.sub("", inner)
        if not other.strip().isdigit():
            yield from _titles(other)
    yield from _titles(_bare(name))


def _titles(bare: str) -> Iterator[str]:
    """Yield a title as it is, with its article in front, without it, and up to its colon."""
    head = _HEAD.match(bare)
    for each in (bare, head[1]) if head else (bare,):
        yield each
        turned = _TRAILING.match(each)
        if turned:
            yield turned[1]
            yield f"{turned[2]} {turned[1]}"
        led = _LEADING.match(each)
        if led:
            yield led[1]


def _bare(name: str) -> str:
    """Return a name without what stands in brackets at its end."""
    return _BRACKETED.sub("", name).strip() or name


def _signs(name: str) -> str:
    """Return a name without words, if there is more to it than one mark of punctuation."""
    bare = _clean(name).strip()
    mark = len(bare) == 1 and unicodedata.category(bare)[0] == "P"
    return "" if mark else bare


def _named(text: str, name: str) -> bool:
    """Whether a text writes a name with its capitals where no sentence begins."""
    bare = _bare(unicodedata.normalize("NFKC", name))
    if bare == bare.lower():
        return False
    within = rf"(?<=[^\W_])[ ,;:]+[\"'“‘«(]*{re.escape(bare)}(?![^\W_])"
    return re.search(within, unicodedata.normalize("NFKC", text)) is not None


@lru_cache(maxsize=1 << 12)
def _joined(text: str) -> str:
    return f" {' '.join(_pieces(text))} "


def _pieces(text: str) -> list[str]:
    return _PIECE.findall(_clean(text))


def _clean(text: str) -> str:
    """Return a text as it is compared: one form for each letter, nothing that is not seen."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    folded = folded.translate(_CONTROL)
    if folded.isascii():
        return folded
    seen = "".join(c for c in folded if unicodedata.category(c) != "Cf")
    return _WORD.sub(_one_script, _UNSEEN.sub("", seen))


def _one_script(word: re.Match[str]) -> str:
    """Return a word with what only looks like Latin letters as those, if it has any of these."""
    return word[0].translate(_ALIKE) if _MIXED.search(word[0]) else word[0]
