"""Which names a text that is shared gives away: titles, ids of items, ids of users."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from lamina.recall.analysis import STOP_WORDS
from lamina.recall.scripts import LETTERS

_UNSPACED = "".join(LETTERS[script] for script in ("han", "kana", "thai", "southeast"))
_PIECE = re.compile(rf"[{_UNSPACED}]|(?:(?![{_UNSPACED}])[^\W_])+")
"""A character of a script that sets no words apart, or a word or number of another."""
_BRACKETED = re.compile(r"\s*\(([^()]*)\)\s*$")
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
_COMMON = STOP_WORDS | frozenset(_SMALL.split())


def leaked(text: str, names: Sequence[str], allowed: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the names that a text gives away, in the order of `names`, each once.

    Both sides are compared word by word, whatever their case, width and punctuation; accents count.
    Where a script sets no words apart, a name is found within them. A title is found as well
    without its year, with its article elsewhere or left out, and by what stands before its colon.

    A name of words that every text has ("It", "Her") is only found where the text writes it as a
    name: with its capitals, after another word. One that has only words of `allowed` is not found.

    Args:
        text: What is to be shared.
        names: Titles and ids.
        allowed: Words that may be said although they are names, such as categories.
    """
    words = _joined(text)
    may = frozenset(piece for each in allowed for piece in _pieces(each))
    return tuple(dict.fromkeys(name for name in names if _gives_away(text, words, name, may)))


def _gives_away(text: str, words: str, name: str, may: frozenset[str]) -> bool:
    for sought in _forms(name):
        pieces = sought.split()
        if may.issuperset(pieces):
            continue
        if f" {sought} " in words and not (_COMMON.issuperset(pieces) and not _named(text, name)):
            return True
    return bool(_signs(name)) and _signs(name) in _clean(text)


@lru_cache(maxsize=1 << 16)
def _forms(name: str) -> tuple[str, ...]:
    """Return the ways in which a name may be told, as their pieces with blanks between."""
    whole, *others = [" ".join(_pieces(each)) for each in _ways(_clean(name))]
    telling = (each for each in others if not _COMMON.issuperset(each.split()))
    return tuple(dict.fromkeys(each for each in (whole, *telling) if each))


def _ways(name: str) -> Iterator[str]:
    yield name
    bare = name
    while found := _BRACKETED.search(bare):
        bare = bare[: found.start()]
        if not found[1].strip().isdigit():
            yield from _titles(found[1])
    yield from _titles(bare)


def _titles(bare: str) -> Iterator[str]:
    """Yield a title as it is, with its article in front, without it, and up to its colon."""
    for each in (bare, *(found[1] for found in [_HEAD.match(bare)] if found)):
        yield each
        turned = _TRAILING.match(each)
        if turned:
            yield turned[1]
            yield f"{turned[2]} {turned[1]}"
        led = _LEADING.match(each)
        if led:
            yield led[1]


@lru_cache(maxsize=1 << 16)
def _signs(name: str) -> str:
    """Return a name that has no words at all, if there is more to it than one mark."""
    bare = _clean(name).strip()
    if _pieces(bare) or (len(bare) == 1 and unicodedata.category(bare)[0] == "P"):
        return ""
    return bare


def _named(text: str, name: str) -> bool:
    """Whether a text writes a name with its capitals where no sentence begins."""
    bare = _BRACKETED.sub("", unicodedata.normalize("NFKC", name)).strip()
    if bare == bare.lower():
        return False
    within = rf"(?<=[^\W_])[ ,;:]+[\"'“‘«(]*{re.escape(bare)}(?![^\W_])"
    return re.search(within, unicodedata.normalize("NFKC", text)) is not None


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
