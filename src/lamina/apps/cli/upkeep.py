"""`lamina process`, `stats`, `check` and `reencode`: for the whole store, or for some of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from lamina.apps.cli.opening import (
    handle,
    kept,
    known_handle,
    must_exist,
    opened,
    opened_part,
    path_of,
    settings,
    tenant,
)
from lamina.apps.cli.options import Where, owned, scoped, stored
from lamina.apps.cli.output import answer
from lamina.apps.cli.progress import Advance, progress
from lamina.apps.cli.render.text import counted
from lamina.apps.cli.safely import FAILED

if TYPE_CHECKING:
    from rich.console import RenderableType

    from lamina.memory import Memory, Processed, Stats


@click.command("process")
@click.option(
    "--idle-after",
    type=click.FloatRange(0),
    metavar="SECONDS",
    help="First close the sessions in which nothing was said for so long.",
)
@owned
def process_command(where: Where, idle_after: float | None) -> None:
    """Form memory from all that waits.

    Of everybody, or of the one user, conversation, space, recommender or pool that is named. What
    fails is kept, and tried again by the next call; the exit code is then 1.
    """
    with opened(where) as memory, progress("forming memory") as advance:
        done = _processed(memory, where, idle_after, advance)

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
    found = _stats(where)

    def render() -> Iterable[RenderableType]:
        from lamina.apps.cli.render import figures

        return figures.stats(found)

    answer(where.as_json, found.to_dict(), render)


@click.command("check")
@click.option("--repair", is_flag=True, help="Make anew what is derived and wrong, then look.")
@stored
def check_command(where: Where, repair: bool) -> None:
    """Check that all parts of the store agree.

    These are text, vectors, postings, links, sources and queue. If they do not, or do not after
    --repair, the exit code is 1. What was said is never touched.
    """
    with opened(where) as memory:
        rebuilt = _repaired(memory) if repair else {}
        findings = memory.check()
    told = findings or ["all parts of the store agree"]
    made = [f"{count:,} {what.replace('_', ' ')} put right" for what, count in rebuilt.items()]
    data = {"findings": findings, **({"rebuilt": rebuilt} if repair else {})}
    answer(where.as_json, data, lambda: [*made, *told])
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


def _processed(
    memory: Memory, where: Where, idle_after: float | None, advance: Advance
) -> Processed:
    if where.pool is not None:
        return kept(memory, where).process(progress=advance)
    if where.recommender is not None:
        known_handle(memory, where)
        return tenant(memory, where).recommender(where.recommender).process(progress=advance)
    if not where.named:
        return memory.process(idle_after=idle_after, progress=advance)
    known_handle(memory, where)
    return handle(memory, where).process(idle_after=idle_after, progress=advance)


def _stats(where: Where) -> Stats:
    if where.named:
        with opened_part(where) as handle:
            return handle.stats()
    with opened(where) as memory:
        return memory.stats()


def _repaired(memory: Memory) -> dict[str, int]:
    """Make anew what can be, exchanges too; return how much of what."""
    with progress("repairing") as advance:
        done = memory.repair(progress=advance)
    if done.rebuilt:
        with progress("making exchanges") as advance:
            memory.process(progress=advance)
    return dict(done.rebuilt)
