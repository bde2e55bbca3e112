"""How far an evaluation has come, and who is told."""

from __future__ import annotations

from collections.abc import Callable

Told = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and how much of it is known to be there."""


def nobody(_what: str, _done: int, _known: int) -> None:
    """Tell nobody how far it has come."""
