"""`lamina update`, `delete`, `rollback`, `quarantine` and `release`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

from lamina.apps.cli import reminding
from lamina.apps.cli.naming import call, resolve, resolve_operation, short
from lamina.apps.cli.opening import opened_kept, opened_log, opened_part
from lamina.apps.cli.options import Where, owned, pooled, scoped, text_argument
from lamina.apps.cli.output import answer

if TYPE_CHECKING:
    from rich.console import RenderableType

    from lamina.memory.values import RolledBack


@click.command("update")
@click.argument("id")
@text_argument("text")
@scoped
def update_command(where: Where, id: str, text: str) -> None:
    """Change the words of a note; no extraction overrides it.

    It counts as a person's correction; what it said before stays in its history. TEXT may be - to
    read it from standard input.
    """
    with opened_part(where) as handle:
        note = handle.update(resolve(handle, id), text)
    answer(
        where.as_json,
        note.to_dict(),
        lambda: [f"revision {note.revision} of {note.kind} {short(note.id)}"],
    )


@click.command("delete")
@click.argument("id")
@pooled
def delete_command(where: Where, id: str) -> None:
    """Withdraw a note or message; nothing is erased.

    With a message go the notes that were read from it. Asked --as-of an earlier moment they still
    show. `lamina rollback` takes it back.
    """
    with opened_log(where) as handle:
        whole = resolve(handle, id)
        operation = handle.delete(whole)
        reminders = reminding.of_patterns_after(where, handle, whole)
    answer(
        where.as_json,
        {"withdrawn": whole, "operation": operation.to_dict()},
        lambda: _told(
            f"withdrawn: {whole}", call(where, "rollback", short(operation.id)), reminders
        ),
    )


@click.command("rollback")
@click.argument("operation")
@pooled
def rollback_command(where: Where, operation: str) -> None:
    """Undo an operation; what was built on it is withdrawn.

    At every moment it is as if it had not been done, and the next `lamina process` forms anew what
    its evidence still bears out. `lamina log` lists the operations, by number and ID; `lamina
    diff` tells beforehand what would change. Rolling a rollback back restores.
    """
    with opened_log(where) as handle:
        done = handle.rollback(resolve_operation(handle, operation))
        messages = any(change.kind == "message" for change in done.plan.changes)
        reminders = reminding.of_patterns(where, handle) if messages else ()
    answer(where.as_json, done.to_dict(), lambda: _rolled_back(where, done, reminders))


@click.command("quarantine")
@click.argument("id")
@click.option("--reason", default="", metavar="TEXT", help="Why, for those who look later.")
@owned
def quarantine_command(where: Where, id: str, reason: str) -> None:
    """Set a note or message aside: kept, but found by nobody.

    With it goes what rests on it. Unlike what is deleted it shows at no moment, until it is
    released.
    """
    with opened_kept(where) as handle:
        whole = resolve(handle, id)
        operation = handle.quarantine(whole, reason)
        reminders = reminding.of_patterns_after(where, handle, whole)
    answer(
        where.as_json,
        {"quarantined": whole, "operation": operation.to_dict()},
        lambda: _told(f"set aside: {whole}", call(where, "release", short(whole)), reminders),
    )


@click.command("release")
@click.argument("id")
@owned
def release_command(where: Where, id: str) -> None:
    """Take back the quarantine of a note or message.

    What went with it comes back as well.
    """
    with opened_kept(where) as handle:
        whole = resolve(handle, id, gone=True)
        operation = handle.release(whole)
    answer(
        where.as_json,
        {"released": whole, "operation": operation.to_dict()},
        lambda: [f"released: {whole}"],
    )


def _told(what: str, back: str, reminders: Sequence[str]) -> Iterable[RenderableType]:
    from lamina.apps.cli.render.table import unbroken

    return [what, unbroken(f"to take it back: {back}"), *map(unbroken, reminders)]


def _rolled_back(
    where: Where, done: RolledBack, reminders: Sequence[str]
) -> Iterable[RenderableType]:
    from lamina.apps.cli.render import log
    from lamina.apps.cli.render.table import unbroken

    yield from log.rolled_back(done)
    yield unbroken(f"to take it back: {call(where, 'rollback', short(done.operation.id))}")
    yield from map(unbroken, reminders)
