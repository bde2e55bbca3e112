"""Small logs to evaluate on."""

import numpy as np
from numpy.typing import NDArray

from lamina.evaluation.rec.baselines.learning import Lesson
from lamina.evaluation.rec.logs import Catalogue, Log, Row, ordered
from lamina.evaluation.rec.splits import Asks
from lamina.ports import NEVER

WORDS = ("saddle", "orbit", "kitchen", "harbour", "alibi", "violin", "orchard", "glacier")


def catalogue(items: int) -> Catalogue:
    return Catalogue(
        items=tuple(map(str, range(items))),
        titles=tuple(f"Title {n}" for n in range(items)),
        categories=tuple((WORDS[n % 4],) for n in range(items)),
        texts=tuple(f"{WORDS[n % 8]} {WORDS[n % 3]} title {n % 5}" for n in range(items)),
    )


def log(users: int = 12, items: int = 30, each: int = 8, *, seed: int = 0) -> Log:
    """Users "0", "1", ... who each had `each` different items, a day after another."""
    chance = np.random.default_rng(seed)
    rows = [
        Row(user=str(u), item=str(i), at=(n * users + u) * 1_000_000, rating=float(i % 5 + 1))
        for u in range(users)
        for n, i in enumerate(chance.choice(items, size=each, replace=False).tolist())
    ]
    return ordered(rows, catalogue(items), seed=seed)


def lesson(log: Log, seed: int = 0) -> Lesson:
    return Lesson(
        users=len(log.users),
        catalogue=log.catalogue,
        by=log.by,
        of=log.of,
        at=log.at,
        ratings=log.ratings,
        seed=seed,
    )


def asks(log: Log) -> Asks:
    """Every user, with all that they did."""
    order = np.argsort(log.by, kind="stable")
    counts = np.bincount(log.by, minlength=len(log.users))
    return Asks(
        users=np.arange(len(log.users), dtype=np.int32),
        at=np.full(len(log.users), NEVER),
        starts=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        items=log.of[order],
        ratings=log.ratings[order],
    )


def had(log: Log) -> NDArray[np.float64]:
    """Who had what, shape (users, items)."""
    matrix = np.zeros((len(log.users), len(log.catalogue.items)))
    matrix[log.by, log.of] = 1.0
    return matrix
