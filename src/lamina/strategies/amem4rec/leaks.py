"""Which names a text that is shared gives away: titles, ids of items, ids of users."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
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
_COMMON = STOP_WORDS | frozenset(_SMALL.split())


def leaked(text: str, names: Sequence[str], allowed: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the names that a text gives away, in the order of `names`, each once.

    Both sides are compared word by word, whatever their case, width and punctuation; accents count.
    Where a script sets no words apart, a name is found within them. A title is found as well
    without its year, with its article elsewhere or left out, by what stands before its colon, and
    if it is long by five words of it in a row.

    A name of words that every text has ("It", "Her") is only found where the text writes it as a
    name: with its capitals, after another word. One that has only words of `allowed` is not found.

    Args:
        text: What is to be shared.
        names: Titles and ids.
        allowed: Words that may be said although they are names, such as categories.
    """
    words = _joined(text)
    may = frozenset(piece for each in allowed for piece in _pieces(each))
    found = (name for name in names if _gives_away(text, words, name, may))
    return tuple(dict.fromkeys(found))


def _gives_away(text: str, words: str, name: str, may: frozenset[str]) -> bool:
    forms, signs = _sought(name)
    for form in forms:
        if (
            form.blanked in words
            and not may >= form.pieces
            and (form.telling or _named(text, name))
        ):
            return True
    return (bool(signs) and signs in _clean(text)) or _quoted(words, name, may)


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
    if folded.isascii():
        return folded
    return "".join(c for c in folded if unicodedata.category(c) != "Cf")
