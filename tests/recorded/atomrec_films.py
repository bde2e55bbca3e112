"""Eight users of MovieLens, read from the evaluation data where they are."""

import csv
import os
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from lamina.identity import digest
from lamina.items import Interaction, Item

USERS = {
    "films-62": (8, 10, ""),
    "films-141": (8, 10, "something light"),
    "films-208": (8, 10, ""),
    "films-277": (8, 10, ""),
    "films-364": (8, 10, ""),
    "films-446": (8, 10, ""),
    "films-512": (8, 10, "an old classic"),
    "films-611": (8, 20, ""),
}
"""Case to how many interactions come before, how many candidates there are, and what is asked."""
OTHERS = 10
"""Interactions of others that are known."""
POPULAR = 20
"""Candidates have more ratings than this, so that a reader may know them."""


def folder() -> Path:
    """Return where the data would be."""
    return Path(os.environ.get("LAMINA_DATA", "../shared/data")) / "ml-latest-small"


def cases() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each case, if the data are there."""
    if (folder() / "ratings.csv").exists():
        for name, (before, candidates, instruction) in USERS.items():
            yield name, _situation(name.split("-")[1], before, candidates, instruction)


def _situation(user: str, before: int, count: int, instruction: str) -> dict[str, Any]:
    """Return the user's first interactions; the candidates are the next one and others, by hash."""
    items, by_user = data()
    own = by_user[user]
    worded = [i for i, each in enumerate(own[:-1]) if before <= i < 3 * before and each.text]
    place = worded[-1] if worded else before
    click, target = own[place], own[place + 1]
    known = own[place - before : place + 1]
    shared = {each.item for each in known}
    others = [
        each
        for other, done in by_user.items()
        for each in done
        if other != user and each.item in shared and each.at < click.at
    ]
    others.sort(key=lambda each: digest(user, each.id))
    known_items = {each.item for each in own}
    left = sorted(
        (id_ for id_ in items if id_ not in known_items), key=lambda id_: digest(user, id_)
    )
    seen = Counter(each.item for done in by_user.values() for each in done)
    popular = [id_ for id_ in left if seen[id_] > POPULAR]
    return {
        "items": items,
        "before": tuple(known[:-1]),
        "click": click,
        "others": tuple(sorted(others[:OTHERS], key=lambda each: each.at)),
        "candidates": (*popular[: count - 1], target.item),
        "instruction": instruction,
    }


@cache
def data() -> tuple[dict[str, Item], dict[str, list[Interaction]]]:
    """Return items, and interactions by user in the order of time."""
    words: dict[tuple[str, str], list[str]] = defaultdict(list)
    for row in _rows("tags"):
        words[row["userId"], row["movieId"]].append(row["tag"])
    items = {
        row["movieId"]: Item(
            id=row["movieId"], title=row["title"], categories=tuple(row["genres"].split("|"))
        )
        for row in _rows("movies")
    }
    by_user: dict[str, list[Interaction]] = defaultdict(list)
    for row in _rows("ratings"):
        user, item = row["userId"], row["movieId"]
        by_user[user].append(
            Interaction(
                id=f"{user}-{item}",
                user=user,
                item=item,
                at=datetime.fromtimestamp(int(row["timestamp"]), UTC),
                rating=float(row["rating"]),
                text="; ".join(words[user, item]),
            )
        )
    for done in by_user.values():
        done.sort(key=lambda each: each.at)
    return items, dict(by_user)


def _rows(name: str) -> Iterator[dict[str, str]]:
    with (folder() / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)
