"""`lamina rec stats`, `configure`, `join`, `expire`, `calibrate` and `forget`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, get_args

import click

from lamina.apps.cli import reminding
from lamina.apps.cli.opening import about, opened_recommender
from lamina.apps.cli.options import Where, recommending
from lamina.apps.cli.output import answer
from lamina.items import Privacy

if TYPE_CHECKING:
    from rich.console import RenderableType


@click.command("stats")
@recommending
def rec_stats_command(where: Where) -> None:
    """Show what the data are like, and what was made of them."""
    with opened_recommender(where) as recommender:
        kept, data = recommender.stats(), recommender.statistics()
        configuration = recommender.configuration

    def render() -> Iterable[RenderableType]:
        from lamina.apps.cli.render import figures
        from lamina.apps.cli.render import recommending as rendered

        yield rendered.statistics(data)
        yield from figures.stats(kept)
        yield rendered.configuration(configuration)

    told = {
        "data": data.to_dict(),
        "memory": kept.to_dict(),
        "configuration": configuration.to_dict(),
    }
    answer(where.as_json, told, render)


@click.command("configure")
@click.option(
    "--privacy", type=click.Choice(get_args(Privacy)), help="Whose notes may serve others."
)
@click.option(
    "--k",
    type=click.IntRange(1),
    help="How many users must support what serves all, under group and silo.",
)
@click.option(
    "--keep-text/--drop-text", default=None, help="Whether what users say of items is kept."
)
@click.option(
    "--keep-field",
    "fields",
    multiple=True,
    metavar="NAME",
    help="Only these metadata of interactions are kept; may be given several times.",
)
@click.option("--keep-all-fields", is_flag=True, help="All metadata of interactions are kept.")
@click.option(
    "--keep-days", type=click.IntRange(0), help="How long interactions are kept; 0: for ever."
)
@recommending
def rec_configure_command(
    where: Where,
    privacy: Privacy | None,
    k: int | None,
    keep_text: bool | None,
    fields: tuple[str, ...],
    keep_all_fields: bool,
    keep_days: int | None,
) -> None:
    """Show or set whom the memory may serve, and what is kept.

    It is kept in the store and holds for all who open it. What is not given stays as it is. open:
    everybody's notes may serve others, unnamed; group: those of the same group; silo: nobody's.
    With --name it may be set before there is anything in it.
    """
    if fields and keep_all_fields:
        raise click.UsageError("give --keep-field, or --keep-all-fields")
    given: dict[str, Any] = {
        "privacy": privacy,
        "k": k,
        "keep_text": keep_text,
        "keep_fields": "all" if keep_all_fields else fields or None,
        "keep_days": keep_days,
    }
    setting = any(value is not None for value in given.values())
    with opened_recommender(where, create=setting and where.recommender is not None) as recommender:
        found = recommender.configure(**given)

    def render() -> Iterable[RenderableType]:
        from lamina.apps.cli.render import recommending as rendered

        return [rendered.configuration(found)]

    answer(where.as_json, found.to_dict(), render)


@click.command("join")
@click.argument("who", metavar="USER")
@click.argument("group")
@click.option("--at", "timestamp", metavar="ISO", help="From when on. Default: now.")
@recommending
def rec_join_command(where: Where, who: str, group: str, timestamp: str | None) -> None:
    """Say which group a user belongs to.

    Where --privacy group is configured, notes serve those of the same group. The last that was said
    counts.
    """
    with opened_recommender(where) as recommender:
        added = recommender.join(who, group, timestamp=timestamp)
    told = f"{who} belongs to {group}" if added.new else "already so, nothing changed"
    answer(where.as_json, added.to_dict(), lambda: [told])


@click.command("expire")
@recommending
def rec_expire_command(where: Where) -> None:
    """Withdraw the interactions that are older than is to be kept.

    For how many days they are kept `lamina rec configure --keep-days` says. Nothing is erased, and
    `lamina rollback` takes it back.
    """
    with opened_recommender(where) as recommender:
        operation = recommender.expire()
        reminders = reminding.of_patterns(where, recommender)

    def render() -> Iterable[RenderableType]:
        from lamina.apps.cli.naming import call, short
        from lamina.apps.cli.render.table import unbroken

        if operation is None:
            return ["nothing is so old"]
        there = about(where, recommender.scope)
        back = call(there, "rollback", short(operation.id))
        told = [f"to take it back: {back}", *reminders]
        return ["what is older is withdrawn", *map(unbroken, told)]

    answer(where.as_json, {"operation": operation.to_dict() if operation else None}, render)


@click.command("calibrate")
@recommending
def rec_calibrate_command(where: Where) -> None:
    """Propose how near a note must be to be reconsidered.

    That is a cosine, and what cosines mean belongs to the encoder. Nothing is changed.
    """
    with opened_recommender(where) as recommender:
        found = recommender.calibrate()

    def render() -> Iterable[RenderableType]:
        from lamina.apps.cli.render import recommending as rendered

        return rendered.calibration(found)

    answer(where.as_json, found.to_dict(), render)


@click.command("forget")
@click.argument("who", metavar="[USER]", required=False)
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option(
    "--logical-only", is_flag=True, help="Leave the bytes in the file for `lamina compact`."
)
@recommending
@click.pass_context
def rec_forget_command(
    context: click.Context, where: Where, who: str | None, yes: bool, logical_only: bool
) -> None:
    """Erase a user, or all of a recommender, for good.

    With USER it is as `lamina forget --user USER`: a user is erased from the whole store, their
    own memory and their part in every recommender and conversation. It cannot be undone.
    """
    from lamina.apps.cli.erasing import forget_command

    if who is None and where.recommender is None:
        raise click.UsageError("what is to be erased? Give a USER, or a recommender with --name")
    named = where.about("recommender", where.recommender or "") if who is None else None
    erased = named or where.about("user", who or "")
    context.invoke(
        forget_command,
        yes=yes,
        logical_only=logical_only,
        **{name: getattr(erased, name) for name in Where.__dataclass_fields__},
    )
