"""A pool of 1,000 users with 20 windows each, by one worker and by two: the same, and how long.

`python -m benchmarks.pool_build [USERS] [WINDOWS] [--extractive]`. The model is scripted and takes
20 ms for a batch of windows and 1 ms for a judgement; with `--extractive` there is none. Vectors
are made of hashed words. What is exported must be the same but for `recorded_at`.
"""

from __future__ import annotations

import hashlib
import json
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

import lamina
from benchmarks.atomrec_build import Hashed
from benchmarks.pool_cost import Model
from benchmarks.pool_data import catalogue, history
from benchmarks.timing import verdict
from lamina.ports import LLM

USERS = 1_000
WINDOWS = 20
W = 3
ABSTRACTING, JUDGING = 0.02, 0.001
"""Seconds that the model takes."""


def main() -> None:
    """Build the pool twice, and compare."""
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    users, windows = (numbers + [USERS, WINDOWS][len(numbers) :])[:2]
    found = [built(users, windows, workers, _model()) for workers in (1, 2)]
    same = found[0][0] == found[1][0]
    print("the same export" if same else "NOT the same export")
    verdict("time of two workers over that of one", found[1][1] / found[0][1], "below 1")


def built(users: int, windows: int, workers: int, model: LLM | None) -> tuple[str, float]:
    """Build a pool; return a digest of what it exports, and the seconds that it took."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        with lamina.open(path, encoder=Hashed(), llm=model) as memory:
            films = memory.recommender("films")
            films.add_items(catalogue())
            films.add_interactions(
                act for user in range(users) for act in history(user, windows + W - 1)
            )
            began = time.perf_counter()
            done = films.pool.refresh(workers=workers)
            seconds = time.perf_counter() - began
            print(f"{workers} workers: {seconds:.1f} s, {done.to_dict()}", flush=True)
            return exported(films.pool.export()), seconds


def exported(lines: Iterable[str]) -> str:
    """Return a digest of an archive without the times at which it was recorded."""
    whole = hashlib.sha256()
    for line in lines:
        whole.update(json.dumps(without(json.loads(line)), sort_keys=True).encode())
    return whole.hexdigest()


def without(told: object) -> object:
    """Return what is told without any `recorded_at`, however deep."""
    if isinstance(told, dict):
        return {name: without(value) for name, value in told.items() if name != "recorded_at"}
    return list(map(without, told)) if isinstance(told, list) else told


def _model() -> LLM | None:
    if "--extractive" in sys.argv:
        return None
    return Model(abstracting=ABSTRACTING, judging=JUDGING)


if __name__ == "__main__":
    main()
