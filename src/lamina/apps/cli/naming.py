"""Names as people type them: of entries, by the first characters, and of this program."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path
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


def program() -> str:
    """Return how to call this program again: by its name, if the shell finds it by that."""
    called = sys.argv[0]
    if Path(called).stem != "lamina" or shutil.which("lamina") is not None:
        return "lamina"
    return shlex.quote(called)


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
