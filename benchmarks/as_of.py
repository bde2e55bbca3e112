"""Search as of many moments, beside plain search: 100,000 notes in one scope, a tenth revised."""

from __future__ import annotations

import tempfile
from datetime import timedelta
from pathlib import Path

import numpy as np

import lamina
from benchmarks.filling import START, RandomEncoder, fill_notes
from benchmarks.texts import messages
from benchmarks.timing import table, timed, verdict
from lamina.adapters.encoders import open_encoder
from lamina.adapters.sqlite import SqliteStore
from lamina.model import Scope

MESSAGES, OF_EACH = 20_000, 5
ROUNDS, QUERIES = 6, 10


def main() -> None:
    """Fill a scope with random vectors; then ask each query twice."""
    encoder = RandomEncoder(open_encoder("minilm").space)  # so that no encoding is in the times
    random = np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        store = SqliteStore(path)
        fill_notes(store, Scope("", "user", "ann"), encoder, MESSAGES, OF_EACH)
        store.close()
        with lamina.open(path, encoder=encoder) as memory:
            user = memory.user("ann")
            first = timed(lambda: user.search("boat"))
            print(f"the first search fills a shelf: {first:.0f} ms")
            first = timed(lambda: user.search("boat", as_of=START))
            print(f"the first search as of a moment fills one too: {first:.0f} ms")
            took = _in_turns(user, random)
    p50 = table(took.items())
    verdict("as of over plain", p50["search as of"] / p50["search"], "at most 1.5")


def _in_turns(user: lamina.Handle, random: np.random.Generator) -> dict[str, list[float]]:
    """Ask some queries plainly, then each as of another moment, several times over."""
    took: dict[str, list[float]] = {"search": [], "search as of": []}
    for number in range(ROUNDS):
        queries = list(messages(QUERIES, seed=number))
        took["search"] += [timed(lambda: user.search(query)) for query in queries]  # noqa: B023
        for query in queries:
            moment = START + timedelta(minutes=MESSAGES * random.uniform(0.8, 1.0))
            took["search as of"].append(timed(lambda: user.search(query, as_of=moment)))  # noqa: B023
    return took
