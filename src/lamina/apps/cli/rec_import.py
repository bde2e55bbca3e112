"""`lamina rec import`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from lamina.apps.cli.hidden import restoring_hints
from lamina.apps.cli.naming import call, short
from lamina.apps.cli.options import Where, recommending
from lamina.apps.cli.output import answer

if TYPE_CHECKING:
    from rich.console import RenderableType

    from lamina.apps.cli.rec_intake import Imported
    from lamina.formats.recommending import Layout

FORMATS = (
    "auto", "movielens", "amazon", "goodreads", "yelp", "mind", "recbole", "csv", "jsonl",
)  # fmt: skip


@click.command("import")
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--format",
    type=click.Choice(FORMATS),
    default="auto",
    show_default=True,
    help="Which layout PATH has, where that cannot be told from its files.",
)
@click.option(
    "--items",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    metavar="FILE",
    help="A further file that describes items; may be given several times.",
)
@click.option("--dry-run", is_flag=True, help="Only read it, and tell what it is like.")
@click.option("--limit", type=click.IntRange(1), help="Only so many interactions, from the first.")
@click.option("--strict", is_flag=True, help="Stop at the first line that cannot be read.")
@click.option(
    "--faults",
    type=click.IntRange(0),
    default=5,
    show_default=True,
    metavar="N",
    help="How many lines that cannot be read are named.",
)
@click.option("--batch", metavar="NAME", help="What names this import. Default: after the files.")
@recommending
def rec_import_command(
    where: Where,
    path: Path,
    format: str,
    dry_run: bool,
    batch: str | None,
    faults: int,
    **how: Any,
) -> None:
    """Import items and interactions, in the usual layouts.

    PATH is a file or a folder: MovieLens, Amazon reviews, Goodreads, Yelp, MIND, RecBole, or tables
    and JSON Lines of your own, packed with gzip or not. A line that cannot be read is told and
    passed over. Importing again changes nothing, so that what was interrupted is just called
    again. All that one import adds is one operation, which `lamina rollback` undoes.

    Items can be found and ranked when this returns; `lamina rec refresh` forms notes. Without
    --name the only recommender is filled; the first one is called items.
    """
    from lamina.apps.cli import rec_intake
    from lamina.apps.cli.render import recommending as render

    layout = None if format == "auto" else cast("Layout", format)
    plan = rec_intake.survey(path, layout, faults=faults, **how)
    if dry_run:
        read = {"layout": plan.data.layout, "statistics": plan.statistics.to_dict()}
        answer(where.as_json, read, lambda: render.read(plan.data.layout, plan.statistics, faults))
        return
    imported = rec_intake.take(where, plan, batch)
    there = replace(
        where.about("recommender", imported.recommender), tenant=imported.tenant or None
    )
    answer(where.as_json, imported.to_dict(), lambda: _told(there, imported, faults))


def _told(where: Where, imported: Imported, faults: int) -> Iterable[RenderableType]:
    from lamina.apps.cli.render import recommending as render
    from lamina.apps.cli.render.table import unbroken

    yield from render.imported(imported, faults)
    if imported.operation is not None:
        back = call(where, "rollback", short(imported.operation))
        yield unbroken(f"to take it back: {back}")
    yield from restoring_hints(where, imported.hidden, imported.undone_by, "row")
    yield unbroken(f"to form notes of it: {call(where, 'rec refresh')}")
