"""`lamina add`."""

from __future__ import annotations

from typing import get_args

import click

from lamina.apps.cli.naming import short
from lamina.apps.cli.opening import opened_to_add
from lamina.apps.cli.options import Where, said, text_argument
from lamina.apps.cli.output import answer
from lamina.apps.cli.render.text import counted
from lamina.model import Role

_MESSAGE_OPTIONS = ("role", "speaker", "timestamp", "key")


@click.command("add")
@text_argument("text")
@click.option(
    "--role",
    type=click.Choice(get_args(Role)),
    default="user",
    show_default=True,
    help="How far to trust it.",
)
@click.option("--speaker", metavar="NAME", help="Who says it. Default: the user, or the role.")
@click.option(
    "--at",
    "timestamp",
    metavar="ISO",
    help="When it was said. Without an offset: UTC. Default: now.",
)
@click.option("--session", default="default", show_default=True, help="The session it belongs to.")
@click.option("--key", metavar="TEXT", help="Your name for it: adding it again changes nothing.")
@click.option("--infer/--no-infer", default=True, help="Whether to form memory from it later.")
@click.option("--wait", is_flag=True, help="Form memory from it now.")
@said
def add_command(
    where: Where, text: str, session: str, infer: bool, wait: bool, **given: str | None
) -> None:
    """Store one message, word for word.

    It can be found as soon as this returns. TEXT may be - to read it from standard input. In a
    shared space, --as tells who writes it.
    """
    message = {name: given[name] for name in _MESSAGE_OPTIONS if given[name] is not None}
    with opened_to_add(where) as handle:
        added = handle.add({**message, "content": text}, session_id=session, infer=infer, wait=wait)
    told = "stored" if added.new else "already there, nothing changed"
    answer(
        where.as_json,
        added.to_dict(),
        lambda: [f"{told}: {counted(1, 'message')} {short(added.ids[0])}"],
    )
