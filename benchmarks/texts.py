"""Invented messages for benchmarks: seeded, of the length of a chat turn."""

from __future__ import annotations

import random
from collections.abc import Iterator

WORDS = {
    "who": "my sister/the neighbour/our teacher/a friend/the band/my boss/the baker/uncle Sam",
    "did": "painted/sold/repaired/found/visited/forgot/photographed/borrowed/planted/moved",
    "what": "a red boat/the old piano/two bicycles/an apple tree/the lighthouse/a stray cat"
    "/her violin/the garden shed/a box of letters/the market hall/some walnuts/a telescope",
    "when": "yesterday/last week/in March/this morning/on Friday/two days ago/long ago/today",
    "end": "and I still cannot believe it/which made everybody laugh/so we stayed until late"
    "/because the weather was fine/but nobody noticed/and it cost a lot/after many attempts",
}
CHOICES = {slot: words.split("/") for slot, words in WORDS.items()}


def messages(count: int, seed: int = 0) -> Iterator[str]:
    """Yield `count` messages of about twenty words, no two alike."""
    pick = random.Random(seed)
    for number in range(count):
        said = {slot: pick.choice(words) for slot, words in CHOICES.items()}
        yield "Well, {who} {did} {what} {when} {end}, number {n}.".format(n=number, **said)
