"""`lamina rec patterns`, `leave`, `enter` and `pool-...`: what users share, and who has a part."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, get_args

import click

from lamina.apps.cli.naming import call, resolve
from lamina.apps.cli.opening import about, opened_recommender
from lamina.apps.cli.options import Where, dated, recommending
from lamina.apps.cli.output import answer
from lamina.strategies.amem4rec.config import Cutting, Order, Table

if TYPE_CHECKING:
    from rich.console import RenderableType

    from lamina.items import Pattern
    from lamina.memory.pooling import Contribution, Pool
    from lamina.model import Revision

NONE_THEN = (
    "nothing that enough users support was known by then: in a pool that was filled later, patterns"
    " are known from the time of what they took in on, user after user; where moments before are"
    " asked of, `--order time` of `lamina rec pool-configure` has them taken in as things were done"
)
NONE = "nothing that enough users support; `lamina rec refresh` takes in what they did"
OFF = "off"
"""What is typed in place of a number for what is not to count."""


def _number(_: click.Context, __: click.Parameter, value: str | None) -> float | str | None:
    """Return the number that was typed, or `off`."""
    if value is None or value == OFF:
        return value
    try:
        return float(value)
    except ValueError as error:
        raise click.BadParameter(f"{value!r} is neither a number nor {OFF!r}") from error


@click.command("patterns")
@click.argument("id", required=False)
@click.option(
    "--user", "who", metavar="USER", help="Also what this user supports, with others or not."
)
@click.option("--history", "history", is_flag=True, help="With ID: every revision, for operators.")
@click.option(
    "--top", type=click.IntRange(1), default=20, show_default=True, help="How many are listed."
)
@dated("as_of")
@recommending
def rec_patterns_command(
    where: Where,
    id: str | None,
    who: str | None,
    history: bool,
    top: int,
    looking: dict[str, str],
) -> None:
    """List what users share, or show one pattern.

    Only what enough users support is told; with --user also what that user supports. The history
    of one tells each part that it took in, whose it was and by which operation, to whoever runs the
    store, also of a pattern that is told to nobody yet. ID may be its first characters.
    """
    if history and id is None:
        raise click.UsageError("whose history? Give the ID of a pattern")
    with opened_recommender(where) as recommender:
        pool = recommender.pool
        if id is None:
            none = NONE_THEN if looking else NONE
            _list(where, pool.patterns(who, limit=top, **looking), none)
            return
        if history:
            whole = resolve(pool, id)
            _history(where, pool.history(whole), pool.contributions(whole))
            return
        whole = resolve(pool, id, told=_told_ids(pool, who))
        found = pool.pattern(whole, user=who, **looking)

    def render() -> Iterable[RenderableType]:
        from lamina.apps.cli.render import sharing

        return sharing.pattern(found)

    answer(where.as_json, found.to_dict(), render)


def _told_ids(pool: Pool, who: str | None) -> Iterable[str]:
    from lamina.memory.write import MOST

    return (pattern.id for pattern in pool.patterns(who, limit=MOST))


def _list(where: Where, found: Sequence[Pattern], none: str) -> None:
    def render() -> Iterable[RenderableType]:
        from lamina.apps.cli.render import sharing

        return [sharing.patterns_table(found)] if found else [none]

    answer(where.as_json, {"patterns": [each.to_dict() for each in found]}, render)


def _history(
    where: Where, revisions: Sequence[Revision], contributions: Sequence[Contribution]
) -> None:
    def render() -> Iterable[RenderableType]:
        from lamina.apps.cli.render import sharing

        return [sharing.history_table(revisions, contributions)]

    told = {
        "revisions": [each.to_dict() for each in revisions],
        "contributions": [each.to_dict() for each in contributions],
    }
    answer(where.as_json, told, render)


@click.command("pool-configure")
@click.option("--k", type=click.IntRange(1), help="How many users must support what others see.")
@click.option("--w", type=click.IntRange(1), help="Interactions in a window.")
@click.option("--cut", type=click.Choice(get_args(Cutting)), help="Where windows begin.")
@click.option("--table", type=click.Choice(get_args(Table)), help="By which table is decided.")
@click.option(
    "--narrows/--fixed", default=None, help="Whether thresholds come nearer as the pool grows."
)
@click.option(
    "--tau-low",
    metavar="NUMBER",
    callback=_number,
    help="From which cosine on patterns may be linked.",
)
@click.option(
    "--tau-high", metavar="NUMBER", callback=_number, help="From which cosine on they say the same."
)
@click.option(
    "--half-life-days",
    metavar="NUMBER",
    callback=_number,
    help="After how many days without support a pattern weighs half.",
)
@click.option(
    "--order",
    type=click.Choice(get_args(Order)),
    help="Which parts are taken in first: users, one after another; or time, as things were done.",
)
@click.option("--seed", type=click.IntRange(0), help="Of the order of users.")
@click.option(
    "--cap", type=click.IntRange(0), help="How many patterns are left by pool-tidy; 0: all."
)
@click.option(
    "--keep-days",
    type=click.IntRange(0),
    help="For how long patterns are left by pool-tidy after their last support; 0: for ever.",
)
@recommending
def rec_pool_configure_command(where: Where, **given: Any) -> None:
    """Show or set to whom patterns are told, and how they are formed.

    It is kept in the store and holds for all who open it. What is not given stays as it is.
    Thresholds are tied to the encoder; off gives back what belongs to it, or lets age not count.
    """
    told: dict[str, Any] = {
        name: ("never" if name == "half_life_days" else "encoder") if value == OFF else value
        for name, value in given.items()
    }
    setting = any(value is not None for value in told.values())
    with opened_recommender(where, create=setting and where.recommender is not None) as recommender:
        found = recommender.pool.configure(**told)

    def render() -> Iterable[RenderableType]:
        from lamina.apps.cli.render import sharing

        return [sharing.configuration(found)]

    answer(where.as_json, found.to_dict(), render)


@click.command("leave")
@click.argument("who", metavar="USER")
@recommending
def rec_leave_command(where: Where, who: str) -> None:
    """Take a user out of what users share, from now on.

    Their parts are erased, and what rested on them is formed anew of what others did. Their
    interactions stay, and rankings for them. That they left is kept as their own statement.
    """
    with opened_recommender(where) as recommender:
        again, known = recommender.pool.has_left(who), bool(recommender.interactions(who))
        receipt = recommender.pool.leave(who)
        there = about(where, recommender.scope)

    def render() -> Iterable[RenderableType]:
        from lamina.apps.cli.render.table import unbroken
        from lamina.apps.cli.render.text import counted

        yield f"{who} had left already" if again else f"{who} left"
        if not known:
            yield f"mind: nobody of the name {who} did anything here; it holds for when they do"
        if receipt.messages:
            yield f"erased: {counted(receipt.messages, 'part')} of theirs and what rested on them"
            yield unbroken(f"what others did is taken in anew by: {call(there, 'rec refresh')}")

    told = {**receipt.to_dict(), "left_before": again, "known": known}
    answer(where.as_json, told, render)


@click.command("enter")
@click.argument("who", metavar="USER")
@recommending
def rec_enter_command(where: Where, who: str) -> None:
    """Let a user who left share again, from the next refresh on."""
    with opened_recommender(where) as recommender:
        added = recommender.pool.enter(who)
    told = f"{who} shares again" if added.new else f"{who} shares already; nothing changed"
    answer(where.as_json, added.to_dict(), lambda: [told])
