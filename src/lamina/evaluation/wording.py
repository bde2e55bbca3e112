"""How near an answer's words are to the gold answer's: token F1 as LoCoMo's authors compute it."""

from __future__ import annotations

import re
import string
from collections import Counter
from functools import cache

from lamina.evaluation.datasets import Category

_SILENT = re.compile(r"\b(?:a|an|the|and)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)
_DENIALS = ("not mentioned", "no information available")


def tokens(text: str) -> list[str]:
    """Return the Porter stems of an answer's words, lower case, without punctuation and articles.

    SQuAD's normalisation (Rajpurkar et al. 2016); LoCoMo also drops "and" and stems.

    >>> tokens("The dogs, and a cat!")
    ['dog', 'cat']
    """
    plain = text.lower().translate(_PUNCTUATION)
    return [_stem(word) for word in _SILENT.sub(" ", plain).split()]


def overlap(answer: str, gold: str) -> float:
    """Return the harmonic mean of the precision and recall of the tokens, in [0, 1]."""
    said, right = tokens(answer), tokens(gold)
    same = (Counter(said) & Counter(right)).total()
    return 2.0 * same / (len(said) + len(right)) if same else 0.0


def token_f1(answer: str, gold: str, category: Category) -> float:
    """Return an answer's score by the rules of its category, in [0, 1].

    Multi-hop: each part of the gold answer, set apart by commas, takes its best part of the answer;
    open-domain: only what stands before the gold answer's first semicolon counts; adversarial: 1 if
    the answer says that it was not mentioned.
    """
    if category == "adversarial":
        return float(any(denial in answer.lower() for denial in _DENIALS))
    if category == "multi-hop":
        best = [
            max(overlap(part, right) for part in answer.split(",")) for right in gold.split(",")
        ]
        return sum(best) / len(best)
    if category == "open-domain":
        gold = gold.split(";")[0]
    return overlap(answer, gold)


@cache
def _stem(word: str) -> str:
    from snowballstemmer.porter_stemmer import PorterStemmer

    stem: str = PorterStemmer().stemWord(word)
    return stem
