"""The patterns of a pool while parts are taken in: what is stored, and what was added since."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from lamina.ports.rows import VectorRows
from lamina.strategies.amem4rec.stages import Abstraction, Standing

Load = Callable[[Sequence[str]], Mapping[str, Standing]]
"""Ids of patterns to what they say and how often they evolved."""
FLOAT32 = 2e-5
"""By how much a product of unit vectors in single precision may be off; with room to spare."""
TOGETHER = 32
"""How many vectors are compared with what is stored at once."""
DIGITS = 6
"""Of a cosine: what is nearer to another is equal to it, and goes by id."""


class Patterns:
    """The working set: rows of a larger array that are live, and a growing array beside it."""

    def __init__(
        self,
        ids: Sequence[str],
        vectors: VectorRows,
        live: NDArray[np.bool_],
        load: Load,
    ) -> None:
        """Take what is stored; nothing of it is copied but the mask.

        Args:
            ids: n ids of patterns. One may have several rows, of which at most one is live.
            vectors: Shape (n, dim), unit rows.
            live: Shape (n,): which rows count.
            load: Reads what is asked for, once each.
        """
        self._base_ids, self._base = ids, vectors
        self._live = np.array(live, dtype=np.bool_)
        self._load = load
        self._places: dict[str, int] = {}
        """Of what was found or added; of all once something else was asked for."""
        self._all_placed = False
        self._standing: dict[str, Standing] = {}
        self._expected: list[NDArray[np.float32]] = []
        self._compared: dict[bytes, NDArray[np.float32]] = {}
        """By vector: its cosines with all that is stored, shape (n,)."""
        self._added_ids: list[str] = []
        self._added = np.empty((0, vectors.shape[1]), dtype=np.float32)

    @classmethod
    def empty(cls, dim: int) -> Patterns:
        """Return a pool without patterns, for vectors of dimension `dim`."""
        none = VectorRows(np.empty((0, dim), dtype=np.float32))
        return cls((), none, np.zeros(0, dtype=np.bool_), lambda _: {})

    def __len__(self) -> int:
        return int(np.count_nonzero(self._live)) + len(self._added_ids)

    def __contains__(self, id_: str) -> bool:
        return self._place_of(id_) is not None

    def expect(self, vectors: NDArray[np.float32]) -> None:
        """Tell what will be looked up, in this order: what is stored is then read fewer times.

        Args:
            vectors: Shape (m, dim), unit rows.
        """
        self._expected = list(vectors)

    def nearest(
        self, vector: NDArray[np.float32], k: int, exclude: Collection[str] = ()
    ) -> list[tuple[str, float]]:
        """Return up to k patterns, each with its cosine in [-1, 1], most similar first.

        Those whose cosines are equal to six digits go by id, so that it does not matter in which
        order patterns came in.

        Args:
            vector: Shape (dim,), unit length.
            k: At least 1.
            exclude: Ids of patterns that are passed over.
        """
        size = len(self._base)
        cosines = np.concatenate([self._with_stored(vector), self._grown @ vector])
        allowed = np.ones(len(cosines), dtype=np.bool_)
        allowed[:size] = self._live
        excluded = (self._place_of(id_) for id_ in exclude)
        allowed[[place for place in excluded if place is not None]] = False
        rows = contenders(cosines, allowed, k)
        exact = exactly(self._vectors(rows), vector).tolist()
        ids = list(map(self._id, rows.tolist()))
        self._places.update(zip(ids, rows.tolist(), strict=True))
        named = zip(ids, exact, strict=True)
        return sorted(named, key=lambda pair: (-pair[1], pair[0]))[:k]

    @property
    def dim(self) -> int:
        """Of the vectors."""
        return self._added.shape[1]

    def vector(self, id_: str) -> NDArray[np.float32]:
        """Return the vector of a pattern, shape (dim,)."""
        found: NDArray[np.float32] = self._vectors(np.array([self.row(id_)]))[0]
        return found

    def row(self, id_: str) -> int:
        """Return where a pattern is: a row of what was given, or of what was added after them.

        Raises:
            KeyError: It is not there.
        """
        place = self._place_of(id_)
        if place is None:
            raise KeyError(id_)
        return place

    def standing(self, ids: Sequence[str]) -> list[Standing]:
        """Return patterns as they stand, in the order of `ids`; all of them must be live."""
        unread = [id_ for id_ in ids if id_ not in self._standing]
        if unread:
            self._standing.update(self._load(unread))
        return [self._standing[id_] for id_ in ids]

    def add(self, standing: Standing, vector: NDArray[np.float32], *, new: bool = False) -> None:
        """Add a pattern. One that is there under its id already gives way to it.

        Args:
            standing: The pattern.
            vector: Shape (dim,), unit length.
            new: Whether it is certain that there is none under its id, so that none is looked for.
        """
        self._standing[standing.id] = standing
        self._place(standing.id, vector, None if new else self._place_of(standing.id))

    def take(self, id_: str, said: Abstraction | None, vector: NDArray[np.float32] | None) -> None:
        """Count one evolution of a pattern, and what it says from now on.

        Args:
            id_: Of the pattern.
            said: Its words; `None`: they stay.
            vector: Of the words; `None`: it stays.
        """
        (old,) = self.standing([id_])
        self._standing[id_] = replace(
            old, said=said or old.said, evolution_count=old.evolution_count + 1
        )
        if vector is not None:
            self._place(id_, vector, self.row(id_))

    def drop(self, id_: str) -> None:
        """Leave a pattern out from now on."""
        place = self.row(id_)
        del self._places[id_]
        self._standing.pop(id_, None)
        if place < len(self._base):
            self._live[place] = False
            return
        row, last = place - len(self._base), len(self._added_ids) - 1
        if row != last:
            self._added[row], self._added_ids[row] = self._added[last], self._added_ids[last]
            self._places[self._added_ids[row]] = place
        self._added_ids.pop()

    def _with_stored(self, vector: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the cosines of a vector with all that is stored, shape (n,)."""
        key = vector.tobytes()
        if key not in self._compared:
            places = (i for i, each in enumerate(self._expected) if np.array_equal(each, vector))
            first = next(places, None)
            if first is None:
                return self._base.cosines(vector)
            some = self._expected[first : first + TOGETHER]
            del self._expected[: first + TOGETHER]
            rows = np.ascontiguousarray(self._base.cosines(np.stack(some, axis=1)).T)
            self._compared = {each.tobytes(): row for each, row in zip(some, rows, strict=True)}
        return self._compared[key]

    @property
    def _grown(self) -> NDArray[np.float32]:
        return self._added[: len(self._added_ids)]

    def _id(self, row: int) -> str:
        size = len(self._base)
        return self._base_ids[row] if row < size else self._added_ids[row - size]

    def _vectors(self, rows: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return the vectors of some rows, those that were added last."""
        size = len(self._base)
        before = rows < size
        return np.concatenate([self._base[rows[before]], self._added[rows[~before] - size]])

    def _place_of(self, id_: str) -> int | None:
        if id_ not in self._places and not self._all_placed:
            live = np.flatnonzero(self._live).tolist()
            self._places = {self._base_ids[row]: row for row in live} | self._places
            self._all_placed = True
        return self._places.get(id_)

    def _place(self, id_: str, vector: NDArray[np.float32], place: int | None) -> None:
        size = len(self._base)
        if place is not None and place >= size:
            self._added[place - size] = vector
            return
        if place is not None:
            self._live[place] = False
        count = len(self._added_ids)
        if count == len(self._added):
            grown = np.empty((max(64, 2 * count), self._added.shape[1]), dtype=np.float32)
            grown[:count] = self._added
            self._added = grown
        self._added[count] = vector
        self._added_ids.append(id_)
        self._places[id_] = size + count


def contenders(
    cosines: NDArray[np.float32], allowed: NDArray[np.bool_], k: int
) -> NDArray[np.intp]:
    """Return the rows that may be among the k most similar of those allowed, in no order.

    More than k, where it takes more than single precision to tell.

    Args:
        cosines: Shape (n,), as a product in single precision gives them.
        allowed: Shape (n,): which of them count.
        k: At least 1.
    """
    within = np.where(allowed, cosines, -np.inf)
    if np.count_nonzero(allowed) <= k:
        return np.flatnonzero(allowed)
    least = np.partition(within, len(within) - k)[len(within) - k]
    return np.flatnonzero(within >= least - FLOAT32)


def exactly(rows: NDArray[np.float32], vector: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the cosine of each row with a vector, the same wherever the row stands.

    A product of matrices sums differently by where a row stands; this does not.

    Args:
        rows: Shape (m, dim), unit rows.
        vector: Shape (dim,), unit length.
    """
    if not len(rows):
        return np.zeros(0)
    products = rows.astype(np.float64) * vector.astype(np.float64)
    found: NDArray[np.float64] = np.clip(np.round(products.sum(axis=1), DIGITS), -1.0, 1.0)
    return found
