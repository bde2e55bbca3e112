"""`lamina import`: from a file to stored conversations and formed memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, cast

import click

from lamina.apps.cli.hidden import restoring_hints
from lamina.apps.cli.naming import call, short
from lamina.apps.cli.options import Where, owned, standard_input
from lamina.apps.cli.output import answer

if TYPE_CHECKING:
    from rich.console import RenderableType

    from lamina.apps.cli.intake import Imported, Plan
    from lamina.formats import Format


@click.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@click.option(
    "--format",
    type=click.Choice(["auto", "locomo", "openai", "jsonl", "lamina"]),
    default="auto",
    show_default=True,
    help="What FILE is: a LoCoMo file, chats as OpenAI writes them, a message a line, or what"
    " `lamina export` wrote.",
)
@click.option("--dry-run", is_flag=True, help="Only tell what it would cost.")
@click.option("--no-process", is_flag=True, help="Store only; `lamina process` forms memory later.")
@owned
def import_command(where: Where, file: str, format: str, dry_run: bool, no_process: bool) -> None:
    """Import conversations from a file, and form memory from them.

    A LoCoMo file brings its own names: each of its conversations becomes the conversation of its
    sample_id (after --conversation and a slash, if that is given and there are several). For other
    files say whose they are, with --user, --conversation or --space. Importing again changes
    nothing, so that what was interrupted is just called again. `lamina rollback` undoes an import.
    FILE may be - for standard input.

    An archive of `lamina export` is put in as it was, with its ids, times and revisions. It brings
    its name too, or takes the one that is given; there must be nothing under that name.
    """
    from lamina.apps.cli import intake, restoring

    with _readable(file) as path:
        if format == "lamina" or (format == "auto" and restoring.is_archive(path)):
            _restore(where, path, dry_run, no_process)
            return
        plan = intake.survey(path, _format(format))
        owners = intake.owners(plan, where)
        if dry_run:
            _tell_cost(where, plan)
            return
        imported = intake.take(where, plan, owners, process=not no_process)

    def render() -> Iterable[RenderableType]:
        from lamina.apps.cli.render import figures

        return [*figures.imported(imported), *_undoing(where, imported)]

    answer(where.as_json, imported.to_dict(), render)


def _undoing(where: Where, imported: Imported) -> Iterable[RenderableType]:
    """Tell how to take back what was new."""
    from lamina.apps.cli.render.table import unbroken

    for taken in imported.conversations:
        if taken.operation is not None:
            back = call(where.about(taken.kind, taken.id), "rollback", short(taken.operation))
            yield unbroken(f"to take it back: {back}")
        yield from restoring_hints(
            where.about(taken.kind, taken.id), taken.hidden, taken.undone_by, "message"
        )


def _restore(where: Where, path: Path, dry_run: bool, no_process: bool) -> None:
    from lamina.apps.cli import restoring

    if dry_run:
        raise click.UsageError(
            "an archive is put in as it is, which costs nothing; leave --dry-run"
        )
    found = restoring.restore(where, path, process=not no_process)

    def render() -> Iterable[RenderableType]:
        from lamina.apps.cli.render import figures

        processed = figures.processed(found.processed) if found.processed else ()
        return [*figures.restored(found.restored), *processed]

    answer(where.as_json, found.to_dict(), render)


def _tell_cost(where: Where, plan: Plan) -> None:
    from lamina.apps.cli.costing import cost

    found = cost(plan)

    def render() -> Iterable[RenderableType]:
        from lamina.apps.cli.render import figures

        return figures.cost(found)

    answer(where.as_json, found.to_dict(), render)


def _format(given: str) -> Format | None:
    return None if given == "auto" else cast("Format", given)


@contextmanager
def _readable(file: str) -> Iterator[Path]:
    """Yield a path that can be read twice: standard input is copied first."""
    if file != "-":
        yield Path(file)
        return
    with TemporaryDirectory(prefix="lamina-") as folder:
        path = Path(folder) / "stdin"
        path.write_bytes(standard_input())
        yield path
