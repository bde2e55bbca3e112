"""Keywords: the words of a text that tell most, as they are written there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from lamina.recall.analysis import terms
from lamina.strategies.atomrec.catalogue import Catalogue

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]")
_FUNCTION = (
    "about above across after again against all almost along already also although always among "
    "another any anybody anyone anything around away back because been before began behind being "
    "below beside besides between beyond both came can cannot come could did does doing done down "
    "during each either else enough even ever every everybody everyone everything few first for "
    "from gave get gets give given gives goes going gone got had has have having here how however "
    "if in inside instead into its itself just last least less like made make makes many may "
    "maybe might more most much must near nearly neither never next no nobody none nor not "
    "nothing now off often once one only onto or other others ours out outside over own per "
    "perhaps put quite rather really said same say says see seem seems seen several shall should "
    "since so some somebody someone something sometimes still such take taken takes than that "
    "their theirs them themselves then there these they thing things this those though through "
    "thus till to together too took toward towards under until up upon us used very via was well "
    "went were what whatever when where whether which while who whole whom whose why will with "
    "within without would yet you your yours "
)
FUNCTION_WORDS = frozenset(_FUNCTION.split())
"""English words that say how others hang together: none is a keyword, however rare it is."""
_TITLED = "a an and at by el in la las le les los miss mr mrs ms of on st the to un une"
_SMALL = frozenset(_TITLED.split())
"""Words of titles that tell nothing by themselves."""
_CHINESE_FUNCTION = frozenset("的了是很在也都就这那我你您他她它们吗呢吧啊与及把被太再又")
"""Characters that say how others hang together: a piece of text with one is cut up wrongly."""
LONGEST_READ = 4000
"""Characters of a text that are looked at."""
LONGEST_KEYWORD = 40
"""Characters of a keyword."""
_COMMON = 0.5
"""The weight of what occurs in three of five descriptions, ln 5/3."""


def keywords(text: str, catalogue: Catalogue, by: int, most: int) -> tuple[str, ...]:
    """Return the words that tell most, the most telling first; of equals the first in the text.

    A word weighs as often as it occurs times what its term tells in the catalogue. Numbers, and
    what occurs in most descriptions, are none.

    Args:
        text: Where to choose from.
        catalogue: What terms tell.
        by: Microseconds: only descriptions known by then count.
        most: How many at most.
    """
    counted: dict[str, tuple[str, int]] = {}
    for word, term in _words(text[:LONGEST_READ]):
        first, count = counted.get(term, (word, 0))
        counted[term] = (first, count + 1)
    weighed = [
        (word, count * weight)
        for term, (word, count) in counted.items()
        if (weight := catalogue.weight(term, by)) > _COMMON or not catalogue.size(by)
    ]
    weighed.sort(key=lambda pair: -pair[1])
    return tuple(dict.fromkeys(word for word, _ in weighed[:most]))


def _words(text: str) -> Iterator[tuple[str, str]]:
    """Yield each word that can be a keyword, and its term."""
    for found in _WORD.finditer(text):
        yield from _cut(found.group())


@lru_cache(maxsize=1 << 15)
def _cut(piece: str) -> tuple[tuple[str, str], ...]:
    if len(piece) > 4 * LONGEST_KEYWORD or piece[0].isdigit():
        return ()
    if _UNSPACED.search(piece):
        return tuple((term, term) for term in terms(piece) if 2 <= len(term) <= LONGEST_KEYWORD)
    found = terms(piece)
    if len(found) != 1 or len(piece) < 2 or piece.casefold() in FUNCTION_WORDS:
        return ()
    return ((piece.lower()[:LONGEST_KEYWORD], found[0]),)


def telling(word: str) -> bool:
    """Whether a folded word says something by itself.

    >>> telling("heist"), telling("mrs"), telling("喜剧"), telling("很喜")
    (True, False, True, False)
    """
    small = word in FUNCTION_WORDS or word in _SMALL
    return not small and not _CHINESE_FUNCTION.intersection(word)


def folded(words: Iterable[str]) -> frozenset[str]:
    """Return words as they are compared."""
    return frozenset(word.casefold() for word in words)


def joined(*parts: Iterable[str], most: int) -> tuple[str, ...]:
    """Return the first words of some lists, each once whatever its case."""
    kept: dict[str, str] = {}
    for part in parts:
        for word in part:
            if word.strip():
                kept.setdefault(word.strip().casefold(), word.strip())
    return tuple(kept.values())[:most]
