"""`lamina eval`."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import click

from lamina.apps.cli.evaluating_rec import rec_command
from lamina.apps.cli.group import HelpfulGroup
from lamina.apps.cli.opening import settings
from lamina.apps.cli.output import answer
from lamina.apps.cli.progress import stages
from lamina.model import Variant

DATA = Path("locomo") / "locomo-dev.json"
"""Below the folder that LAMINA_DATA names."""


def _numbers(_: click.Context, __: click.Parameter, value: str) -> tuple[int, ...]:
    """Read whole numbers with commas between."""
    try:
        return tuple(int(part) for part in value.split(","))
    except ValueError as error:
        raise click.BadParameter(f"{value!r} is not like 5,10,20") from error


@click.group("eval", cls=HelpfulGroup)
def eval_command() -> None:
    """Measure recall, answers and recommendations on public data."""


eval_command.add_command(rec_command)


@eval_command.command("locomo")
@click.option(
    "--data",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help=f"A LoCoMo file. Default: {DATA} in the folder LAMINA_DATA.",
)
@click.option(
    "--corrections",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Audited answers and evidence that replace the file's own.",
)
@click.option(
    "--variant",
    type=click.Choice(get_args(Variant)),
    default="full",
    show_default=True,
    help="How much of the structure is used.",
)
@click.option(
    "--k",
    "ks",
    metavar="NUMBERS",
    callback=_numbers,
    default="5,10,20",
    show_default=True,
    help="Where to cut rankings.",
)
@click.option("--conversations", type=click.IntRange(1), help="Only so many, from the first.")
@click.option(
    "--full-context", is_flag=True, help="Answer also from whole conversations, to compare."
)
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON, for programs.")
def locomo_command(
    data: Path | None,
    corrections: Path | None,
    variant: Variant,
    ks: tuple[int, ...],
    conversations: int | None,
    full_context: bool,
    as_json: bool,
) -> None:
    """Measure on LoCoMo whether the turns that answer a question are found.

    Weights are fitted on the other conversations, one left out at a time. With a model, questions
    are answered and judged as well. Nothing is kept but the report.
    """
    path = data or _data()
    from lamina.evaluation import locomo, reports

    plan = locomo.Plan(
        variant=variant,
        ks=ks,
        corrections=corrections,
        conversations=conversations,
        full_context=full_context,
    )
    with stages() as told:
        report = locomo.run(path, plan, settings=settings(), told=told)
    answer(as_json, report.to_dict(), lambda: [reports.table(report)])


def _data() -> Path:
    path = Path(settings().data) / DATA
    if not path.is_file():
        raise click.UsageError(
            f"there is no data at {path}; name a file with --data,"
            " or the folder it lies in with LAMINA_DATA"
        )
    return path
