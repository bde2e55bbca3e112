"""What every encoder does to its texts and rows, whatever model makes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from lamina.model import Vectors


def unit_rows(rows: NDArray[np.floating]) -> Vectors:
    """Scale rows to unit length: shape (n, dim) in, (n, dim) float32 out.

    A row without a direction (all zeros, as some models give for blank text) becomes the first
    axis: a valid row, the same each time.
    """
    exact = rows.astype(np.float64)
    lengths = np.linalg.norm(exact, axis=1, keepdims=True)
    nowhere = lengths[:, 0] == 0
    exact[nowhere, 0] = lengths[nowhere, 0] = 1.0
    units: Vectors = (exact / lengths).astype(np.float32)
    return units


def encodable(text: str) -> str:
    """Return text that UTF-8 can carry: surrogate pairs joined, lone surrogates as U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
