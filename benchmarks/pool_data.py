"""Invented items and histories for benchmarks of pools: seeded, with tendencies that many share."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

KINDS = (
    "action", "adventure", "animation", "biography", "comedy", "courtroom", "crime",
    "documentary", "drama", "espionage", "family", "fantasy", "heist", "history", "horror",
    "musical", "mystery", "noir", "political", "romance", "satire", "science", "sport",
    "superhero", "survival", "thriller", "travel", "war", "western", "youth",
)  # fmt: skip
ITEMS = 600
START = datetime(2025, 1, 1, tzinfo=UTC)


def catalogue(count: int = ITEMS) -> list[dict[str, Any]]:
    """Return items of two kinds each, of which the first goes by their number."""
    drawn = random.Random(0)
    return [
        {
            "id": str(number),
            "title": f"Title {number}",
            "categories": [KINDS[number % len(KINDS)], drawn.choice(KINDS)],
        }
        for number in range(count)
    ]


def history(user: int, count: int, items: int = ITEMS) -> Iterator[dict[str, Any]]:
    """Yield what a user did, oldest first: mostly of three kinds, which they share with others."""
    drawn = random.Random(user)
    first = drawn.randrange(len(KINDS))
    liked = [(first + step) % len(KINDS) for step in (0, 1, 5)]
    at = START + timedelta(minutes=drawn.randrange(100_000))
    for _ in range(count):
        kind = drawn.choice(liked) if drawn.random() < 0.8 else drawn.randrange(len(KINDS))
        at += timedelta(hours=drawn.randrange(1, 200))
        yield {
            "user": f"u{user}",
            "item": str(kind + len(KINDS) * drawn.randrange(items // len(KINDS))),
            "timestamp": at.isoformat(),
            "rating": drawn.randrange(1, 6),
        }
