"""Ranking at 100,000 interactions: how long it takes, and the weights that it ships with.

`python -m benchmarks.rank [DATA] [DB]` times it; `python -m benchmarks.rank fit [DATA] [DB]` fits
the weights of `lamina.ranking.weights` on validation items alone and tells what they reach there,
each user by weights fitted on others. DATA is a folder that `lamina eval rec` reads; DB is a store
that holds a recommender made of it, which is formed anew, without notes, where none is given.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import lamina
from benchmarks.timing import table, timed
from lamina.evaluation.rec import graphs, reading
from lamina.evaluation.rec.candidates import Sampling, Sets, catalogue, drawn
from lamina.evaluation.rec.logs import Log
from lamina.evaluation.rec.memories import Memory
from lamina.evaluation.rec.metrics import expected, standing
from lamina.evaluation.rec.scoring import lesson
from lamina.evaluation.rec.splits import Fold, leave_last_out
from lamina.formats.recommending import detect
from lamina.items import Interaction, Item
from lamina.memory.recommending import Recommender
from lamina.memory.recommending.grounds import grounds
from lamina.ranking.features import FITTED
from lamina.ranking.fitting import Choices, fit
from lamina.ranking.weights import ASKED, Kind

DATA = Path(os.environ.get("LAMINA_DATA", "../shared/data")) / "ml-latest-small"
SPLITS = 5
DRAWINGS = 4
DRAWN: tuple[tuple[int, Sampling], ...] = ((20, "popularity"), (10, "uniform"))
"""How many candidates are drawn, and how."""
SEED = 17
ALTERNATIVES = 400
"""Items that the target is chosen from where all of the catalogue is ranked: a sample of the
alternatives has the same best weights (McFadden 1978)."""
MADE_OF: Mapping[Kind, tuple[str, ...]] = {
    "catalogue": ("uniform-10", "all"),
    "shortlist": ("popularity-20", "uniform-10"),
    "personal": ("popularity-20",),
}
MAY_BE_NEGATIVE = ("popularity", "in_season")
USERS = 100
CLIENTS = 8


def main() -> None:
    """Do what the command line says."""
    words = [word for word in sys.argv[1:] if word not in ("rank", "fit")]
    data = Path(words[0] if words else DATA)
    with _recommender(data, Path(words[1]) if len(words) > 1 else None) as films:
        if "fit" in sys.argv:
            _fit(films, data)
        else:
            _speed(films)


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


def _fit(films: Recommender, data: Path) -> None:
    """Fit and tell the weights of each kind, and what they reach on others' validation items."""
    log = reading.read(data)
    fold = leave_last_out(log).validation[0]
    known = grounds(films._engine, films.scope, None)
    graph = graphs.only(known.graph, log, lesson(log, fold, SEED))
    source = Memory(
        name="lamina", log=log, graph=graph, catalogue=known.catalogue, clocked=False, seed=SEED
    )
    columns = source._answers(graph)(fold.asks)
    sets = _sets(log, fold)
    part = np.random.default_rng(SEED).permutation(len(fold.rows)) % SPLITS
    for kind, names in MADE_OF.items():
        by_split = np.stack(
            [_weights(columns, sets, names, part != split) for split in range(SPLITS)]
        )
        every = _weights(columns, sets, names, np.ones(len(part), dtype=np.bool_))
        told = {name: round(float(weight), 2) for name, weight in zip(FITTED, every, strict=True)}
        print(f"\n{kind}: {told}")
        for name, drawings in sets.items():
            print(f"  {name:14}", _reached(columns, drawings, by_split[part]))
    print(f"\nby hand: {dict(ASKED)}")


def _sets(log: Log, fold: Fold) -> dict[str, list[Sets]]:
    found: dict[str, list[Sets]] = {"all": [catalogue(log, fold)]}
    for n in range(DRAWINGS):
        for size, sampling in DRAWN:
            one = drawn(log, fold, size=size, sampling=sampling, part=f"validation {n}", seed=SEED)
            found.setdefault(one.name, []).append(one)
    return found


def _weights(
    columns: NDArray[np.float32],
    sets: Mapping[str, Sequence[Sets]],
    names: Sequence[str],
    asked: NDArray[np.bool_],
) -> NDArray[np.float64]:
    choices = []
    for name in names:
        for one in sets[name]:
            items = one.items[asked]
            targets = one.targets[asked]
            if name == "all":
                items, targets = _sample(items, targets)
            values = columns[np.flatnonzero(asked)[:, None], items].astype(np.float64)
            weight = 1.0 / len(sets[name]) / len(names)
            choices.append(Choices(values=values, chosen=targets, weight=weight))
    return fit(
        choices,
        may_be_negative=[name in MAY_BE_NEGATIVE for name in FITTED],
        ridge=1.0 / len(names),
    )


def _sample(
    items: NDArray[np.int32], targets: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return each target first, and after it others of those that are shown."""
    rng = np.random.default_rng(SEED)
    found = []
    for row, target in zip(items, targets, strict=True):
        others = row[(row >= 0) & (row != row[target])]
        found.append(np.r_[row[target], rng.choice(others, ALTERNATIVES - 1, replace=False)])
    return np.array(found, dtype=np.int32), np.zeros(len(items), dtype=np.int64)


def _reached(
    columns: NDArray[np.float32], drawings: Sequence[Sets], weights: NDArray[np.float64]
) -> str:
    """Return what weights, a row a question, reach on average over some drawings."""
    scores = np.einsum("qif,qf->qi", columns, weights)
    rows = np.arange(len(scores))[:, None]
    found: dict[str, list[float]] = {}
    for one in drawings:
        placed = standing(scores[rows, np.maximum(one.items, 0)], one.shown, one.targets)
        for name, values in expected(*placed).items():
            found.setdefault(name, []).append(float(values.mean()))
    return "  ".join(
        f"{name} {np.mean(found[name]):.3f}" for name in ("H@1", "N@5", "H@10", "N@10")
    )


if __name__ == "__main__":
    main()
