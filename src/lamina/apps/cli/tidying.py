"""`lamina expire`, `merge` and `sweep`: memory kept in order, each to be rolled back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from lamina.apps.cli.naming import call, short
from lamina.apps.cli.opening import opened_talk
from lamina.apps.cli.options import KINDS, Where, talked
from lamina.apps.cli.output import answer
from lamina.apps.cli.progress import progress
from lamina.apps.cli.safely import FAILED

if TYPE_CHECKING:
    from rich.console import RenderableType

    from lamina.ports import Operation


@click.command("expire")
@click.option("--before", metavar="ISO", required=True, help="What was last said before then.")
@click.option("--kind", "kinds", multiple=True, type=click.Choice(KINDS), help="Only these kinds.")
@talked
def expire_command(where: Where, before: str, kinds: tuple[str, ...]) -> None:
    """Withdraw what was last said before a moment.

    With it goes what stands on it. Nothing is erased, and `lamina rollback` takes it back.
    """
    with opened_talk(where) as handle:
        operation = handle.expire(before, kinds=kinds or None)
    _tell(where, operation, f"what was said before {before} is withdrawn", "nothing is so old")


@click.command("merge")
@talked
def merge_command(where: Where) -> None:
    """Make one note of those that say the same.

    The one said first stays, or the one that a person wrote, and gains the evidence of the others.
    What differs in a number, a name, a negation or a time is not the same.
    """
    with opened_talk(where) as handle:
        operation = handle.merge()
    _tell(where, operation, "notes that say the same are one now", "no two notes say the same")


@click.command("sweep")
@talked
def sweep_command(where: Where) -> None:
    """Put what nothing links to beside its kin of other times.

    A plan of half a year ago, a habit of each spring: a summary for each such group, which search
    shows beside what it found. With a model it takes a call a summary.
    """
    with opened_talk(where) as handle, progress("sweeping") as advance:
        done = handle.sweep(progress=advance)

    def render() -> Iterable[RenderableType]:
        from lamina.apps.cli.render import figures

        return figures.processed(done)

    answer(where.as_json, done.to_dict(), render)
    if done.failed:
        click.get_current_context().exit(FAILED)


def _tell(where: Where, operation: Operation | None, done: str, nothing: str) -> None:
    """Tell what an operation did and how to take it back, or that there was nothing to do."""

    def render() -> Iterable[RenderableType]:
        from lamina.apps.cli.render.table import unbroken

        if operation is None:
            return [nothing]
        back = call(where, "rollback", short(operation.id))
        return [done, unbroken(f"to take it back: {back}")]

    answer(where.as_json, {"operation": operation.to_dict() if operation else None}, render)
