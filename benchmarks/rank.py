"""Ranking at 100,000 interactions: how long it takes, and the weights that it ships with.

`python -m benchmarks.rank [DATA] [DB]` times it; `python -m benchmarks.rank fit [DATA] [DB]` fits
the weights of `lamina.ranking.weights` on validation items alone and tells what they reach there,
each user by weights fitted on others. DATA is a folder that `lamina eval rec` reads; DB is a store
that holds a recommender made of it, which is formed anew, without notes, where none is given.

`fit` fits `WEIGHTS`; with `--patterns` also `WITH_PATTERNS`, `OF_FEW` (on histories cut to the last
`--cut 1,2,3` items) and `ALONE`, from pools that are made with the encoder of the settings: one,
and three of each for every cut, which takes hours where there are many users. `--users 40` has so
many users alone, `--windows 5` takes in the last so many windows of each: to see that it works.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import numpy as np

import lamina
from benchmarks.rank_fit import Wanted, run
from benchmarks.timing import table, timed
from lamina.formats.recommending import detect
from lamina.items import Interaction, Item
from lamina.memory.recommending import Recommender
from lamina.memory.recommending.grounds import grounds

DATA = Path(os.environ.get("LAMINA_DATA", "../shared/data")) / "ml-latest-small"
SEED = 17
USERS = 100
CLIENTS = 8


def main() -> None:
    """Do what the command line says."""
    given = _given()
    words = [word for word in given.words if word not in ("rank", "fit")]
    data = Path(words[0] if words else DATA)
    with _recommender(data, Path(words[1]) if len(words) > 1 else None) as films:
        if "fit" not in given.words:
            _speed(films)
            return
        run(
            films,
            data,
            Wanted(
                patterns=given.patterns,
                cuts=tuple(int(cut) for cut in given.cut.split(",") if cut),
                users=given.users,
                windows=given.windows,
            ),
        )


def _given() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rank")
    parser.add_argument("words", nargs="*", metavar="[fit] [DATA] [DB]")
    parser.add_argument("--patterns", action="store_true")
    parser.add_argument("--cut", default="1,2,3")
    parser.add_argument("--users", type=int)
    parser.add_argument("--windows", type=int)
    return parser.parse_args()


@contextmanager
def _recommender(data: Path, db: Path | None) -> Iterator[Recommender]:
    if db is not None:
        with lamina.open(str(db)) as memory:
            yield memory.recommender(memory.recommenders()[0].scope.id)
        return
    with tempfile.TemporaryDirectory() as folder, lamina.open(f"{folder}/rank.db") as memory:
        films = memory.recommender("films")
        every = list(detect(data, None).read())
        films.add_items([one for one in every if isinstance(one, Item)])
        films.add_interactions([one for one in every if isinstance(one, Interaction)])
        yield films


def _speed(films: Recommender) -> None:
    """Time rankings of few and many candidates, and what of it is arithmetic."""
    known = grounds(films._engine, films.scope, None)
    began = time.perf_counter()
    films.rank(known.graph.users[0], top_k=1)
    print(f"first ranking, which cuts up all descriptions: {time.perf_counter() - began:.2f} s")
    rng = np.random.default_rng(SEED)
    users = [known.graph.users[at] for at in rng.permutation(len(known.graph.users))[:USERS]]
    took: dict[str, list[float]] = {}
    for size in (20, 1000):
        size = min(size, len(known.graph.items))
        for user in users:
            places = rng.choice(len(known.graph.items), size, replace=False)
            ids = [known.graph.items[place] for place in places]
            took.setdefault(f"rank {size}", []).append(timed(lambda: films.rank(user, ids)))  # noqa: B023
            took.setdefault(f"explain {size}, 10 told", []).append(
                timed(lambda: films.rank(user, ids, top_k=10, explain=True))  # noqa: B023
            )
    for user in users:
        took.setdefault("rank all", []).append(timed(lambda: films.rank(user, top_k=10)))  # noqa: B023
    table(took.items())
    few = [known.graph.items[place] for place in rng.choice(len(known.graph.items), 20)]
    for clients in (1, CLIENTS):
        began = time.perf_counter()
        with ThreadPoolExecutor(clients) as pool:
            list(pool.map(lambda user: films.rank(user, few), users * 2))
        print(f"{clients} clients: {2 * len(users) / (time.perf_counter() - began):.0f} rankings/s")


if __name__ == "__main__":
    main()
