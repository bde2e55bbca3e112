"""The small integers by which a model names what it was shown."""

from __future__ import annotations

from typing import Any


def index_of(value: Any, count: int) -> int | None:
    """Return the index of what was shown as number `value` of 1..`count`; `None` if nothing was.

    >>> index_of(1, 3), index_of("3", 3), index_of(4, 3), index_of(True, 3)
    (0, 2, None, None)
    """
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10:
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value - 1 if 1 <= value <= count else None
