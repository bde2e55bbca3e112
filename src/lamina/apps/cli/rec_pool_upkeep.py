"""`lamina rec pool-calibrate`, `pool-measure` and `pool-tidy`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from lamina.apps.cli.naming import call, short
from lamina.apps.cli.opening import about, opened_recommender
from lamina.apps.cli.options import Where, recommending
from lamina.apps.cli.output import answer
from lamina.apps.cli.progress import progress

if TYPE_CHECKING:
    from rich.console import RenderableType

    from lamina.memory.pooling import Pool, Tidied

SHOWN = 5
"""Pairs that were merged and are shown."""


@click.command("pool-calibrate")
@recommending
def rec_pool_calibrate_command(where: Where) -> None:
    """Propose from which cosines on patterns are linked, and are the same.

    By what this pool is like with the encoder at hand: thresholds belong to an encoder. Nothing is
    changed; `lamina rec pool-configure` sets them.
    """
    with opened_recommender(where) as recommender:
        found = recommender.pool.calibrate()
        there = about(where, recommender.scope)

    def render() -> Iterable[RenderableType]:
        from lamina.apps.cli.render import sharing

        low, high = f"{found.tau_low:.3f}", f"{found.tau_high:.3f}"
        options = ("--tau-low", low, "--tau-high", high)
        return sharing.thresholds(found, call(there, "rec pool-configure", *options))

    answer(where.as_json, found.to_dict(), render)


@click.command("pool-measure")
@recommending
def rec_pool_measure_command(where: Where) -> None:
    """Measure how large a pool is and how alike.

    Patterns, parts and users, how often patterns evolved, the mean cosine of those that are linked
    and of those that are not, and the share of near-twins.
    """
    with opened_recommender(where) as recommender:
        found = recommender.pool.measure()

    def render() -> Iterable[RenderableType]:
        from lamina.apps.cli.render import sharing

        return [sharing.measures(found)]

    answer(where.as_json, found.to_dict(), render)


@click.command("pool-tidy")
@click.option("--dry-run", is_flag=True, help="Only tell what would be done.")
@recommending
def rec_pool_tidy_command(where: Where, dry_run: bool) -> None:
    """Merge patterns that say the same, and withdraw what serves nobody.

    That is what never evolved, what nobody has supported for the days that are configured, and what
    is above the configured number. Nothing is erased, and `lamina rollback --pool` takes it back.
    """
    with opened_recommender(where) as recommender, progress("tidying") as advance:
        pool = recommender.pool
        found = pool.tidy(dry_run=dry_run, progress=advance)
        some = list(found.merged.items())[:SHOWN]
        words = {id_: _words(pool, id_) for pair in some for id_ in pair}
        there = about(where, pool.scope)

    def render() -> Iterable[RenderableType]:
        from lamina.apps.cli.render import sharing

        yield from sharing.tidied(found, [(words[twin], words[heir]) for twin, heir in some])
        yield from _back(there, found)

    answer(where.as_json, found.to_dict(), render)


def _words(pool: Pool, id: str) -> str:
    last = pool.history(id)[-1]
    return f"{last.text} {last.context}".strip()


def _back(there: Where, found: Tidied) -> Iterable[RenderableType]:
    """Tell in one line how to take it back, what was done last first."""
    from lamina.apps.cli.render.table import unbroken

    operations = [short(each) for each in reversed(found.operations)]
    if len(operations) == 1:
        yield unbroken(f"to take it back: {call(there, 'rollback', *operations)}")
    elif operations:
        each = f"{call(there, 'rollback')} $each"
        yield unbroken(f"to take it back: for each in {' '.join(operations)}; do {each}; done")
