"""Names as people type them: of entries, by the first characters, and of this program."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, cast

from lamina.errors import BadInput

if TYPE_CHECKING:
    from datetime import datetime

    from lamina.apps.cli.options import Where
    from lamina.memory.pooling import Pool
    from lamina.memory.reads import Reads

WHOLE = 32
SHORT = 8
SHORTEST = 4
HIDING = ("update", "delete", "quarantine", "expire", "merge", "rollback")
"""The kinds of operation by which something may have gone."""
LATEST = 100
"""How many of those are looked behind."""


def short(id_: str) -> str:
    """Return what tables show of an id."""
    return id_[:SHORT]


def program() -> str:
    """Return how to call this program again: by its name, if the shell finds it by that."""
    called = sys.argv[0]
    if Path(called).stem != "lamina" or shutil.which("lamina") is not None:
        return "lamina"
    return shlex.quote(called)


def call(where: Where, command: str, *words: str) -> str:
    """Return a call of a command about the same memory, to be copied into a shell."""
    acting = [("as", where.principal)] if where.principal is not None else []
    named = [("db", where.db), ("tenant", where.tenant), *where.owners, *acting]
    options = [f"--{name} {shlex.quote(value)}" for name, value in named if value is not None]
    return " ".join((program(), command, *options, *map(shlex.quote, words)))


def resolve(
    handle: Reads | Pool, typed: str, *, gone: bool = False, told: Iterable[str] | None = None
) -> str:
    """Return the whole id that begins as typed; what is not found is returned as it is.

    Args:
        handle: Whose notes and messages are meant; of a pool its patterns.
        typed: An id, or its first characters.
        gone: Whether it may be one that was deleted, set aside or undone.
        told: Of a pool the ids of what is told to whoever asks; else all, as for operators.

    Raises:
        BadInput: Several ids of this memory begin so.
    """
    if not SHORTEST <= len(typed) < WHOLE:
        return typed
    if handle.scope.kind == "pool":
        ids = cast("Pool", handle).ids() if told is None else told
        return _only(typed, _beginning(typed, ids))
    reads = cast("Reads", handle)
    found = _beginning(typed, _there(reads))
    if not found and gone:
        found = _beginning(typed, _gone(reads))
    return _only(typed, found)


def resolve_operation(handle: Reads | Pool, typed: str) -> str:
    """Return the whole id of the operation that begins as typed, or has this number in the log.

    What is not found is returned as it is. Raises `BadInput` if several can be meant.
    """
    from lamina.memory.write import MOST

    if len(typed) >= WHOLE:
        return typed
    operations = handle.operations(limit=MOST)
    found = {each.id for each in operations if str(each.number) == typed}
    if len(typed) >= SHORTEST:
        found |= _beginning(typed, (each.id for each in operations))
    return _only(typed, found)


def _beginning(typed: str, ids: Iterable[str]) -> set[str]:
    return {id_ for id_ in ids if id_.startswith(typed)}


def _only(typed: str, found: set[str]) -> str:
    if len(found) > 1:
        raise BadInput(f"{typed} could be any of {', '.join(sorted(found)[:5])}; give more of it")
    return found.pop() if found else typed


def _there(handle: Reads, recorded_as_of: datetime | None = None) -> set[str]:
    """Return the ids of all that is there, or was there when only so much had been recorded."""
    from lamina.memory.write import MOST

    messages = handle.messages(limit=MOST, recorded_as_of=recorded_as_of)
    notes = handle.list(limit=MOST, recorded_as_of=recorded_as_of, superseded=True)
    return {message.id for message in messages} | {note.id for note in notes}


def _gone(handle: Reads) -> set[str]:
    """Return the ids of what was there just before something was taken away."""
    taken = handle.operations(kinds=HIDING, limit=LATEST)
    return {id_ for each in taken for id_ in _there(handle, each.recorded_at)}
