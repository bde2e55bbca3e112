"""Putting in what `lamina export` wrote."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lamina.apps.cli.intake import form
from lamina.apps.cli.opening import kept, opened, tenant
from lamina.apps.cli.options import Where
from lamina.apps.cli.progress import progress
from lamina.errors import FormatError
from lamina.formats import archive
from lamina.model import Value

if TYPE_CHECKING:
    from lamina.memory import Processed
    from lamina.memory.transfer import Restored

_FIRST = re.compile(rb'\s*\{\s*"lamina"\s*:\s*"archive"')
ENOUGH = 256
"""Bytes of a file that tell whether it is an archive."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FromArchive(Value):
    """What became of an archive."""

    format: str = "lamina"
    restored: Restored
    processed: Processed | None
    """`None` if what waits is to be done later."""


def is_archive(path: Path) -> bool:
    """Tell by how a file begins whether it is an archive."""
    with path.open("rb") as file:
        return _FIRST.match(file.read(ENOUGH)) is not None


def restore(where: Where, path: Path, *, process: bool) -> FromArchive:
    """Put an archive in, and do what waits in it unless told not to.

    It is read twice: first as a whole, so that what is malformed leaves nothing behind.

    Raises:
        FormatError: It is no archive, or not a whole one.
        BadInput: There is something under its name already, or it is of another kind.
    """
    _survey(path)
    with opened(where, create=True) as memory, path.open(encoding="ascii") as lines:
        owner = tenant(memory, where)
        with progress("making vectors") as advance:
            restored = owner.restore(
                lines,
                user=where.user,
                conversation=where.conversation,
                space=where.space,
                recommender=where.recommender,
                pool=where.pool,
                progress=advance,
            )
        place = where.about(restored.scope.kind, restored.scope.id)
        formed = form(memory, [kept(memory, place)]) if process else None
    return FromArchive(restored=restored, processed=formed)


def _survey(path: Path) -> None:
    try:
        with path.open(encoding="ascii") as lines:
            archive.read(lines)
    except UnicodeDecodeError as error:
        raise FormatError(f"{path.name}: an archive is ASCII, and this is not") from error
    except FormatError as error:
        raise FormatError(f"{path.name}: {error}") from error
