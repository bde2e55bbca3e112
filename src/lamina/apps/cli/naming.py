"""Ids as people type them: tables show the first characters, and those will do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lamina.errors import BadInput

if TYPE_CHECKING:
    from lamina.memory import Handle

WHOLE = 32
SHORT = 8
SHORTEST = 4


def short(id_: str) -> str:
    """Return what tables show of an id."""
    return id_[:SHORT]


def resolve(handle: Handle, typed: str) -> str:
    """Return the whole id that begins as typed; what is not found is returned as it is.

    Raises:
        BadInput: Several ids of this memory begin so.
    """
    from lamina.memory.write import MOST

    if not SHORTEST <= len(typed) < WHOLE:
        return typed
    there = {m.id for m in handle.messages(limit=MOST)}
    there.update(n.id for n in handle.list(limit=MOST))
    found = sorted(id_ for id_ in there if id_.startswith(typed))
    if len(found) > 1:
        raise BadInput(f"{typed} could be any of {', '.join(found[:5])}; give more of it")
    return found[0] if found else typed
