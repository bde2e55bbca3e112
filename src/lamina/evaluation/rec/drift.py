"""Made-up users whose tastes move: what memory that follows them must do better on.

Each user likes one genre, with some of everything else mixed in. Half of the users turn to another
genre at a moment of their own, and stay with it. Items have titles made of their genre's words, and
appeal that fades, so that popularity alone tells something too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from lamina.evaluation.rec.chance import generator
from lamina.items import Interaction, Item

GENRES: dict[str, tuple[str, ...]] = {
    "Western": ("saddle", "canyon", "sheriff", "prairie", "outlaw", "ranch"),
    "Space": ("orbit", "comet", "nebula", "airlock", "android", "lunar"),
    "Cooking": ("kitchen", "spice", "bakery", "harvest", "recipe", "feast"),
    "Sailing": ("harbour", "anchor", "mast", "tide", "lighthouse", "voyage"),
    "Detective": ("alibi", "clue", "inspector", "motive", "witness", "cipher"),
    "Music": ("violin", "chorus", "tempo", "ballad", "organ", "concert"),
    "Gardens": ("orchard", "hedge", "blossom", "greenhouse", "seedling", "meadow"),
    "Winter": ("glacier", "sledge", "blizzard", "aurora", "frost", "summit"),
}
BEGIN = datetime(2020, 1, 1, tzinfo=UTC)
DAYS = 720


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What is made up."""

    users: int = 200
    items: int = 400
    each: int = 40
    """Interactions a user, on average."""
    mixing: float = 0.2
    """Share of a user's interactions that follow popularity, whatever the genre."""
    drifting: float = 0.5
    """Share of the users whose taste turns."""


def drifting_users(shape: Shape, seed: int) -> frozenset[str]:
    """Return the ids of the users whose taste turns."""
    return frozenset(f"u{n}" for n in range(shape.users) if _turns(shape, seed, n) is not None)


def drifting(shape: Shape, seed: int = 0) -> Iterator[Item | Interaction]:
    """Yield items, then interactions of one user after another."""
    genres = tuple(GENRES)
    yield from (_item(n, genres[n % len(genres)], seed) for n in range(shape.items))
    appeal = generator("appeal", seed).zipf(1.6, size=shape.items).clip(1, 50).astype(float)
    for user in range(shape.users):
        yield from _interactions(shape, seed, user, appeal)


def _item(number: int, genre: str, seed: int) -> Item:
    chance = generator("item", seed, number)
    first, second = chance.choice(GENRES[genre], size=2, replace=False)
    return Item(
        id=f"i{number}",
        title=f"{first.capitalize()} and {second} {number}",
        categories=(genre,),
    )


def _turns(shape: Shape, seed: int, user: int) -> float | None:
    """Return after which share of their interactions a user's taste turns, if it does."""
    chance = generator("turn", seed, user)
    turns = chance.random() < shape.drifting
    return float(chance.uniform(0.5, 0.85)) if turns else None


def _interactions(
    shape: Shape, seed: int, user: int, appeal: NDArray[np.float64]
) -> Iterator[Interaction]:
    chance = generator("user", seed, user)
    genres = len(GENRES)
    old, new = chance.choice(genres, size=2, replace=False)
    turn, count = _turns(shape, seed, user), max(4, int(chance.poisson(shape.each)))
    days = np.sort(chance.uniform(0.0, DAYS, size=count))
    kinds, had = np.arange(shape.items) % genres, np.zeros(shape.items, dtype=bool)
    for n in range(count):
        liked = new if turn is not None and n >= turn * count else old
        mixed = chance.random() < shape.mixing
        weights = appeal * ~had * (1.0 if mixed else (kinds == liked))
        if not weights.sum():
            weights = appeal * ~had
        if not weights.sum():
            return
        item = int(chance.choice(shape.items, p=weights / weights.sum()))
        had[item] = True
        yield Interaction(
            id="",
            user=f"u{user}",
            item=f"i{item}",
            at=BEGIN + timedelta(days=float(days[n])),
            rating=float(chance.integers(4, 6) if kinds[item] == liked else chance.integers(2, 5)),
        )
