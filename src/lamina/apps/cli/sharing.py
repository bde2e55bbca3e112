"""`lamina grant`, `revoke` and `grants`: who may do what in a shared space."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from lamina.apps.cli.opening import opened_space
from lamina.apps.cli.options import Where, spaced
from lamina.apps.cli.output import answer

if TYPE_CHECKING:
    from rich.console import RenderableType


@click.command("grant")
@click.argument("who")
@click.option("--write", is_flag=True, help="It may also add, and change what it added.")
@spaced
def grant_command(where: Where, who: str, write: bool) -> None:
    """Let a user or an agent read a shared space, or write in it.

    WHO is user:ID or agent:NAME. It takes the place of what was granted to it before; what it may
    do it does with --space and --as.
    """
    with opened_space(where, create=True) as space:
        space.grant(who, write=write)
    may = "read and write" if write else "read"
    answer(
        where.as_json,
        {"space": where.space, "principal": who, "read": True, "write": write},
        lambda: [f"{who} may {may} in the space {where.space}"],
    )


@click.command("revoke")
@click.argument("who")
@spaced
def revoke_command(where: Where, who: str) -> None:
    """Take from a user or an agent what it was granted.

    WHO is user:ID or agent:NAME. What it wrote stays.
    """
    with opened_space(where) as space:
        held = any(grant.principal == who for grant in space.grants())
        space.revoke(who)
    told = "may no longer read in" if held else "had nothing to lose in"
    answer(
        where.as_json,
        {"space": where.space, "principal": who, "held": held},
        lambda: [f"{who} {told} the space {where.space}"],
    )


@click.command("grants")
@spaced
def grants_command(where: Where) -> None:
    """List who may do what in a shared space.

    Whoever runs the store may do anything in it, and is not listed.
    """
    with opened_space(where) as space:
        grants = space.grants()

    def render() -> Iterable[RenderableType]:
        from lamina.apps.cli.render.entries import grants_table

        nobody = f"nobody was let into the space {where.space}; `lamina grant` does so"
        return [grants_table(grants)] if grants else [nobody]

    answer(where.as_json, {"grants": [grant.to_dict() for grant in grants]}, render)
