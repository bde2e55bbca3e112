"""`lamina rec rank`, `explain` and `profile`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from lamina.apps.cli.naming import call
from lamina.apps.cli.opening import about, opened_recommender
from lamina.apps.cli.options import Where, dated, recommending, standard_input
from lamina.apps.cli.output import answer
from lamina.errors import BadInput, NotFound
from lamina.items import Method

if TYPE_CHECKING:
    from rich.console import RenderableType

_INSTRUCTION = click.option(
    "--instruction", default="", metavar="TEXT", help="What the user asks for, in words."
)


@click.command("rank")
@click.argument("who", metavar="USER")
@click.option(
    "--candidates",
    metavar="IDS",
    help="Ids with commas between, or a file with an id a line, or - for standard input."
    " Default: all items that the user has not had.",
)
@_INSTRUCTION
@click.option(
    "--top",
    "top_k",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    help="How many are shown.",
)
@click.option(
    "--method",
    type=click.Choice(get_args(Method)),
    default="lamina",
    show_default=True,
    help="By all there is, without what users share, or by that and the latest interactions alone.",
)
@click.option(
    "--summary", is_flag=True, help="With --json: only who, by which patterns, and what, in order."
)
@dated("as_of")
@recommending
def rec_rank_command(
    where: Where,
    who: str,
    candidates: str | None,
    summary: bool,
    looking: dict[str, str],
    **asked: Any,
) -> None:
    """Put items in order for a user, with reasons.

    What is asked for is matched with attributes too, such as "something cheap in the north". It
    never waits: what no notes are formed of yet counts as what was done, and is told. Patterns that
    users share and that were looked up are told with how often each evolved.
    """
    if summary and not where.as_json:
        raise click.UsageError("--summary is for programs; give --json with it")
    given = None if candidates is None else _ids(candidates)
    asked |= looking
    with opened_recommender(where) as recommender:
        ranking = recommender.rank(who, given, explain=True, **asked)
        there = about(where, recommender.scope)
    if given and not ranking.items:
        _no_file(given)

    def render() -> Iterable[RenderableType]:
        from lamina.apps.cli.render import recommending as rendered

        return rendered.ranking(ranking, call(there, "rec refresh"))

    answer(where.as_json, ranking.summary() if summary else ranking.to_dict(), render)


@click.command("explain")
@click.argument("who", metavar="USER")
@click.argument("item")
@_INSTRUCTION
@dated("as_of")
@recommending
def rec_explain_command(
    where: Where, who: str, item: str, instruction: str, looking: dict[str, str]
) -> None:
    """Tell what speaks for and against one item for a user.

    These are the user's notes, the item's, and what links lead to, each with its date and with how
    it hangs together. What others did is told without their names.
    """
    with opened_recommender(where) as recommender:
        found = recommender.explain(who, item, instruction=instruction, **looking)

    def render() -> Iterable[RenderableType]:
        from lamina.apps.cli.render import recommending as rendered

        return rendered.explanation(found)

    answer(where.as_json, found.to_dict(), render)


@click.command("profile")
@click.argument("who", metavar="USER")
@dated("as_of")
@recommending
def rec_profile_command(where: Where, who: str, looking: dict[str, str]) -> None:
    """Tell what is known of a user: sides of their taste.

    Each with how sure it is, what bears it out, and whether it lasts or is passing.
    """
    with opened_recommender(where) as recommender:
        found = recommender.profile(who, **looking)

    def render() -> Iterable[RenderableType]:
        from lamina.apps.cli.render import recommending as rendered

        return rendered.profile(found)

    answer(where.as_json, found.to_dict(), render)


def _ids(given: str) -> list[str]:
    """Return the ids that are given, in their order, or those of the lines of a file."""
    if given == "-":
        lines = standard_input().decode("utf-8-sig", "replace").splitlines()
    elif _is_file(given):
        lines = _text(Path(given)).splitlines()
    else:
        lines = given.split(",")
    ids = [line.strip() for line in lines if line.strip()]
    if not ids:
        raise click.UsageError("there are no candidates; give ids, or leave --candidates out")
    return ids


def _is_file(given: str) -> bool:
    try:
        return Path(given).is_file()
    except OSError:  # Too long for a name: then these are ids.
        return False


def _no_file(ids: list[str]) -> None:
    """Raise `NotFound` if what was given for ids looks like the name of a file."""
    if len(ids) == 1 and (Path(ids[0]).suffix or Path(ids[0]).name != ids[0]):
        raise NotFound(f"there is no file {ids[0]!r:.200}, nor an item with this id")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"{path.name}: expected an id a line, as UTF-8 text") from error
