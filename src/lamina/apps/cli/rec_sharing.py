"""What the demo shows of what users share: a pattern of several, and whom it helps."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lamina.apps.cli.opening import opened
from lamina.apps.cli.options import Where
from lamina.apps.cli.rec_showing import OWN, SHOWN
from lamina.apps.cli.render import recommending as rendered
from lamina.apps.cli.render import sharing
from lamina.apps.cli.render.table import bold, literal
from lamina.apps.cli.render.text import counted
from lamina.items import Pattern, Ranking
from lamina.model import Value

if TYPE_CHECKING:
    from rich.console import RenderableType

WHO = "Lea"
"""Who came twice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared(Value):
    """What users share, and what it gave somebody of whom little is known."""

    users: int
    parts: int
    """Stretches of what they did."""
    patterns: tuple[Pattern, ...]
    """Those that enough users support to be told to anybody."""
    ranking: Ranking


def run() -> Shared:
    """Fill a recommender in a store that is thrown away, and let its users share."""
    data = json.loads(OWN.read_text(encoding="utf-8"))
    with opened(Where(db=":memory:")) as memory:
        outings = memory.recommender("outings")
        outings.add_items(data["items"])
        outings.add_interactions(data["shared"], wait=True)
        refreshed = outings.pool.refresh()
        return Shared(
            users=len({visit["user"] for visit in data["shared"]}),
            parts=refreshed.taken_in,
            patterns=tuple(outings.pool.patterns()),
            ranking=outings.rank(WHO, top_k=SHOWN, explain=True),
        )


def render(shown: Shared) -> Iterator[RenderableType]:
    """Tell it, part by part."""
    yield bold("What users share: a pattern, and whom it helps")
    yield literal(
        f"{counted(shown.users, 'user')}, {counted(shown.parts, 'stretch', 'stretches')} of what"
        " they did, in general terms. What at least three of them support:"
    )
    yield sharing.patterns_table(shown.patterns)
    yield bold(f"? {WHO}, who came twice")
    yield from rendered.ranking(shown.ranking)
