"""What the patterns that users share say for each candidate, as numbers: a column a feature.

The patterns are those that were looked up for a user's recent history. What they say is set against
what the candidates are (`CONTENT`), which names nobody and no item; and who contributed to them
against what those did with the candidates (`MEMBERS`), from the recommender's own graph, of what
was done before the moment by those who may serve. As in `lamina.ranking.features` a candidate's
numbers do not depend on which others there are, and what is absent is 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from lamina.ranking.catalogue import CATEGORY, Bags
from lamina.ranking.features import ROUNDING, Asked, Features, with_self
from lamina.ranking.histories import Floats, Past, past, sums
from lamina.ranking.linked import places, vectors, visible
from lamina.ranking.together import own

SAYS = MappingProxyType(
    {
        "shared_kinds": "Cosine of tf-idf of the item's categories with the patterns' keywords.",
        "shared_moves": "The same with the categories that the patterns name, the last most.",
        "shared_meaning": "Mean cosine of the item with the patterns, by their weight.",
        "members": "In the histories of those who contribute to the patterns and share items.",
        "members_next": "log(1 + how much more often than others they chose it soon after).",
    }
)
"""Each feature by name, and what it is."""
NAMES = tuple(SAYS)
CONTENT = NAMES[:3]
"""Those that need nothing but what patterns and candidates say."""
MEMBERS = NAMES[3:]
"""Those that tell what others did."""
NEXT = 5
"""How many of the items after it are soon after."""
FADING = 0.8
"""How much less what is one step further away says, in a history; and in a description, what is
named before something else."""
LATEST = 10
"""Items of the user that members share, the latest."""
USUAL = 0.3
"""Share of how often others chose it that an item, as one that members chose, begins with."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Told:
    """A pattern as it was looked up for somebody who may see it."""

    weight: float
    """Its share among those looked up, in [0, 1]."""
    explanation: str
    description: str
    keywords: tuple[str, ...]
    dislikes: bool = False
    """Whether it says that what it names is disliked: then its words speak for nothing."""
    vector: NDArray[np.float32]
    """Shape (dim,), unit length."""
    by: NDArray[np.intp]
    """Shape (s,), into the recommender's `Graph.users`: whose its parts are, a part each."""
    at: NDArray[np.int64]
    """Shape (s,), microseconds: when the last of what each part tells was done."""


def columns(asked: Asked, patterns: Sequence[Told]) -> Features:
    """Return what patterns say for each candidate, shape (c, `NAMES`).

    Where only some may serve, what at least `asked.least` contributors chose alike counts too: of
    either the greater number.

    Args:
        asked: What is ranked for whom.
        patterns: What was looked up for the user's recent history; may be none.
    """
    if not patterns:
        return Features(values=np.zeros((len(asked.candidates), len(NAMES))), names=NAMES)
    found = _Found(asked, patterns)
    values = np.column_stack([getattr(found, name) for name in NAMES])
    return Features(values=values.round(ROUNDING), names=NAMES)


@dataclass(eq=False)
class _Found:
    """What is worked out for one ranking; each feature is a property of its name, shape (c,)."""

    asked: Asked
    patterns: Sequence[Told]

    @cached_property
    def _speaking(self) -> list[Told]:
        """Return the patterns whose words speak for what they name."""
        return [each for each in self.patterns if not each.dislikes]

    @property
    def shared_kinds(self) -> Floats:
        kinds = self.asked.catalogue.kinds
        said = _mixed(kinds, ((each.weight, each.keywords) for each in self._speaking))
        return kinds.cosines(said, self.asked.candidates)

    @property
    def shared_moves(self) -> Floats:
        kinds = self.asked.catalogue.kinds
        said = np.zeros(len(kinds.vocabulary))
        for each in self._speaking:
            for back, column in enumerate(_named(each.description, kinds)):
                said[column] += each.weight * FADING**back * kinds.rarity[column]
        return kinds.cosines(_unit(said), self.asked.candidates)

    @property
    def shared_meaning(self) -> Floats:
        asked = self.asked
        counts = visible(asked.graph, asked.t, with_self(asked))
        counts = counts if asked.rows is None else counts & asked.rows
        nothing = np.zeros(0, dtype=np.int32)
        rows = vectors(asked.graph, counts, -1, nothing).items[asked.candidates]
        found = np.zeros(len(rows))
        mean = sum(each.weight * each.vector.astype(np.float64) for each in self._speaking)
        if self._speaking and (there := rows >= 0).any():
            found[there] = asked.graph.vectors[rows[there]].astype(np.float64) @ mean
        return found

    @property
    def members(self) -> Floats:
        return _greatest([each.members for each in self._sides])

    @property
    def members_next(self) -> Floats:
        return _greatest([each.next for each in self._sides])

    @cached_property
    def _sides(self) -> list[_Members]:
        """Return members who may serve; and all, where enough of them may."""
        asked = self.asked
        if asked.serving is None:
            return [_Members(asked, self.patterns, fewest=asked.least)]
        found = [_Members(asked, self.patterns, fewest=1)]
        if asked.least > 1:
            open_ = replace(asked, serving=None)
            found.append(_Members(open_, self.patterns, fewest=asked.least))
        return found


@dataclass(eq=False)
class _Members:
    """What those who contribute to patterns did."""

    asked: Asked
    patterns: Sequence[Told]
    fewest: int
    """How many of them must have chosen an item for that to be told."""

    @property
    def members(self) -> Floats:
        """Return sum over u with j of m_u s_u / sqrt(n_j), as a share of the greatest, shape (c,).

        m_u: the share of the parts of a pattern that are u's, by the patterns' weights; s_u = sum
        over the user's last 10 items that u had to do with, too, of 1 / sqrt(n_i).
        """
        past = self._past
        by, _, shares = self._parts
        belongs = sums(by, shares, past.histories.users) * self._sharing
        found = self._told(past.served(belongs), np.flatnonzero(belongs)) / np.sqrt(past.reach)
        high = float(found.max(initial=0.0))
        return found[self.asked.candidates] / (high if high > 0 else 1.0)

    @property
    def next(self) -> Floats:
        """Return log(1 + f_j / (USUAL F n_j / n)), shape (c,).

        f_j: how often j came soon after a part, by weight and nearness; F and n: of all items.
        """
        expected = USUAL * self._followed.sum() * self._usual
        chosen = self.asked.candidates
        there = np.where(expected[chosen] > 0, expected[chosen], 1.0)
        return np.log1p(self._followed[chosen] / there)

    @cached_property
    def _past(self) -> Past:
        return past(self.asked.graph, self.asked.t, self.asked.serving)

    @cached_property
    def _user(self) -> int:
        return places(self.asked.graph).users.get(self.asked.user, -1)

    @cached_property
    def _usual(self) -> Floats:
        """Return shape (items,): each item's share of all that was chosen."""
        return sums(self._past.of, None, self._past.histories.items) / max(len(self._past.of), 1)

    @property
    def _sharing(self) -> Floats:
        """Return shape (users,): how far each had to do with the user's last items."""
        asked = self.asked
        mine = own(past(asked.graph, asked.t, with_self(asked)), self._user).latest(LATEST)
        of = self._past.of
        weights = np.zeros(self._past.histories.items)
        weights[mine] = 1.0 / np.sqrt(self._past.reach[mine])
        return sums(self._past.by, weights[of], self._past.histories.users)

    @cached_property
    def _parts(self) -> tuple[NDArray[np.intp], NDArray[np.int64], Floats]:
        """Return whose the others' parts are, when each was done, and what it counts, shape (s,).

        The parts of a pattern count its weight together, in equal parts.
        """
        every = [(np.zeros(0, np.intp), np.zeros(0, np.int64), np.zeros(0))]
        for each in self.patterns:
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
        if not len(h.by):
            return np.zeros(h.items)
        steps = np.arange(NEXT)
        stand = h.after(by, at)[:, None] + steps
        rows = h.by_user[np.minimum(stand, len(h.by) - 1)]
        there = (stand < h.user_starts[by + 1][:, None]) & (rows < self._past.until)
        counted = np.broadcast_to(shares[:, None] * FADING**steps, stand.shape)
        found = sums(h.of[rows[there]], counted[there], h.items)
        return self._told(found, by)

    def _told(self, values: Floats, who: NDArray[np.intp]) -> Floats:
        """Return values of items, 0 where too few members chose one for that to be told."""
        if self.fewest <= 1:
            return values
        members = np.zeros(self._past.histories.users)
        members[who] = 1.0
        return np.where(self._past.served(members) >= self.fewest, values, 0.0)


def _greatest(found: Sequence[Floats]) -> Floats:
    greatest: Floats = np.max(np.stack(found), axis=0)
    return greatest


def _mixed(bags: Bags, said: Iterator[tuple[float, tuple[str, ...]]]) -> Floats:
    """Return categories by weight, of unit length; those that no item has are left out."""
    found = np.zeros(len(bags.vocabulary))
    for weight, words in said:
        found += weight * bags.query(map(_category, words))
    return _unit(found)


def _category(word: str) -> str:
    return f"{CATEGORY}{word.casefold()}"


def _named(text: str, kinds: Bags) -> list[int]:
    """Return the columns of the categories that a text names, the one it names last first."""
    folded = text.casefold()
    ends = [
        (folded.rfind(name), column)
        for term, column in kinds.vocabulary.items()
        if (name := term.removeprefix(CATEGORY))
    ]
    return [column for end, column in sorted(ends, reverse=True) if end >= 0]


def _unit(found: Floats) -> Floats:
    length = float(np.linalg.norm(found))
    return found / length if length > 0 else found
