"""`lamina list`, `get`, `history` and `why`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast, get_args

import click

from lamina.apps.cli.naming import resolve
from lamina.apps.cli.opening import opened_log, opened_part
from lamina.apps.cli.options import Where, dated, pooled, scoped
from lamina.apps.cli.output import answer
from lamina.model import NoteKind

if TYPE_CHECKING:
    from rich.console import RenderableType

    from lamina.memory.reads import Reads
    from lamina.model import Message, Note

SHOWN: tuple[NoteKind, ...] = ("summary", "fact")
"""What is listed unless the call says otherwise."""
RECOMMENDED: tuple[NoteKind, ...] = ("user_note", "item_note")
"""The same of a recommender."""
NO_NOTES = "no notes; `lamina process` forms them, and --kind message lists what was said"


@click.command("list")
@click.option(
    "--kind",
    type=click.Choice((*get_args(NoteKind), "message")),
    help="Only this kind. Default: facts and summaries; of a recommender its notes.",
)
@click.option("--all", "everything", is_flag=True, help="All notes, relations too.")
@click.option("--session", metavar="ID", help="With --kind message: only this session.")
@click.option("--limit", type=click.IntRange(1), default=100, show_default=True, help="How many.")
@click.option("--offset", type=click.IntRange(0), default=0, help="How many to pass over.")
@click.option("--superseded", is_flag=True, help="Also what something else took the place of.")
@dated()
@scoped
def list_command(where: Where, superseded: bool, looking: dict[str, str], **given: Any) -> None:
    """List notes, latest said first, or messages.

    Relations say again what facts say, so they are left out, in JSON too, unless --all or --kind
    relation asks for them. With --kind message: the last messages, oldest first; those are said,
    and neither hold nor are superseded.
    """
    with opened_part(where) as handle:
        entries = _entries(handle, {"superseded": superseded, **looking}, **given)

    def render() -> Iterable[RenderableType]:
        from lamina.apps.cli.render.entries import entries_table

        return [entries_table(entries)] if entries else [NO_NOTES]

    answer(where.as_json, {"entries": [e.to_dict() for e in entries]}, render)


@click.command("get")
@click.argument("id")
@dated("as_of", "recorded_as_of")
@scoped
def get_command(where: Where, id: str, looking: dict[str, str]) -> None:
    """Show one note or message."""
    with opened_part(where) as handle:
        found = handle.get(resolve(handle, id, gone=bool(looking)), **looking)

    def render() -> Iterable[RenderableType]:
        from lamina.apps.cli.render.entries import entry

        return entry(found)

    answer(where.as_json, found.to_dict(), render)


@click.command("history")
@click.argument("id")
@pooled
def history_command(where: Where, id: str) -> None:
    """Show every revision of a note, and what caused it.

    Each with what it changed and the operation that made it, which `lamina rollback` undoes. Also
    of a note that was withdrawn or undone; a message has one entry, for it is never revised.
    """
    with opened_log(where) as handle:
        revisions = handle.history(resolve(handle, id, gone=True))

    def render() -> Iterable[RenderableType]:
        from lamina.apps.cli.render.entries import revisions_table

        return [revisions_table(revisions)]

    answer(where.as_json, {"revisions": [r.to_dict() for r in revisions]}, render)


@click.command("why")
@click.argument("id")
@scoped
def why_command(where: Where, id: str) -> None:
    """Show what a note rests on, down to the messages.

    Each step that made something of something is shown, as a tree, and what took the place of
    what.
    """
    with opened_part(where) as handle:
        why = handle.why(resolve(handle, id, gone=True))

    def render() -> Iterable[RenderableType]:
        from lamina.apps.cli.render.story import why_tree

        return [why_tree(why)]

    answer(where.as_json, why.to_dict(), render)


def _entries(
    handle: Reads,
    which: dict[str, Any],
    kind: str | None,
    everything: bool,
    session: str | None,
    limit: int,
    offset: int,
) -> list[Message] | list[Note]:
    if kind == "message":
        return _messages(handle, which, session, limit, offset)
    if kind is not None or everything:
        given = cast(NoteKind | None, kind)
        return handle.list(kind=given, limit=limit, offset=offset, **which)
    shown = RECOMMENDED if handle.scope.kind == "recommender" else SHOWN
    notes = [n for each in shown for n in handle.list(kind=each, limit=limit + offset, **which)]
    notes.sort(key=lambda note: note.said_at, reverse=True)
    return notes[offset : offset + limit]


def _messages(
    handle: Reads, which: dict[str, Any], session: str | None, limit: int, offset: int
) -> list[Message]:
    if which["superseded"] or "valid_on" in which:
        raise click.UsageError("--superseded and --valid-on are for notes, not --kind message")
    looking = {name: moment for name, moment in which.items() if name != "superseded"}
    latest = handle.messages(limit=limit + offset, session_id=session, **looking)
    return latest[: len(latest) - offset]
