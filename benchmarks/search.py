"""Search of one of 100 owners of 1,000 messages, beside one query encoding and an exact scan."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

import lamina
from benchmarks.filling import fill
from benchmarks.texts import messages
from benchmarks.timing import table, timed
from lamina.adapters.encoders import open_encoder

OWNERS = 100
EACH = 1000
QUERIES = 200


def main() -> None:
    """Fill a store with random vectors for the others and real ones for one owner; then ask."""
    encoder = open_encoder("minilm")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        fill(path, encoder, OWNERS, EACH)
        with lamina.open(str(path), encoder=encoder) as memory:
            user = memory.user("owner-0")
            user.search("warm up")
            rows = np.ascontiguousarray(encoder.encode([f"ann: {t}" for t in messages(2 * EACH)]))
            took: dict[str, list[float]] = {"query encoding": [], "exact scan": [], "search": []}
            for query in messages(QUERIES, seed=7):
                vector = encoder.encode([query])[0]
                took["query encoding"].append(timed(lambda: encoder.encode([query])))  # noqa: B023
                took["exact scan"].append(timed(lambda: np.argsort(-(rows @ vector))[:10]))  # noqa: B023
                took["search"].append(timed(lambda: user.search(query)))  # noqa: B023
    p50 = table(took.items())
    over = p50["search"] - p50["query encoding"] - p50["exact scan"]
    print(f"search over encoding + scan: {over:+.2f} ms (target at most +3 ms)")
