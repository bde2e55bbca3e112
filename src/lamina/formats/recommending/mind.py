"""MIND: news, and what was shown and clicked (`behaviors.tsv`).

A click is an interaction; what stood beside it unclicked is in its metadata (`passed_over`). The
history of a user is what they clicked before the log begins, in order but without times: it is
dated a second apart, up to the second before the user's first impression.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from lamina.errors import FormatError
from lamina.formats.recommending.fields import identity, moment, text, texts
from lamina.formats.recommending.lines import Made, fields, numbered
from lamina.formats.recommending.records import ORDER_ONLY, Part, Read
from lamina.items import Interaction, Item

NEWS, BEHAVIOURS = 8, 5
"""Columns."""
_APART = timedelta(seconds=1)


def _news(cut: Sequence[str], _: int) -> Made:
    if len(cut) < NEWS - 2:
        raise FormatError(f"expected {NEWS} columns, found {len(cut)}")
    yield Item(
        id=identity(cut[0], "news id"),
        title=text(cut[3], "title"),
        description=text(cut[4], "abstract"),
        categories=texts(list(cut[1:3]), "category"),
        tags=tuple(dict.fromkeys(name for names in cut[6:8] for name in _entities(names))),
    )


def _entities(written: str) -> Iterator[str]:
    """Yield the names of what a title or an abstract is about."""
    try:
        found = json.loads(written) if written.strip() else []
    except ValueError as error:
        raise FormatError(f"entities: expected JSON, found {written!r:.60}") from error
    for entity in found if isinstance(found, list) else ():
        if isinstance(entity, dict) and entity.get("Label"):
            yield text(entity["Label"], "entities")


def _behaviours(path: Path) -> Iterator[Read]:
    first = _first_impressions(path)

    def make(cut: Sequence[str], _: int) -> Made:
        impression, user, at, history, shown = _behaviour(cut)
        clicks = tuple(_clicks(impression, user, at, shown))
        began = first.pop(user, None)
        before = () if began is None else _history(user, began, history)
        return (*before, *clicks)

    return fields(path, "\t", make)


def _behaviour(cut: Sequence[str]) -> tuple[str, str, datetime, list[str], list[str]]:
    if len(cut) != BEHAVIOURS:
        raise FormatError(f"expected {BEHAVIOURS} columns, found {len(cut)}")
    at = moment(cut[2], "time")
    if at is None:
        raise FormatError("expected a time, found none")
    return cut[0].strip(), identity(cut[1], "user id"), at, cut[3].split(), cut[4].split()


def _first_impressions(path: Path) -> dict[str, datetime]:
    """Return when each user was first shown something: the file is not in their order."""
    first: dict[str, datetime] = {}
    for _, line in numbered(path):
        try:
            _, user, at, _, _ = _behaviour(line.rstrip("\r\n").split("\t"))
        except FormatError:
            continue  # Told when the line is read.
        if user not in first or at < first[user]:
            first[user] = at
    return first


def _history(user: str, first: datetime, history: list[str]) -> Iterator[Interaction]:
    for number, item in enumerate(history):
        yield Interaction(
            id=f"{user} before {number} {item}",
            user=user,
            item=identity(item, "history"),
            at=first - (len(history) - number) * _APART,
            action="click",
            metadata={ORDER_ONLY: True},
        )


def _clicks(impression: str, user: str, at: datetime, shown: list[str]) -> Iterator[Interaction]:
    labelled = [one.rpartition("-") for one in shown]
    passed = [item for item, _, label in labelled if label == "0"]
    for item, _, label in labelled:
        if label == "1":
            yield Interaction(
                id="",
                user=user,
                item=identity(item, "impressions"),
                at=at,
                action="click",
                metadata={"impression": impression, "passed_over": passed},
            )


PARTS = (
    Part(
        "mind", "items",
        lambda peek: peek.name.endswith("news.tsv") and peek.first.count("\t") >= NEWS - 3,
        partial(fields, separator="\t", make=_news),
    ),
    Part(
        "mind", "interactions",
        lambda peek: peek.name.endswith("behaviors.tsv")
        and peek.first.count("\t") == BEHAVIOURS - 1,
        _behaviours,
    ),
)  # fmt: skip
