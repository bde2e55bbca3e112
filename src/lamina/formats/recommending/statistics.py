"""What a set of data is like, counted while it is read: 30 bytes an interaction are kept."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

import numpy as np

from lamina.formats.recommending.records import ORDER_ONLY, Fault, Read
from lamina.items import Interaction, Item
from lamina.model import Value
from lamina.times import DAY, from_micros, to_micros

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_RATINGS = 20
"""How many different ratings are counted one by one; if there are more, they are put in bins."""
BINS = 10
MOST_FAULTS = 20
"""How many lines that cannot be read are named; all are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantiles(Value):
    """How numbers are spread."""

    least: float
    quarter: float
    median: float
    three_quarters: float
    nine_tenths: float
    most: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics(Value):
    """What a set of data is like."""

    users: int = 0
    """With interactions."""
    items: int = 0
    """Described or interacted with."""
    interactions: int = 0
    density: float = 0.0
    """Which share of all pairs of a user and an item has an interaction."""
    per_user: Quantiles | None = None
    """Interactions a user."""
    per_item: Quantiles | None = None
    """Interactions an item, of the items that have any."""
    actions: Mapping[str, int] = field(default_factory=dict)
    """How often each was done, most often first."""
    ratings: Mapping[str, int] = field(default_factory=dict)
    """How often each was given, lowest first; in ten bins, where there are more than 20."""
    unrated: int = 0
    """Interactions without a rating."""
    first_at: datetime | None = None
    last_at: datetime | None = None
    order_only: int = 0
    """Interactions whose time is made up, because the data tell only an order."""
    last_two_tie: float = 0.0
    """Share of the users with at least two interactions whose last two have the same time."""
    within_one_day: float = 0.0
    """Share of the users whose first and last interaction lie within 24 hours."""
    duplicates: int = 0
    """Interactions that are equal to an earlier one in all that counts: they are one."""
    repeated: int = 0
    """Interactions of a user with an item that they had one with before, duplicates among them."""
    without_words: int = 0
    """Items of which neither title nor description is told."""
    faults: int = 0
    """Lines that could not be read."""
    faulty: tuple[Fault, ...] = ()
    """The first of these."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """Interactions as arrays, in any order. Each has shape (n,)."""

    users: NDArray[np.integer]
    """Numbers, each of a user."""
    items: NDArray[np.integer]
    at: NDArray[np.int64]
    """Microseconds."""
    ratings: NDArray[np.floating]
    """NaN where there is none."""
    actions: Mapping[str, int]


class Tally:
    """Counts what is read."""

    def __init__(self, most_faults: int = MOST_FAULTS) -> None:
        """Name at most so many lines that cannot be read."""
        self._most_faults = most_faults
        self._users: dict[str, int] = {}
        self._items: dict[str, int] = {}
        self._told: set[int] = set()
        self._actions: Counter[str] = Counter()
        self._by, self._of = array("i"), array("i")
        self._at, self._same = array("q"), array("q")
        self._ratings = array("d")
        self._order_only = 0
        self._faults, self._faulty = 0, list[Fault]()

    def add(self, read: Read) -> None:
        """Count an item, an interaction, or a line that could not be read."""
        if isinstance(read, Interaction):
            self._interaction(read)
        elif isinstance(read, Item):
            number = self._items.setdefault(read.id, len(self._items))
            if read.title or read.description:
                self._told.add(number)
        else:
            self._faults += 1
            if len(self._faulty) < self._most_faults:
                self._faulty.append(read)

    @property
    def items(self) -> int:
        """How many different items there were."""
        return len(self._items)

    @property
    def interactions(self) -> int:
        """How many interactions there were."""
        return len(self._at)

    def statistics(self) -> Statistics:
        """Return what was counted."""
        columns = Columns(
            users=np.frombuffer(self._by, np.int32),
            items=np.frombuffer(self._of, np.int32),
            at=np.frombuffer(self._at, np.int64),
            ratings=np.frombuffer(self._ratings, np.float64),
            actions=self._actions,
        )
        return statistics(
            columns,
            items=len(self._items),
            told=len(self._told),
            order_only=self._order_only,
            duplicates=_repeated(np.frombuffer(self._same, np.int64)),
            faults=self._faults,
            faulty=tuple(self._faulty),
        )

    def _interaction(self, done: Interaction) -> None:
        at = to_micros(done.at)
        self._by.append(self._users.setdefault(done.user, len(self._users)))
        self._of.append(self._items.setdefault(done.item, len(self._items)))
        self._at.append(at)
        self._ratings.append(float("nan") if done.rating is None else done.rating)
        self._same.append(
            hash((done.id, done.user, done.item, at, done.action, done.rating, done.text))
        )
        self._actions[done.action] += 1
        self._order_only += ORDER_ONLY in done.metadata


def statistics(
    columns: Columns,
    *,
    items: int,
    told: int,
    order_only: int = 0,
    duplicates: int = 0,
    faults: int = 0,
    faulty: tuple[Fault, ...] = (),
) -> Statistics:
    """Return what interactions are like.

    Args:
        columns: The interactions.
        items: How many items there are, with interactions or not.
        told: Of how many of these a title or a description is told.
        order_only: How many of the interactions have a time that is made up.
        duplicates: How many fell together with an earlier one.
        faults: How many lines could not be read.
        faulty: The first of these.
    """
    counts = _counts(columns.users)
    pairs = columns.users.astype(np.int64) * (max(items, 1)) + columns.items
    rated = columns.ratings[~np.isnan(columns.ratings)]
    there = len(columns.at) > 0
    tie, day = _habits(columns)
    return Statistics(
        users=len(counts),
        items=items,
        interactions=len(columns.at),
        density=len(np.unique(pairs)) / (len(counts) * items) if there and items else 0.0,
        per_user=_quantiles(counts),
        per_item=_quantiles(_counts(columns.items)),
        actions=dict(Counter(columns.actions).most_common()),
        ratings=_histogram(rated),
        unrated=len(columns.at) - len(rated),
        first_at=from_micros(int(columns.at.min())) if there else None,
        last_at=from_micros(int(columns.at.max())) if there else None,
        order_only=order_only,
        last_two_tie=tie,
        within_one_day=day,
        duplicates=duplicates,
        repeated=_repeated(pairs),
        without_words=items - told,
        faults=faults,
        faulty=faulty,
    )


def _counts(of: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return how often each number occurs that does."""
    found: NDArray[np.int64] = np.unique(of, return_counts=True)[1]
    return found


def _repeated(of: NDArray[np.int64]) -> int:
    return len(of) - len(np.unique(of))


def _quantiles(counts: NDArray[np.int64]) -> Quantiles | None:
    if not len(counts):
        return None
    found = map(float, np.quantile(counts, (0, 0.25, 0.5, 0.75, 0.9, 1)))
    return Quantiles(**dict(zip(Quantiles.__dataclass_fields__, found, strict=True)))


def _habits(columns: Columns) -> tuple[float, float]:
    """Return the share of users whose last two tie, and of those whose all lie within a day."""
    if not len(columns.at):
        return 0.0, 0.0
    order = np.lexsort((columns.at, columns.users))
    users, at = columns.users[order], columns.at[order]
    starts = np.flatnonzero(np.r_[True, users[1:] != users[:-1]])
    last = np.r_[starts[1:], len(at)] - 1
    several = last > starts
    tied = at[last[several]] == at[last[several] - 1]
    within = at[last] - at[starts] <= DAY
    return float(tied.mean()) if several.any() else 0.0, float(within.mean())


def _histogram(rated: NDArray[np.floating]) -> dict[str, int]:
    values, counts = np.unique(rated, return_counts=True)
    if len(values) <= MOST_RATINGS:
        return {f"{value:g}": int(count) for value, count in zip(values, counts, strict=True)}
    counts, edges = np.histogram(rated, BINS)
    return {
        f"{low:g} to {high:g}": int(count)
        for low, high, count in zip(edges[:-1], edges[1:], counts, strict=True)
    }
