"""What users did with items, as arrays that grow: the first part of a `Graph`."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from lamina.adapters.sqlite.growing import Grown
from lamina.adapters.sqlite.queries import load
from lamina.adapters.sqlite.words import unpack, unpack_maybe
from lamina.items import DESCRIBE

if TYPE_CHECKING:
    from numpy.typing import NDArray

SQL = load("graph")
ID_BYTES = 100
"""About how many bytes an id takes in memory."""


class Ids(Sequence[str]):
    """The first n of a list that is only ever added to: read as a tuple is, but not copied."""

    def __init__(self, whole: list[str]) -> None:
        """Take all that is in the list now."""
        self._whole = whole
        self._count = len(whole)

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, at: int) -> str: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[str, ...]: ...

    def __getitem__(self, at: int | slice) -> str | tuple[str, ...]:
        if isinstance(at, slice):
            return tuple([self._whole[i] for i in range(*at.indices(self._count))])
        if not -self._count <= at < self._count:
            raise IndexError(at)
        return self._whole[at % self._count]

    def __iter__(self) -> Iterator[str]:
        return islice(self._whole, self._count)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ids | tuple):
            return NotImplemented
        return tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


class Arranged(Ids):
    """The same in another order."""

    def __init__(self, whole: list[str], order: NDArray[np.int64]) -> None:
        """Take what is in the list now.

        Args:
            whole: Ids that are only ever added to.
            order: Shape (n,): which of the first n comes when.
        """
        super().__init__(whole)
        self._order = order

    @overload
    def __getitem__(self, at: int) -> str: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[str, ...]: ...

    def __getitem__(self, at: int | slice) -> str | tuple[str, ...]:
        if isinstance(at, slice):
            return tuple([self._whole[i] for i in self._order[at].tolist()])
        return self._whole[int(self._order[at])]

    def __iter__(self) -> Iterator[str]:
        return (self._whole[i] for i in self._order.tolist())


class Column:
    """One array that grows."""

    def __init__(self, dtype: Any, held: NDArray[Any] | Sequence[Any] = ()) -> None:
        self._rows = Grown(1, dtype)
        self.dtype = dtype
        if len(held):
            self.add(held)

    def add(self, values: NDArray[Any] | Sequence[Any]) -> None:
        """Add values at the end."""
        self._rows.add(np.asarray(values, self.dtype).reshape(-1, 1))

    @property
    def values(self) -> NDArray[Any]:
        """All there are now; it cannot be written."""
        return self._rows.view()[:, 0]

    @property
    def nbytes(self) -> int:
        """How many bytes it holds."""
        return self._rows.nbytes


class Names:
    """Users or items in the order they came, told by the numbers that the store gives them."""

    def __init__(self) -> None:
        self.ids: list[str] = []
        self._stored: list[str] = [""]  # by number, from 1
        self._places: dict[int, int] = {}

    def learn(self, tx: sqlite3.Connection, query: str, scope: int) -> None:
        """Read the names that were given since."""
        new = tx.execute(SQL[query], (scope, len(self._stored) - 1))
        self._stored += [unpack(name) for _, name in new]

    def meet(self, number: int | None) -> int:
        """Return the place of one that comes now, for the first time or again; -1 if none does."""
        if number is None:
            return -1
        place = self._places.get(number)
        if place is None:
            place = self._places[number] = len(self.ids)
            self.ids.append(self._stored[number])
        return place

    @property
    def nbytes(self) -> int:
        """About how many bytes it holds."""
        return 3 * ID_BYTES * len(self._stored)


class Deeds:
    """All interactions of a scope, in (said_at, position) order."""

    def __init__(self) -> None:
        self.users, self.items = Names(), Names()
        self.by, self.of = Column(np.int32), Column(np.int32)
        self.said_at, self.gone_at = Column(np.int64), Column(np.int64)
        self.ratings, self.actions = Column(np.float32), Column(np.int16)
        self._order = Column(np.int64)
        self._ids: list[str] = []  # as recorded
        self._action_names: dict[str, int] = {}

    @property
    def ids(self) -> Ids:
        """The ids of the messages."""
        return Arranged(self._ids, self._order.values)

    @property
    def action_names(self) -> tuple[str, ...]:
        """The names of the actions, in the order recorded."""
        return tuple(self._action_names)

    def extend(self, tx: sqlite3.Connection, scope: int, after: int) -> bool:
        """Read what was said of items after a position; return whether there was anything."""
        self.users.learn(tx, "new_users", scope)
        self.items.learn(tx, "new_items", scope)
        found = tx.execute(SQL["new_interactions"], (scope, after)).fetchall()
        if not found:
            return False
        self._add([self._placed(row) for row in found if not self._describes(row)])
        return True

    def _describes(self, row: Sequence[Any]) -> bool:
        """Whether a row tells what an item is; if so, it is met."""
        if row[7] != DESCRIBE:
            return False
        self.items.meet(row[3])
        return True

    def _placed(self, row: Sequence[Any]) -> tuple[Any, ...]:
        position, id_, speaker, item, said_at, gone_at, rating, action = row
        name = unpack_maybe(action) or ""
        number = self._action_names.setdefault(name, len(self._action_names))
        who, what = self.users.meet(speaker), self.items.meet(item)
        rated = math.nan if rating is None else rating
        return said_at, position, who, what, gone_at, rated, number, id_

    def _add(self, rows: list[tuple[Any, ...]]) -> None:
        if not rows:
            return
        rows.sort(key=lambda row: row[:2])
        known = self.said_at.values
        said_at, _, by, of, gone_at, ratings, actions, ids = zip(*rows, strict=True)
        order = range(len(known), len(known) + len(rows))
        columns = (said_at, by, of, gone_at, ratings, actions, order)
        self._ids += ids
        if len(known) and said_at[0] < known[-1]:
            self._insert(np.searchsorted(known, said_at, side="right"), columns)
            return
        for column, values in zip(self._columns, columns, strict=True):
            column.add(values)

    @property
    def _columns(self) -> tuple[Column, ...]:
        return (self.said_at, self.by, self.of, self.gone_at, self.ratings, self.actions,
                self._order)  # fmt: skip

    def _insert(self, before: NDArray[np.int64], columns: Sequence[Sequence[Any]]) -> None:
        """Let new rows stand before those that were done later; what was handed out stays.

        All that is there was recorded before them.
        """
        (self.said_at, self.by, self.of, self.gone_at, self.ratings, self.actions,
         self._order) = (
            Column(column.dtype, np.insert(column.values, before, values))
            for column, values in zip(self._columns, columns, strict=True)
        )  # fmt: skip

    @property
    def nbytes(self) -> int:
        """About how many bytes it holds."""
        named = self.users.nbytes + self.items.nbytes + ID_BYTES * len(self._ids)
        return named + sum(column.nbytes for column in self._columns)
