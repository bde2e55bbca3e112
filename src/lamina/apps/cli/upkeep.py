"""`lamina process`, `stats`, `check` and `reencode`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from lamina.apps.cli.opening import known_handle, must_exist, opened, path_of, settings
from lamina.apps.cli.options import Where, scoped, stored
from lamina.apps.cli.output import answer
from lamina.apps.cli.progress import progress
from lamina.apps.cli.render.text import counted
from lamina.apps.cli.safely import FAILED

if TYPE_CHECKING:
    from rich.console import RenderableType


@click.command("process")
@click.option(
    "--idle-after",
    type=click.FloatRange(0),
    metavar="SECONDS",
    help="First close the sessions in which nothing was said for so long.",
)
@scoped
def process_command(where: Where, idle_after: float | None) -> None:
    """Form memory from all that waits.

    Of everybody, or of the one user or conversation that is named. What fails is kept, and tried
    again by the next call; the exit code is then 1.
    """
    with opened(where) as memory, progress("forming memory") as advance:
        subject = known_handle(memory, where) if where.named else memory
        done = subject.process(idle_after=idle_after, progress=advance)

    def render() -> Iterable[RenderableType]:
        from lamina.apps.cli.render import figures

        return figures.processed(done)

    answer(where.as_json, done.to_dict(), render)
    if done.failed:
        click.get_current_context().exit(FAILED)


@click.command("stats")
@scoped
def stats_command(where: Where) -> None:
    """Show how much there is, what waits, and what it took."""
    with opened(where) as memory:
        found = (known_handle(memory, where) if where.named else memory).stats()

    def render() -> Iterable[RenderableType]:
        from lamina.apps.cli.render import figures

        return figures.stats(found)

    answer(where.as_json, found.to_dict(), render)


@click.command("check")
@stored
def check_command(where: Where) -> None:
    """Check that all parts of the store agree.

    These are text, vectors, postings, links, sources and queue. If not, the exit code is 1.
    """
    with opened(where) as memory:
        findings = memory.check()
    told = findings or ["all parts of the store agree"]
    answer(where.as_json, {"findings": findings}, lambda: told)
    if findings:
        click.get_current_context().exit(FAILED)


@click.command("reencode")
@click.option(
    "--encoder",
    metavar="NAME",
    help="minilm, multilingual, a folder with a model, or a server's model."
    " Default: LAMINA_ENCODER, else minilm.",
)
@stored
def reencode_command(where: Where, encoder: str | None) -> None:
    """Make all vectors anew, with another encoder.

    The present ones serve until it is done. It may be stopped and begun again.
    """
    from lamina.wiring import encoder_for, reencode

    path = path_of(where)
    must_exist(path)
    opened_encoder = encoder_for(encoder, settings())
    with progress("encoding") as advance:
        done = reencode(path, opened_encoder, progress=advance)
    answer(
        where.as_json,
        {"documents": done, "encoder": opened_encoder.space.id},
        lambda: [f"{counted(done, 'document')} encoded with {opened_encoder.space.id}"],
    )
