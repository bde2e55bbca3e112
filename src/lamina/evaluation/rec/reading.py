"""Data for recommending, in whatever layout they come, as a log."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path

from lamina.errors import FormatError
from lamina.evaluation.progress import Told, nobody
from lamina.evaluation.rec.logs import Catalogue, Log, Row, ordered
from lamina.formats.recommending import ORDER_ONLY, Fault, Layout, Read, detect
from lamina.items import Interaction, Item
from lamina.times import to_micros

EVERY = 10_000
"""Lines between words on how far reading has come."""


def read(
    path: Path,
    layout: Layout | None = None,
    *,
    seed: int = 0,
    told: Told = nobody,
) -> Log:
    """Return the interactions in a file or folder. Where any are rated, those alone count.

    Args:
        path: Of the data.
        layout: Of the data; `None` to tell by the files.
        seed: Of the order of what was done at once.
        told: Told how far it has come.

    Raises:
        FormatError: It cannot be read, or there are no interactions in it.
    """
    log = logged(_counted(detect(path, layout).read(), told), seed=seed)
    if not len(log.by):
        raise FormatError(f"{path.name}: there are no interactions in it")
    return log


def _counted(values: Iterable[Read], told: Told) -> Iterable[Read]:
    for done, value in enumerate(values):
        if done % EVERY == 0:
            told("reading", done, done)
        yield value


def logged(values: Iterable[Read], *, seed: int = 0) -> Log:
    """Return items and interactions as a log; lines that cannot be read are left out."""
    items: dict[str, Item] = {}
    done: list[Interaction] = []
    for value in values:
        if isinstance(value, Item):
            items[value.id] = value
        elif not isinstance(value, Fault):
            done.append(value)
    rated = [one for one in done if one.rating is not None]
    kept = rated or done
    return ordered(
        [_row(one) for one in kept],
        _catalogue(items),
        seed=seed,
        clocked=not any(one.metadata.get(ORDER_ONLY) for one in kept),
    )


def _row(one: Interaction) -> Row:
    rating = math.nan if one.rating is None else one.rating
    return Row(user=one.user, item=one.item, at=to_micros(one.at), rating=rating)


def _catalogue(items: dict[str, Item]) -> Catalogue:
    every = items.values()
    return Catalogue(
        items=tuple(items),
        titles=tuple(item.title for item in every),
        categories=tuple(item.categories for item in every),
        texts=tuple(_text(item) for item in every),
    )


def _text(item: Item) -> str:
    year = item.attributes.get("year")
    said = [item.title, item.description, *item.categories, *item.tags]
    if year is not None and str(year) not in item.title:
        said.append(str(year))
    return " ".join(filter(None, said))
