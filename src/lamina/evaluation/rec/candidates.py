"""Among which items the target is to be found: fixed by hash, whoever asks and in which order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from lamina.errors import BadInput
from lamina.evaluation.rec.chance import generator, mixed, number, numbers
from lamina.evaluation.rec.logs import Log
from lamina.evaluation.rec.splits import Fold

Sampling = Literal["uniform", "popularity"]
NOBODY = -1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sets:
    """The candidates of n questions."""

    name: str
    items: NDArray[np.int32]
    """Shape (n, c), filled up with `NOBODY`. Their order says nothing."""
    targets: NDArray[np.int64]
    """Shape (n,): the columns of the targets."""

    @property
    def shown(self) -> NDArray[np.bool_]:
        """Shape (n, c): what is a candidate."""
        return np.asarray(self.items != NOBODY)


def drawn(log: Log, fold: Fold, *, size: int, sampling: Sampling, part: str, seed: int) -> Sets:
    """Return each target among `size` - 1 items that its user never had, drawn without return.

    A draw is determined by the seed, the name of the set and the question alone.

    Args:
        log: Whose items are drawn from.
        fold: The questions.
        size: How many candidates, the target included.
        sampling: All alike, or by how often an item occurs in what the fold learns from.
        part: Of the split, such as `test`.
        seed: Another seed draws others.

    Raises:
        BadInput: A user had so many items that too few are left.
    """
    name = f"{sampling}-{size}"
    weights = _weights(log, fold, sampling)
    had = _had(log)
    keys = log.keys
    rows = [
        _draw(weights, had[log.by[row]], size, generator(seed, name, part, keys[row]))
        for row in fold.rows.tolist()
    ]
    if any(len(row) < size - 1 for row in rows):
        raise BadInput(f"there are too few items for {size} candidates that a user never had")
    items = np.column_stack([fold.targets, np.array(rows, dtype=np.int32).reshape(len(rows), -1)])
    return _shuffled(log, name, items.astype(np.int32), [keys[row] for row in fold.rows], seed)


def catalogue(log: Log, fold: Fold) -> Sets:
    """Return each target among all items but those that its user had in the fold's history."""
    items = np.tile(np.arange(len(log.catalogue.items), dtype=np.int32), (len(fold.rows), 1))
    asks = np.repeat(np.arange(len(fold.rows)), np.diff(fold.asks.starts))
    items[asks, fold.asks.items] = NOBODY
    return Sets(name="all", items=items, targets=fold.targets.astype(np.int64))


def _weights(log: Log, fold: Fold, sampling: Sampling) -> NDArray[np.float64]:
    if sampling == "uniform":
        return np.ones(len(log.catalogue.items))
    counts = np.bincount(log.of[fold.learnt], minlength=len(log.catalogue.items))
    return counts.astype(np.float64)


def _had(log: Log) -> list[NDArray[np.int32]]:
    """Return by user all items that they ever had."""
    order = np.argsort(log.by, kind="stable")
    ends = np.cumsum(np.bincount(log.by, minlength=len(log.users)))
    return [np.asarray(part) for part in np.split(log.of[order], ends[:-1])]


def _draw(
    weights: NDArray[np.float64],
    had: NDArray[np.int32],
    size: int,
    chance: np.random.Generator,
) -> NDArray[np.int64]:
    """Draw by weight without return: the largest of log w + Gumbel noise (Efraimidis 2006)."""
    with np.errstate(divide="ignore"):
        keys = np.log(weights) + chance.gumbel(size=len(weights))
    keys[had] = -np.inf
    best = np.argpartition(-keys, min(size, len(keys)) - 1)[: size - 1]
    best = best[np.argsort(-keys[best])]
    return best[np.isfinite(keys[best])]


def _shuffled(log: Log, name: str, items: NDArray[np.int32], keys: list[str], seed: int) -> Sets:
    """Put each row in an order by hash, so that the target's place tells nothing."""
    salts = numbers([f"{number(seed, name)}\x1f{key}" for key in keys])
    order = np.argsort(mixed(numbers(log.catalogue.items)[items], salts[:, None]), axis=1)
    return Sets(
        name=name,
        items=np.take_along_axis(items, order, axis=1),
        targets=np.argmin(order, axis=1).astype(np.int64),
    )
