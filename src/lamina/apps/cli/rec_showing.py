"""What the demo shows of recommending: a taste that moves, and a request with its reasons."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lamina.apps.cli.opening import opened
from lamina.apps.cli.options import Where
from lamina.apps.cli.render import recommending as rendered
from lamina.apps.cli.render.table import bold, literal
from lamina.apps.cli.render.text import counted
from lamina.items import Ranking
from lamina.memory.recommending import Explanation
from lamina.model import Value

if TYPE_CHECKING:
    from rich.console import RenderableType

OWN = Path(__file__).with_name("demo_outings.json")
"""Invented: a dozen outings, and what three people thought of them."""
WHO = "Mia"
BEFORE = "2025-06-01"
ASKED = "something cheap in the north"
SHOWN = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Recommended(Value):
    """What was recommended to whom."""

    items: int
    interactions: int
    seconds: float
    """For storing it and forming notes."""
    then: Ranking
    """As of a day before the taste moved."""
    now: Ranking
    asked: Ranking
    """With a request."""
    explanation: Explanation
    """Of the first of those."""
    notes: int


def run() -> Recommended:
    """Fill a recommender in a store that is thrown away, and rank."""
    data = json.loads(OWN.read_text(encoding="utf-8"))
    with opened(Where(db=":memory:")) as memory:
        outings = memory.recommender("outings")
        began = time.perf_counter()
        outings.add_items(data["items"])
        outings.add_interactions(data["interactions"], wait=True)
        seconds = time.perf_counter() - began
        asked = outings.rank(WHO, instruction=ASKED, top_k=SHOWN, explain=True)
        return Recommended(
            items=len(data["items"]),
            interactions=len(data["interactions"]),
            seconds=seconds,
            then=outings.rank(WHO, as_of=BEFORE, top_k=SHOWN),
            now=outings.rank(WHO, top_k=SHOWN),
            asked=asked,
            explanation=outings.explain(WHO, asked.ids[0], instruction=ASKED),
            notes=len(outings.list()),
        )


def render(shown: Recommended) -> Iterator[RenderableType]:
    """Tell it, part by part."""
    yield bold("Recommending: a taste that moves, and reasons")
    yield literal(
        f"{counted(shown.items, 'outing')}, {counted(shown.interactions, 'visit')} of three people,"
        f" stored and formed into {counted(shown.notes, 'note')} in {shown.seconds:.1f} s."
    )
    for told, found in (
        (f"{WHO} as of {BEFORE}: only what was known by then, of anybody", shown.then),
        (f"{WHO} now", shown.now),
        (f'{WHO} asks for "{ASKED}"', shown.asked),
    ):
        yield bold(f"? {told}")
        yield from rendered.ranking(found)
    yield bold("What speaks for the first")
    yield from rendered.explanation(shown.explanation)
