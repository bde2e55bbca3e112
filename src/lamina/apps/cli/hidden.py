"""What an import says of that which it finds stored, but out of force."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lamina.apps.cli.naming import call, short
from lamina.apps.cli.options import Where
from lamina.apps.cli.render.text import counted

if TYPE_CHECKING:
    from rich.text import Text


def restoring_hints(
    where: Where, hidden: int, undone_by: Sequence[str], thing: str
) -> Iterator[Text]:
    """Tell that what is imported again does not count, and how to restore it.

    Args:
        where: Whose it is.
        hidden: How many are known and do not count.
        undone_by: The rollbacks that undid them.
        thing: What they are.
    """
    from lamina.apps.cli.render.table import literal, unbroken

    if not hidden:
        return
    those = f"{counted(hidden, thing)} known already"
    if not undone_by:
        yield literal(f"{those} were withdrawn since, and stay so")
        return
    yield literal(f"{those} were rolled back since, and importing does not restore them")
    for operation in undone_by:
        yield unbroken(f"to restore them: {call(where, 'rollback', short(operation))}")
