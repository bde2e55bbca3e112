"""`lamina log` and `diff`: what was done, and what undoing it would change."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from lamina.apps.cli.naming import resolve_operation
from lamina.apps.cli.opening import opened_log, opened_part
from lamina.apps.cli.options import Where, pooled, scoped
from lamina.apps.cli.output import answer

if TYPE_CHECKING:
    from rich.console import RenderableType


@click.command("log")
@click.option("--kind", "kinds", multiple=True, metavar="KIND", help="Only these kinds: add, ...")
@click.option("--limit", type=click.IntRange(1), default=30, show_default=True, help="How many.")
@click.option("--offset", type=click.IntRange(0), default=0, help="How many to pass over.")
@pooled
def log_command(where: Where, kinds: tuple[str, ...], limit: int, offset: int) -> None:
    """List what changed memory, latest first.

    Kinds are, among others, add, import, bind (notes are read from messages), supersede,
    consolidate (a session is summed up), update, delete, quarantine and rollback.
    """
    with opened_log(where) as handle:
        operations = handle.operations(kinds=kinds, limit=limit, offset=offset)

    def render() -> Iterable[RenderableType]:
        from lamina.apps.cli.render.log import log_table

        return [log_table(operations)] if operations else ["nothing of that was done here"]

    answer(where.as_json, {"operations": [each.to_dict() for each in operations]}, render)


@click.command("diff")
@click.argument("operation")
@scoped
def diff_command(where: Where, operation: str) -> None:
    """Show what rolling an operation back would change.

    Nothing is changed. OPERATION is its number in `lamina log`, or its ID.
    """
    with opened_part(where) as handle:
        plan = handle.diff(resolve_operation(handle, operation))

    def render() -> Iterable[RenderableType]:
        from lamina.apps.cli.render.log import plan as rendered

        return rendered(plan)

    answer(where.as_json, plan.to_dict(), render)
