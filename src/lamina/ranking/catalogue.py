"""What items are, as arrays: words weighted by how rare they are, numbers by their spread."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from lamina.items import Item
from lamina.ranking.histories import Floats, sums
from lamina.ranking.vocabulary import Vocabulary, vocabulary
from lamina.ranking.wording import folded, singular
from lamina.recall.analysis import STOP_WORDS, terms

CATEGORY = "category "
"""Before the name of a category, in lower case, where it is a term."""
LONGEST = 300
"""Terms of one item that count, the first: a description may be a whole blurb."""
GREATEST = sys.float_info.max
"""A whole number may be greater; then it says nothing."""
CLOSE = 8.0
"""Numbers are close that differ by less than the middle half's width divided by this."""
_WORD = re.compile(r"\w+")


def cut_up(text: str) -> list[str]:
    """Return the words of a text that say something, in one form; fifty times as fast as `terms`.

    English words lose the ending of the plural alone; others are cut up by `terms`.

    >>> cut_up("The Matrix: Robots, 1999")
    ['matrix', 'robot', '1999']
    """
    return [
        term
        for word in _WORD.findall(folded(text))
        if word not in STOP_WORDS
        for term in ([singular(word)] if word.isascii() else terms(word))
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What one item's description says, cut up."""

    item: Item
    terms: tuple[str, ...]
    """Of its title, tags and description, and its categories, each as one."""
    categories: tuple[str, ...]
    numbers: tuple[tuple[str, float], ...]
    """Attributes that are numbers, by name."""


def words(item: Item) -> Words:
    """Return what an item's description says."""
    categories = tuple(f"{CATEGORY}{name.casefold()}" for name in item.categories)
    said = cut_up(". ".join((item.title, *item.tags, item.description)))
    return Words(
        item=item,
        terms=(*categories, *said[:LONGEST]),
        categories=categories,
        numbers=tuple(
            (name, float(value))
            for name, value in item.attributes.items()
            if isinstance(value, int | float)
            and not isinstance(value, bool)
            and abs(value) <= GREATEST
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bags:
    """Rows of weighted terms, each of unit length, or empty."""

    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    values: Floats
    """Shape (z,), sorted by row."""
    starts: NDArray[np.intp]
    vocabulary: dict[str, int]
    rarity: Floats
    """Shape (terms,): log(documents / documents with the term)."""

    def mean(self, chosen: Sequence[int] | NDArray[np.int32]) -> Floats:
        """Return the mean of some rows, of unit length; zeros if there is nothing in them."""
        return _unit(self.total(chosen))

    def total(self, chosen: Sequence[int] | NDArray[np.int32]) -> Floats:
        """Return the sum of some rows, shape (terms,)."""
        found = np.zeros(len(self.vocabulary))
        for row in chosen:
            part = slice(self.starts[row], self.starts[row + 1])
            found[self.columns[part]] += self.values[part]
        return found

    def query(self, said: Iterable[str]) -> Floats:
        """Return the terms of a text as `mean` does, weighted alike; unknown terms are left out."""
        found = np.zeros(len(self.vocabulary))
        for term, count in Counter(said).items():
            if (column := self.vocabulary.get(term)) is not None:
                found[column] = count * self.rarity[column]
        return _unit(found)

    def cosines(self, query: Floats, chosen: NDArray[np.intp]) -> Floats:
        """Return the cosine of some rows with a query of unit length, in [0, 1]."""
        begins = self.starts[chosen]
        sizes = self.starts[chosen + 1] - begins
        ends = np.cumsum(sizes)
        places = np.repeat(begins - ends + sizes, sizes) + np.arange(int(sizes.sum()))
        shares = self.values[places] * query[self.columns[places]]
        return sums(np.repeat(np.arange(len(chosen)), sizes), shares, len(chosen))


def bags(documents: Sequence[Sequence[str]]) -> Bags:
    """Return documents as rows: a term weighs its count times log(documents / those with it)."""
    counts = [Counter(document) for document in documents]
    within = Counter(term for each in counts for term in each)
    vocabulary = {term: i for i, term in enumerate(within)}
    described = sum(1 for each in counts if each)
    rarity = np.log(described / np.array(list(within.values()), dtype=np.float64))
    sizes = np.array([len(each) for each in counts], dtype=np.intp)
    rows = np.repeat(np.arange(len(counts)), sizes)
    columns = np.array([vocabulary[term] for each in counts for term in each], dtype=np.intp)
    values = np.array([n for each in counts for n in each.values()], dtype=np.float64)
    values = values * rarity[columns] if len(columns) else values
    lengths = np.sqrt(sums(rows, values**2, len(counts)))
    values = values / np.where(lengths > 0, lengths, 1.0)[rows]
    starts = np.zeros(len(counts) + 1, dtype=np.intp)
    np.cumsum(sizes, out=starts[1:])
    return Bags(
        rows=rows, columns=columns, values=values, starts=starts,
        vocabulary=vocabulary, rarity=rarity,
    )  # fmt: skip


def _unit(found: Floats) -> Floats:
    length = float(np.linalg.norm(found))
    return found / length if length > 0 else found


@dataclass(frozen=True, eq=False, kw_only=True)
class Catalogue:
    """The descriptions of all items of a graph at one moment; i items, as in `Graph.items`."""

    described: tuple[Words | None, ...]
    """`None`: nothing is said of it."""

    @cached_property
    def texts(self) -> Bags:
        """Return all that is said of each."""
        return bags([() if each is None else each.terms for each in self.described])

    @cached_property
    def kinds(self) -> Bags:
        """Return what each is counted among."""
        return bags([() if each is None else each.categories for each in self.described])

    @cached_property
    def numbers(self) -> Floats:
        """Return shape (names, i): attributes in units of what is close; NaN where untold.

        Only attributes that at least two items have and that differ between items.
        """
        found: dict[str, Floats] = {}
        for at, each in enumerate(self.described):
            for name, value in each.numbers if each is not None else ():
                found.setdefault(name, np.full(len(self.described), np.nan))[at] = value
        scaled = [_in_units(values) for _, values in sorted(found.items())]
        kept = [values for values in scaled if values is not None]
        return np.array(kept).reshape(len(kept), len(self.described))

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """Return what each says in words and numbers."""
        return vocabulary([None if each is None else each.item for each in self.described])

    def closeness(self, candidates: NDArray[np.intp], chosen: NDArray[np.int32]) -> Floats:
        """Return mean over attributes, over `chosen`, of exp(-distance); what is untold adds 0."""
        if not len(self.numbers) or not len(chosen):
            return np.zeros(len(candidates))
        apart = np.abs(self.numbers[:, candidates, None] - self.numbers[:, None, chosen])
        close: Floats = np.nan_to_num(np.exp(-apart)).mean(axis=(0, 2))
        return close


def _in_units(values: Floats) -> Floats | None:
    told = values[np.isfinite(values)]
    low, high = np.quantile(told, (0.25, 0.75))
    width = (high - low) or float(np.ptp(told))
    return values * (CLOSE / width) if width > 0 else None
