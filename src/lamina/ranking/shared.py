"""What the patterns that users share say for each candidate, as numbers: a column a feature.

The patterns are those that were looked up for a user's recent history. What they say is set against
what the candidates are (`CONTENT`), which names nobody and no item; and who contributed to them
against what those did with the candidates (`MEMBERS`), from the recommender's own graph, of what
was done before the moment by those who may serve. As in `lamina.ranking.features` a candidate's
numbers do not depend on which others there are, and what is absent is 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from lamina.ranking.catalogue import Bags, cut_up
from lamina.ranking.features import ROUNDING, Asked, Features, with_self
from lamina.ranking.histories import Floats, Past, past, sums
from lamina.ranking.linked import places, vectors, visible

SAYS = MappingProxyType(
    {
        "shared_kinds": "Cosine of tf-idf of the item's categories with the patterns' keywords.",
        "shared_moves": "The same with the categories that the patterns name, the last most.",
        "shared_words": "Cosine of tf-idf: the item's words with those of the patterns.",
        "shared_meaning": "Mean cosine of the item with the patterns, by their weight.",
        "members": "Chosen by those who contribute to the patterns, over the root of n_j.",
        "members_next": "Chosen by them soon after what they contributed, over the root of n_j.",
        "members_kinds": "Cosine of tf-idf of the categories with those of what they chose then.",
    }
)
"""Each feature by name, and what it is; n_j: how many users had to do with item j."""
NAMES = tuple(SAYS)
CONTENT = NAMES[:4]
"""Those that need nothing but what patterns and candidates say."""
MEMBERS = NAMES[4:]
"""Those that tell what others did."""
NEXT = 5
"""How many of the items after it are soon after."""
FADING = 0.8
"""How much less what is one step further away says, in a history; and in a description, what is
named before something else."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Told:
    """A pattern as it was looked up for somebody who may see it."""

    weight: float
    """Its share among those looked up, in [0, 1]."""
    explanation: str
    description: str
    keywords: tuple[str, ...]
    vector: NDArray[np.float32]
    """Shape (dim,), unit length."""
    by: NDArray[np.intp]
    """Shape (s,), into the recommender's `Graph.users`: whose its parts are, a part each."""
    at: NDArray[np.int64]
    """Shape (s,), microseconds: when the last of what each part tells was done."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shared:
    """What was looked up for a user's recent history."""

    patterns: tuple[Told, ...]
    """Weightiest first; may be none."""
    query: NDArray[np.float32] | None = None
    """Shape (dim,), unit length: the recent history; `None` where nothing is known."""


def columns(asked: Asked, shared: Shared) -> Features:
    """Return what patterns say for each candidate, shape (c, `NAMES`).

    Where only some may serve, what at least `asked.least` contributors chose alike counts too: of
    either the greater number.
    """
    found = _columns(asked, shared)
    if asked.serving is not None and asked.least > 1:
        of_all = _columns(replace(asked, serving=None), shared)
        at = [NAMES.index(name) for name in MEMBERS]
        found[:, at] = np.maximum(found[:, at], of_all[:, at])
    return Features(values=found, names=NAMES)


def _columns(asked: Asked, shared: Shared) -> Floats:
    if not shared.patterns:
        return np.zeros((len(asked.candidates), len(NAMES)))
    found = _Found(asked, shared)
    return np.column_stack([getattr(found, name) for name in NAMES]).round(ROUNDING)


@dataclass(eq=False)
class _Found:
    """What is worked out for one ranking; each feature is a property of its name, shape (c,)."""

    asked: Asked
    shared: Shared

    @property
    def shared_kinds(self) -> Floats:
        kinds = self.asked.catalogue.kinds
        said = _mixed(kinds, ((each.weight, each.keywords) for each in self.shared.patterns))
        return kinds.cosines(said, self.asked.candidates)

    @property
    def shared_moves(self) -> Floats:
        kinds = self.asked.catalogue.kinds
        said = np.zeros(len(kinds.vocabulary))
        for each in self.shared.patterns:
            named = list(_named(each.description, kinds))[::-1]
            for back, column in enumerate(dict.fromkeys(named)):
                said[column] += each.weight * FADING**back * kinds.rarity[column]
        return kinds.cosines(_unit(said), self.asked.candidates)

    @property
    def shared_words(self) -> Floats:
        texts = self.asked.catalogue.texts
        said = np.zeros(len(texts.vocabulary))
        for each in self.shared.patterns:
            words = cut_up(" ".join((each.explanation, each.description, *each.keywords)))
            said += each.weight * texts.query([*map(_category, each.keywords), *words])
        return texts.cosines(_unit(said), self.asked.candidates)

    @property
    def shared_meaning(self) -> Floats:
        rows = self._candidate_rows
        found = np.zeros(len(rows))
        there = rows >= 0
        mean = sum(each.weight * each.vector.astype(np.float64) for each in self.shared.patterns)
        if there.any():
            found[there] = self.asked.graph.vectors[rows[there]].astype(np.float64) @ mean
        return found

    @property
    def members(self) -> Floats:
        return self._share(sums(self._past.of, self._belonging[self._past.by], self._items))

    @property
    def members_next(self) -> Floats:
        return self._share(self._followed)

    @property
    def members_kinds(self) -> Floats:
        kinds = self.asked.catalogue.kinds
        followed = self._followed
        said = np.zeros(len(kinds.vocabulary))
        np.add.at(said, kinds.columns, kinds.values * followed[kinds.rows])
        return kinds.cosines(_unit(said), self.asked.candidates)

    @cached_property
    def _candidate_rows(self) -> NDArray[np.intp]:
        asked = self.asked
        counts = visible(asked.graph, asked.t, with_self(asked))
        counts = counts if asked.rows is None else counts & asked.rows
        nothing = np.zeros(0, dtype=np.int32)
        return vectors(asked.graph, counts, -1, nothing).items[asked.candidates]

    @cached_property
    def _past(self) -> Past:
        return past(self.asked.graph, self.asked.t, self.asked.serving)

    @property
    def _items(self) -> int:
        return len(self.asked.graph.items)

    @cached_property
    def _user(self) -> int:
        return places(self.asked.graph).users.get(self.asked.user, -1)

    @cached_property
    def _belonging(self) -> Floats:
        """Return shape (users,): how far each belongs to the patterns; the user asked for not.

        Of each pattern the contributors have its weight in equal parts.
        """
        found = np.zeros(len(self.asked.graph.users))
        for each in self.shared.patterns:
            who = np.unique(each.by[(each.by >= 0) & (each.by != self._user)])
            found[who] += each.weight / max(len(who), 1)
        return found

    @cached_property
    def _parts(self) -> tuple[NDArray[np.intp], NDArray[np.int64], Floats]:
        """Return whose the others' parts are, when each was done, and what it counts, shape (s,).

        Of each pattern all parts count its weight together, in equal parts.
        """
        every = [(np.zeros(0, np.intp), np.zeros(0, np.int64), np.zeros(0))]
        for each in self.shared.patterns:
            others = (each.by >= 0) & (each.by != self._user)
            count = int(others.sum())
            shares = np.full(count, each.weight / max(count, 1))
            every.append((each.by[others], each.at[others], shares))
        by, at, shares = (np.concatenate(parts) for parts in zip(*every, strict=True))
        return by, at, shares

    @cached_property
    def _followed(self) -> Floats:
        """Return shape (items,): how often each came soon after a part, by weight and nearness."""
        by, at, shares = self._parts
        h = self._past.histories
        places = h.after(by, at)[:, None] + np.arange(NEXT)
        rows = (
            h.by_user[np.minimum(places, max(len(h.by_user) - 1, 0))] if len(h.by_user) else places
        )
        there = (places < h.user_starts[by + 1][:, None]) & (rows < self._past.until)
        fading = np.broadcast_to(FADING ** np.arange(NEXT), places.shape)
        return sums(h.of[rows[there]], (shares[:, None] * fading)[there], self._items)

    def _share(self, values: Floats) -> Floats:
        """Return the candidates' share of the greatest, over the root of how many chose each."""
        values = self._supported(values) / np.sqrt(self._past.reach)
        high = float(values.max(initial=0.0))
        return values[self.asked.candidates] / (high if high > 0 else 1.0)

    def _supported(self, values: Floats) -> Floats:
        """Return values, 0 where too few contributors chose an item for all to be told."""
        if self.asked.serving is not None or self.asked.least <= 1:
            return values
        counts = sums(
            self._past.of, (self._belonging > 0)[self._past.by].astype(float), self._items
        )
        return np.where(counts >= self.asked.least, values, 0.0)


def _mixed(bags: Bags, said: Iterator[tuple[float, tuple[str, ...]]]) -> Floats:
    """Return categories by weight, of unit length; those that no item has are left out."""
    found = np.zeros(len(bags.vocabulary))
    for weight, words in said:
        found += weight * bags.query(map(_category, words))
    return _unit(found)


def _category(word: str) -> str:
    return f"category {word.casefold()}"


def _named(text: str, kinds: Bags) -> Iterator[int]:
    """Yield the columns of the categories that a text names, in its order."""
    folded = text.casefold()
    places_ = []
    for term, column in kinds.vocabulary.items():
        name = term.removeprefix("category ")
        at = folded.rfind(name)
        if name and at >= 0:
            places_.append((at, column))
    yield from (column for _, column in sorted(places_))


def _unit(found: Floats) -> Floats:
    length = float(np.linalg.norm(found))
    return found / length if length > 0 else found
