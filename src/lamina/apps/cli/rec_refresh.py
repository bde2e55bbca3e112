"""`lamina rec refresh`: notes of what users did, and what they share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from lamina.apps.cli.opening import opened_recommender
from lamina.apps.cli.options import Where, recommending
from lamina.apps.cli.output import answer
from lamina.apps.cli.progress import Told, stages
from lamina.apps.cli.safely import FAILED

if TYPE_CHECKING:
    from rich.console import RenderableType

    from lamina.memory import Processed
    from lamina.memory.pooling import Refreshed
    from lamina.memory.recommending import Recommender


@click.command("refresh")
@click.option(
    "--pool/--no-pool",
    "shares",
    default=True,
    show_default=True,
    help="Whether what users share is as well.",
)
@click.option(
    "--workers",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="How many questions about what users do a model is asked at once.",
)
@click.option("--dry-run", is_flag=True, help="Only tell what there is to do.")
@recommending
def rec_refresh_command(where: Where, shares: bool, workers: int, dry_run: bool) -> None:
    """Form notes from the interactions that wait, then what users share.

    Notes oldest first, over all users: each is written, linked with notes that are near, and those
    may evolve. Then patterns of all that users did by now: what is new is taken in, and what is
    gone withdrawn. It may be stopped and called again, every night: nothing is done twice, and of
    what is written at once all is kept or nothing. What fails is tried again by the next call; the
    exit code is then 1.
    """
    with opened_recommender(where) as recommender, stages() as told:
        waiting = recommender.pending
        notes = {} if dry_run else _formed(recommender, told)
        shared = _shared(recommender, told, workers, dry_run=dry_run) if shares else None
        pending = recommender.pending

    def render() -> Iterable[RenderableType]:
        if dry_run:
            yield f"{waiting:,} interactions to form notes of"
        else:
            yield from _told(notes, waiting, pending)
        if shared is not None:
            from lamina.apps.cli.render import sharing

            yield from sharing.refreshed(shared)

    told_of = {
        **(notes["outcome"].to_dict() if notes else {}),
        "dry_run": dry_run,
        "interactions": max(0, waiting - pending),
        "notes": notes.get("new", 0),
        "pending": pending,
        "pool": shared.to_dict() if shared else None,
    }
    answer(where.as_json, told_of, render)
    if (notes and notes["outcome"].failed) or (shared and (shared.failed or shared.troubles)):
        click.get_current_context().exit(FAILED)


def _formed(recommender: Recommender, told: Told) -> dict[str, Any]:
    waiting, before = recommender.pending, _notes(recommender)
    outcome = recommender.process(
        progress=lambda *_: told("forming notes", waiting - recommender.pending, waiting)
    )
    return {"outcome": outcome, "new": max(0, _notes(recommender) - before)}


def _shared(recommender: Recommender, told: Told, workers: int, *, dry_run: bool) -> Refreshed:
    return recommender.pool.refresh(
        workers=workers,
        dry_run=dry_run,
        progress=lambda done, known: told("telling what users do", done, known),
    )


def _told(notes: dict[str, Any], waiting: int, pending: int) -> Iterable[RenderableType]:
    from lamina.apps.cli.render import figures
    from lamina.apps.cli.render.text import counted

    outcome: Processed = notes["outcome"]
    formed = counted(max(0, waiting - pending), "interaction")
    yield f"{formed} formed into {counted(notes['new'], 'new note')}"
    yield from figures.shortfalls(outcome)
    if pending:
        yield f"{counted(pending, 'interaction')} still waiting"


def _notes(recommender: Recommender) -> int:
    counts = recommender.stats().counts
    return counts["user_notes"] + counts["item_notes"]
