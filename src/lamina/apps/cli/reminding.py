"""What people are reminded of once interactions are hidden: patterns count them for now."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from lamina.apps.cli.naming import call
from lamina.apps.cli.opening import about

if TYPE_CHECKING:
    from lamina.apps.cli.opening import Kept
    from lamina.apps.cli.options import Where
    from lamina.memory.recommending import Recommender
    from lamina.memory.space import Member


def of_patterns(where: Where, handle: Kept | Member) -> tuple[str, ...]:
    """Return the line that tells it, where a recommender has a pool; else none."""
    if handle.scope.kind != "recommender":
        return ()
    recommender = cast("Recommender", handle)
    if not recommender.pool.operations(limit=1):
        return ()
    again = call(about(where, recommender.scope), "rec refresh")
    return (f"what users share goes by what was there before, until: {again}",)


def of_patterns_after(where: Where, handle: Kept | Member, id: str) -> tuple[str, ...]:
    """Return the same where what was hidden is an interaction, not a note."""
    if handle.scope.kind != "recommender":
        return ()
    [first, *_] = handle.history(id)
    return of_patterns(where, handle) if first.sources == (id,) else ()
