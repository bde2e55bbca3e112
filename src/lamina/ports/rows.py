"""Rows of a larger array of vectors, chosen without copying it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lamina.model import Vectors


@dataclass(frozen=True, slots=True, eq=False)
class VectorRows:
    """n vectors of dimension dim, out of the N of `array`."""

    array: Vectors
    """Shape (N, dim)."""
    rows: NDArray[np.integer] | None = None
    """Shape (n,): which rows of `array` they are; all of them, if `None`."""

    @property
    def shape(self) -> tuple[int, int]:
        """(n, dim)."""
        count = len(self.array) if self.rows is None else len(self.rows)
        return count, self.array.shape[1]

    def __len__(self) -> int:
        return self.shape[0]

    def cosines(self, query: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the cosine of each with `query`, shape (dim,), unit length. Shape (n,).

        All of `array` is looked at: to scan it is cheaper than to copy the rows first.
        """
        found: NDArray[np.float32] = self.array @ query
        return found if self.rows is None else found[self.rows]

    def __getitem__(self, chosen: Any) -> NDArray[np.float32]:
        """Return the vectors at some of the n places, as NumPy would of an (n, dim) array."""
        found: NDArray[np.float32] = self.array[chosen if self.rows is None else self.rows[chosen]]
        return found

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[np.float32]:
        """Return all n of them as one array."""
        return np.array(self[:], dtype=dtype, copy=copy)
