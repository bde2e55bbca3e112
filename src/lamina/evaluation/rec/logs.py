"""What is evaluated on: who did what with which item and when, and what the items are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lamina.evaluation.rec.chance import mixed, number, numbers

Rows = NDArray[np.int64]
"""Indexes of rows of a log."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Catalogue:
    """What the items are. Nothing in it depends on time."""

    items: tuple[str, ...]
    """Ids."""
    titles: tuple[str, ...]
    categories: tuple[tuple[str, ...], ...]
    texts: tuple[str, ...]
    """All that is said of each, in words."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Log:
    """r interactions in order of time. Those at once are in an order that a hash decides."""

    users: tuple[str, ...]
    """Ids."""
    catalogue: Catalogue
    """Of the items with interactions."""
    by: NDArray[np.int32]
    """Shape (r,), index into `users`."""
    of: NDArray[np.int32]
    """Shape (r,), index into the catalogue."""
    at: NDArray[np.int64]
    """Shape (r,), microseconds."""
    ratings: NDArray[np.float32]
    """Shape (r,), NaN where none was given."""
    clocked: bool = True
    """False: `at` is an order and no time, so nothing can be said across users."""
    repeats: int = 0
    """Rows that were left out because they say the same as another one."""

    @property
    def keys(self) -> tuple[str, ...]:
        """A name for each row: user, item and time."""
        users, items = self.users, self.catalogue.items
        each = zip(self.by.tolist(), self.of.tolist(), self.at.tolist(), strict=True)
        return tuple(f"{users[u]}\x1f{items[i]}\x1f{t}" for u, i, t in each)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One interaction as it was read."""

    user: str
    item: str
    at: int
    """Microseconds."""
    rating: float = float("nan")


def ordered(
    rows: Sequence[Row], catalogue: Catalogue, *, seed: int = 0, clocked: bool = True
) -> Log:
    """Return a log of `rows`: by time, those at once by hash; what is said twice counts once.

    Args:
        rows: In any order.
        catalogue: Items without rows are left out.
        seed: Of the order of what was done at once.
        clocked: Whether the times are times.
    """
    users = tuple(dict.fromkeys(row.user for row in rows))
    live = {row.item for row in rows}
    kept = _of_items(catalogue, live)
    user_index = {user: n for n, user in enumerate(users)}
    item_index = {item: n for n, item in enumerate(kept.items)}
    by = np.fromiter((user_index[row.user] for row in rows), np.int32, len(rows))
    of = np.fromiter((item_index[row.item] for row in rows), np.int32, len(rows))
    at = np.fromiter((row.at for row in rows), np.int64, len(rows))
    ratings = np.fromiter((row.rating for row in rows), np.float32, len(rows))
    chance = mixed(mixed(numbers(users), number("order", seed))[by], 0) ^ numbers(kept.items)[of]
    order = np.lexsort((mixed(chance, seed), at))
    once = _first_of_each(by[order], of[order], at[order])
    order = order[once]
    return Log(
        users=users,
        catalogue=kept,
        by=by[order],
        of=of[order],
        at=at[order],
        ratings=ratings[order],
        clocked=clocked,
        repeats=len(rows) - len(order),
    )


def _of_items(catalogue: Catalogue, live: set[str]) -> Catalogue:
    """Return the catalogue of `live` alone; what it does not describe comes last, bare."""
    known = [n for n, item in enumerate(catalogue.items) if item in live]
    bare = sorted(live.difference(catalogue.items), key=lambda item: (len(item), item))
    return Catalogue(
        items=(*(catalogue.items[n] for n in known), *bare),
        titles=(*(catalogue.titles[n] for n in known), *("" for _ in bare)),
        categories=(*(catalogue.categories[n] for n in known), *(() for _ in bare)),
        texts=(*(catalogue.texts[n] for n in known), *("" for _ in bare)),
    )


def _first_of_each(
    by: NDArray[np.int32], of: NDArray[np.int32], at: NDArray[np.int64]
) -> NDArray[np.bool_]:
    triples = np.stack([by, of, at], axis=1)
    _, firsts = np.unique(triples, axis=0, return_index=True)
    mask = np.zeros(len(by), dtype=bool)
    mask[firsts] = True
    return mask
