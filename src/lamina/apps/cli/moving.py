"""`lamina export` and `backup`: memory taken out, of one or of all."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from lamina.apps.cli.opening import opened, opened_kept
from lamina.apps.cli.options import Where, owned, stored
from lamina.apps.cli.output import answer
from lamina.apps.cli.render.text import counted
from lamina.errors import BadInput


@click.command("export")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    default="-",
    metavar="FILE",
    help="Where to write. Default: standard output.",
)
@owned
def export_command(where: Where, output: Path) -> None:
    """Write all of one memory as text, to be imported elsewhere.

    A JSON object a line: messages, operations, every revision, links, times and grants. `lamina
    import` puts it into an empty memory, with its ids and times.
    """
    with opened_kept(where) as handle:
        if str(output) == "-":
            for line in handle.export():
                click.echo(line, nl=False)
            return
        lines = _write(output, handle.export())
    answer(
        where.as_json,
        {"path": str(output), "lines": lines},
        lambda: [f"{counted(lines, 'line')} written to {output}"],
    )


@click.command("backup")
@click.argument("file", type=click.Path(path_type=Path))
@stored
def backup_command(where: Where, file: Path) -> None:
    """Copy the whole store to a file, while others use it.

    The copy is the store as it is at one moment, and is opened like any other. There must be
    nothing at FILE.
    """
    with opened(where) as memory:
        memory.backup(file)
    size = file.stat().st_size
    answer(
        where.as_json,
        {"path": str(file), "bytes": size},
        lambda: [f"{size:,} bytes written to {file}"],
    )


def _write(path: Path, lines: Iterable[str]) -> int:
    """Write a new file, whole or not at all; return how many lines it has."""
    count = 0
    try:
        with path.open("x", encoding="ascii", newline="\n") as file:
            for line in lines:
                file.write(line)
                count += 1
    except FileExistsError as error:
        raise BadInput(f"there is something at {path} already; name another file") from error
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return count
