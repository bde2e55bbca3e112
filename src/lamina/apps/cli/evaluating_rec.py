"""`lamina eval rec`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from lamina.apps.cli.opening import settings
from lamina.apps.cli.output import answer, note
from lamina.apps.cli.progress import stages

if TYPE_CHECKING:
    from lamina.evaluation.rec.running import Wanted

DATA = "ml-latest-small"
"""Below the folder that LAMINA_DATA names."""
Size = int | tuple[Literal["uniform", "popularity"], int] | Literal["all"] | Path
_EXISTING = click.Path(exists=True, path_type=Path)
_WRITTEN = click.Path(dir_okay=False, writable=True, path_type=Path)


def _sizes(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> tuple[Size, ...]:
    """Read numbers, sets such as `popularity-20`, `all`, or names of files."""
    return tuple(map(_size, values))


def _size(value: str) -> Size:
    if value == "all":
        return "all"
    if value.isdigit():
        return int(value)
    sampling, _, number = value.partition("-")
    if sampling in ("uniform", "popularity") and number.isdigit():
        return ("popularity" if sampling == "popularity" else "uniform"), int(number)
    if not Path(value).is_file():
        raise click.BadParameter(f"{value!r} is no number, no such set, not all, and no file")
    return Path(value)


def _full(_: click.Context, __: click.Parameter, value: str) -> int | None:
    if value == "full":
        return None
    if not value.isdigit() or int(value) < 1:
        raise click.BadParameter(f"{value!r} is not full and no number")
    return int(value)


@click.command("rec")
@click.option(
    "--data",
    type=_EXISTING,
    help=f"A file or folder of interactions. Default: {DATA} in the folder LAMINA_DATA.",
)
@click.option(
    "--drift",
    type=click.IntRange(20),
    metavar="USERS",
    help="Instead of data: so many made-up users, half of whom change their taste.",
)
@click.option(
    "--protocol",
    type=click.Choice(["replay", "leave-last-out"]),
    help="Foretell by what was known before each moment, or each user's last by all the rest."
    " Default: replay; leave-last-out where histories are cut.",
)
@click.option(
    "--cold",
    type=click.IntRange(1),
    multiple=True,
    metavar="N",
    help="Cut the histories of those asked about to their last N before the target, for every"
    " method; may be repeated.",
)
@click.option(
    "--candidates",
    "sizes",
    multiple=True,
    default=("10", "20", "all"),
    show_default=True,
    metavar="10|popularity-20|all|FILE",
    callback=_sizes,
    help="Among how many the target is, and how drawn; or a file that says which. May be repeated.",
)
@click.option("--candidates-out", type=_WRITTEN, help="Write the candidates to this file.")
@click.option(
    "--sampling",
    type=click.Choice(["uniform", "popularity"]),
    default="uniform",
    show_default=True,
    help="How candidates are drawn where that is not told.",
)
@click.option(
    "--users",
    metavar="full|N",
    default="full",
    show_default=True,
    callback=_full,
    help="Ask about all users, or about so many, chosen by hash.",
)
@click.option(
    "--questions",
    type=click.IntRange(1),
    default=1000,
    show_default=True,
    help="Of a replay, at most, chosen by hash.",
)
@click.option(
    "--share",
    type=click.FloatRange(0.01, 0.45),
    default=0.1,
    show_default=True,
    help="Of the interactions, the latest, that a replay foretells.",
)
@click.option(
    "--checkpoints",
    type=click.IntRange(1),
    default=5,
    show_default=True,
    help="How often the baselines learn anew in a replay.",
)
@click.option(
    "--method",
    "methods",
    multiple=True,
    metavar="NAME",
    help="Report this method; may be repeated. Default: all.",
)
@click.option(
    "--memory",
    "db",
    type=_EXISTING,
    metavar="FILE",
    help="A store with a recommender that was built from the data; else one is built.",
)
@click.option("--recommender", default="eval", show_default=True, help="Its name in that store.")
@click.option("--no-memory", is_flag=True, help="Only methods without memory.")
@click.option(
    "--windows",
    metavar="full|N",
    default="20",
    show_default=True,
    callback=_full,
    help="How many windows of each user a pool takes in, the last: the more, the longer it takes.",
)
@click.option(
    "--no-pool",
    is_flag=True,
    help="Without what users share, of which pools are made anew for all that is learnt.",
)
@click.option("--analyses", is_flag=True, help="Also ablations and sensitivity: takes long.")
@click.option(
    "--pool-analyses",
    is_flag=True,
    help="Also pools with less, with other numbers and in other orders, and how far they"
    " contaminate: takes long.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of all that is drawn.")
@click.option("--report", "page", type=_WRITTEN, metavar="FILE", help="Write a page with plots.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON, for programs.")
def rec_command(**options: Any) -> None:
    """Measure whether memory helps to foretell what users turn to next.

    Beside memory the same candidates are ranked by simple methods. Weights are fitted on the
    validation alone; what each stage may see is printed, and whatever breaks it fails.
    """
    from lamina.evaluation.rec import pages, reports, running

    with stages() as told:
        report = running.run(_wanted(options), settings=settings(), told=told)
    if options["page"] is not None:
        pages.write(options["page"], report)
        note(f"written to {options['page']}")
    answer(options["as_json"], report.to_dict(), lambda: ["\n".join(reports.lines(report))])


def _wanted(options: dict[str, Any]) -> Wanted:
    from lamina.evaluation.rec.running import Wanted
    from lamina.evaluation.rec.runs import Plan

    cold = tuple(dict.fromkeys(options["cold"]))
    plan = Plan(
        protocol=options["protocol"] or ("leave-last-out" if cold else "replay"),
        cold=cold,
        candidates=options["sizes"],
        sampling=options["sampling"],
        users=options["users"],
        questions=options["questions"],
        share=options["share"],
        windows=options["windows"],
        checkpoints=options["checkpoints"],
        methods=options["methods"],
        seed=options["seed"],
        candidates_out=options["candidates_out"],
    )
    return Wanted(
        plan=plan,
        data=None if options["drift"] else _data(options["data"]),
        drift=options["drift"],
        store=options["db"],
        recommender=options["recommender"],
        memory=not options["no_memory"],
        pool=not options["no_pool"],
        analyses=options["analyses"],
        pool_analyses=options["pool_analyses"],
    )


def _data(given: Path | None) -> Path:
    path = given or Path(settings().data) / DATA
    if not path.exists():
        raise click.UsageError(
            f"there is no data at {path}; name a folder with --data,"
            " or the folder it lies in with LAMINA_DATA"
        )
    return path
