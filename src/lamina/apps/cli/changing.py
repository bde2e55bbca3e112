"""`lamina update`, `delete` and `forget`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from lamina.apps.cli.naming import resolve, short
from lamina.apps.cli.opening import opened_handle
from lamina.apps.cli.options import Where, scoped, text_argument
from lamina.apps.cli.output import answer
from lamina.apps.cli.render.text import counted

if TYPE_CHECKING:
    from lamina.ports import Receipt

_STAGES = {
    "physical": "gone from the file",
    "logical": "gone; somebody still reads an older state of the file, so traces stay in it until"
    " this command is run again",
}


@click.command("update")
@click.argument("id")
@text_argument("text")
@scoped
def update_command(where: Where, id: str, text: str) -> None:
    """Change the words of a note; no extraction overrides it.

    It counts as a person's correction; what it said before stays in its history. TEXT may be - to
    read it from standard input.
    """
    with opened_handle(where) as handle:
        note = handle.update(resolve(handle, id), text)
    answer(
        where.as_json,
        note.to_dict(),
        lambda: [f"revision {note.revision} of {note.kind} {short(note.id)}"],
    )


@click.command("delete")
@click.argument("id")
@scoped
def delete_command(where: Where, id: str) -> None:
    """Withdraw a note or message; nothing is erased.

    With a message go the notes that were read from it.
    """
    with opened_handle(where) as handle:
        whole = resolve(handle, id)
        handle.delete(whole)
    answer(where.as_json, {"withdrawn": whole}, lambda: [f"withdrawn: {whole}"])


@click.command("forget")
@click.option("--yes", is_flag=True, help="Do not ask.")
@scoped
def forget_command(where: Where, yes: bool) -> None:
    """Erase all of a user or conversation, for good.

    What was made of it is erased with it. It cannot be undone.
    """
    with opened_handle(where, known=False) as handle:
        if not yes:
            scope = handle.scope
            count = handle.stats().counts.get("messages", 0)
            click.confirm(
                f"Erase {scope.kind} {scope.id}, {counted(count, 'message')}, for good?",
                abort=True,
                err=True,
            )
        receipt = handle.forget()
    answer(where.as_json, receipt.to_dict(), lambda: [_erased(receipt)])


def _erased(receipt: Receipt) -> str:
    if not receipt.messages and not receipt.documents:
        return f"nothing is stored under that name; what ever was: {_STAGES[receipt.stage]}"
    removed = (
        f"{counted(receipt.messages, 'message')}, {counted(receipt.notes, 'note')}"
        f" and {counted(receipt.documents, 'document')} erased"
    )
    return f"{removed}: {_STAGES[receipt.stage]}"
