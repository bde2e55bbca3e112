"""Cards, clicks and stages for tests of how memory is formed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

from lamina.items import Interaction, Item
from lamina.ports import Failure
from lamina.strategies.atomrec.stages import (
    Card,
    Click,
    Evolution,
    Evolving,
    Fields,
    Linking,
    Reflecting,
    Reflection,
    Relation,
    Written,
)
from lamina.testing.clock import NOON


def card(id_: str, *, keywords: str = "", tags: str = "", **given: Any) -> Card:
    """Return a note about an item of its own, unless told otherwise."""
    fields = Fields(
        content=given.pop("content", f"liked {id_}"),
        keywords=tuple(keywords.split()),
        tags=tuple(tags.split()),
        context=given.pop("context", ""),
    )
    defaults: dict[str, Any] = {"side": "own", "at": NOON, "item": id_}
    return Card(id=id_, fields=fields, **defaults | given)


def click(item: Item | None = None, *, minute: float = 0, **given: Any) -> Click:
    """Return what ann did with a film."""
    film = item or Item(id="m1", title="Heat (1995)", categories=("Crime", "Drama"))
    done = Interaction(
        id=given.pop("id", "i1"),
        user="ann",
        item=film.id,
        at=NOON + timedelta(minutes=minute),
        rating=given.pop("rating", None),
        text=given.pop("text", ""),
        action=given.pop("action", "rate"),
    )
    return Click(interaction=done, item=film, **given)


Answers = Callable[[Any], Any]


class ScriptedStages:
    """Stages that do as a test says, and keep what they were asked."""

    name = "scripted"
    asks = True
    model = "scripted"

    def __init__(
        self,
        write: Answers | None = None,
        link: Answers | None = None,
        evolve: Answers | None = None,
        reflect: Answers | None = None,
    ) -> None:
        self._write, self._link = write or _written, link or (lambda _: ())
        self._evolve, self._reflect = evolve or (lambda _: None), reflect or (lambda _: None)
        self.clicks: list[Click] = []
        self.linked: list[Linking] = []
        self.evolving: list[Evolving] = []
        self.reflecting: list[Reflecting] = []

    def write(self, clicks: Sequence[Click]) -> list[Written | Failure]:
        self.clicks += clicks
        return [self._write(each) for each in clicks]

    def link(self, asked: Sequence[Linking]) -> list[tuple[Relation, ...] | Failure]:
        self.linked += asked
        return [self._link(each) for each in asked]

    def evolve(self, asked: Sequence[Evolving]) -> list[Evolution | Failure | None]:
        self.evolving += asked
        return [self._evolve(each) for each in asked]

    def reflect(self, asked: Sequence[Reflecting]) -> list[Reflection | Failure | None]:
        self.reflecting += asked
        return [self._reflect(each) for each in asked]


def _written(asked: Click) -> Written:
    title = asked.item.title or asked.item.id
    item = Fields(content=title, tags=asked.item.categories) if asked.new_item else None
    return Written(user=Fields(content=f"saw {title}", tags=asked.item.categories), item=item)


def evolution(asked: Evolving, *tags: str, **given: Any) -> Evolution:
    """Return that the target is to have these tags, since the new note says so."""
    fields = asked.target.fields
    defaults: dict[str, Any] = {
        "keywords": fields.keywords,
        "context": fields.context,
        "supporting": (asked.new.id,),
    }
    return Evolution(tags=tags, **defaults | given)
