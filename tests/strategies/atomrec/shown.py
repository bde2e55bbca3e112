"""Cards, clicks and readings with defaults for what a test does not care about."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from lamina.items import Interaction, Item
from lamina.strategies.atomrec.stages import (
    Candidate,
    Card,
    Click,
    Evolving,
    Fields,
    Linking,
    Reading,
    Reflecting,
)
from lamina.testing.clock import NOON


def card(id_: str = "n1", content: str = "The user rated Heat 4.0.", **given: Any) -> Card:
    """Return a note of the user's own; `day`: how many days after noon."""
    fields = Fields(
        content=content,
        keywords=given.pop("keywords", ("heist",)),
        tags=given.pop("tags", ("Crime",)),
        context=given.pop("context", ""),
    )
    at = NOON + timedelta(days=given.pop("day", 0))
    defaults: dict[str, Any] = {"side": "own", "item": "m1", "rating": 4.0}
    return Card(id=id_, fields=fields, at=at, **defaults | given)


def click(text: str = "Tense.", **given: Any) -> Click:
    """Return an interaction with an item that has a note already."""
    item = given.pop("item", Item(id="m1", title="Heat", categories=("Crime",)))
    done = Interaction(id="i1", user="ann-secret", item=item.id, at=NOON, rating=4.0, text=text)
    return Click(interaction=done, item=item, **given)


def linking(*ids: str) -> Linking:
    """Return a new note and those near to it."""
    return Linking(new=card("new"), near=tuple(card(id_) for id_ in ids))


def evolving(*nearby: str) -> Evolving:
    """Return a target `old` and a note `new`, numbered 2 and 1."""
    return Evolving(new=card("new"), target=card("old"), nearby=tuple(card(id_) for id_ in nearby))


def reflecting(*neighbours: str) -> Reflecting:
    """Return a note `new`, an item's note `item`, and neighbours, numbered from 1."""
    return Reflecting(
        click=click(),
        note=card("new"),
        item=card("item", side="item"),
        neighbours=tuple(card(id_) for id_ in neighbours),
    )


def reading(**given: Any) -> Reading:
    """Return own notes `a` and `b`, and `c` of somebody else, to which a link from `a` leads."""
    linked = replace(card("c", side="other"), after="a", relation="the same heist")
    defaults: dict[str, Any] = {
        "instruction": "",
        "profile": "",
        "own": (card("a"), card("b", day=40)),
        "linked": (linked,),
    }
    return Reading(**defaults | given)


def candidate(id_: str, **given: Any) -> Candidate:
    """Return an item to be ranked."""
    memory = given.pop("memory", f"What is known of {id_}.")
    return Candidate(item=Item(id=id_, title=f"Film {id_}", **given), memory=memory)
