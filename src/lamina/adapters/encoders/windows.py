"""Texts longer than a model reads: split into windows, whose vectors are averaged."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from lamina.adapters.encoders.vectors import unit_rows

if TYPE_CHECKING:
    from lamina.model import Vectors

Window = TypeVar("Window")

PAGE = 512
"""Texts tokenised at a time: bounds the memory that a bulk import takes."""
MAX_WINDOWS = 32
"""Of a text with more, so many are read, spread evenly: the mean of hundreds says no more."""


def pages(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield up to `PAGE` texts at a time."""
    return (texts[start : start + PAGE] for start in range(0, len(texts), PAGE))


def spread(windows: Sequence[Window]) -> list[Window]:
    """Return at most `MAX_WINDOWS` of them, first and last included, in order."""
    count = min(len(windows), MAX_WINDOWS)
    return [windows[round(i)] for i in np.linspace(0, len(windows) - 1, count)]


def averaged(
    texts: Sequence[Sequence[Window]],
    size: Callable[[Window], int],
    run: Callable[[list[Window]], Vectors],
) -> Vectors:
    """Run all windows of all texts, and average each text's rows, weighted by size.

    Args:
        texts: Each text's windows, at least one.
        size: A window's weight, such as its number of tokens; a weight below 1 counts as 1.
        run: From n windows to their vectors, shape (n, dim).

    Returns:
        Shape (len(texts), dim), unit rows. A text of one window keeps that window's direction.
    """
    windows = [window for text in texts for window in text]
    rows = unit_rows(run(windows))
    if len(windows) == len(texts):
        return rows
    weights = np.array([max(1, size(window)) for window in windows], np.float64)
    starts = np.cumsum([0, *(len(text) for text in texts[:-1])])
    return unit_rows(np.add.reduceat(rows * weights[:, None], starts, axis=0))
