"""BPR-MF: factors of users and items, learnt from pairs (Rendle et al. 2009)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lamina.evaluation.rec.baselines.learning import Lesson, Scorer, Scores
from lamina.evaluation.rec.chance import generator
from lamina.evaluation.rec.splits import Asks

Floats = NDArray[np.float32]

_SCALE = np.float32(0.1)
"""Deviation of the factors at the beginning."""
_SMALL = np.float32(1e-6)


@dataclass(frozen=True, slots=True, kw_only=True)
class Training:
    """How BPR learns."""

    factors: int = 32
    epochs: int = 30
    rate: float = 0.05
    """Of learning, for AdaGrad."""
    ridge: float = 0.03
    batch: int = 1024


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Bpr:
    users: Floats
    items: Floats
    biases: Floats
    learnt: NDArray[np.int64]
    """Shape (users,): how many interactions each user was learnt from."""
    popular: NDArray[np.int32]
    """An item for each interaction."""
    how: Training
    seed: int

    def __call__(self, asks: Asks) -> Scores:
        users = self.users[asks.users].copy()
        lengths = np.diff(asks.starts)
        for row in np.flatnonzero(lengths != self.learnt[asks.users]).tolist():
            users[row] = self._folded_in(int(asks.users[row]), asks.history(row))
        return np.asarray(users @ self.items.T + self.biases, dtype=np.float32)

    def _folded_in(self, user: int, history: NDArray[np.int32]) -> Floats:
        """Return the factors of a user whose history is not the one learnt from.

        The same gradients and steps as in learning, with the items held.
        """
        known = self.learnt[user] > 0
        factors: Floats = self.users[user] * np.float32(known)
        if not len(history) or not len(self.popular):
            return factors
        chance = generator("bpr fold-in", self.seed, user, len(history))
        squares = np.full_like(factors, _SMALL)
        for _ in range(self.how.epochs):
            worse = self.popular[chance.integers(len(self.popular), size=len(history))]
            apart = self.items[history] - self.items[worse]
            margin = apart @ factors + self.biases[history] - self.biases[worse]
            pull = 1.0 / (1.0 + np.exp(margin))
            gradient = pull @ apart - self.how.ridge * len(history) * factors
            squares += gradient**2
            factors += self.how.rate * gradient / np.sqrt(squares)
        return factors


def bpr(lesson: Lesson, training: Training | None = None) -> Scorer:
    """Score by the dot product of factors under which what was had beats what was not.

    Stochastic gradients in batches. A pair's negative is the item of an interaction drawn evenly,
    so that popular items are drawn more often; pairs whose user had it are passed over. Steps by
    AdaGrad (Duchi, Hazan and Singer 2011).
    """
    how = training or Training()
    chance = generator("bpr", lesson.seed)
    model = _begun(lesson, how, chance)
    had = lesson.matrix() > 0
    for _ in range(how.epochs):
        order = chance.permutation(len(lesson.by))
        for start in range(0, len(order), how.batch):
            rows = order[start : start + how.batch]
            u, i = lesson.by[rows], lesson.of[rows]
            j = lesson.of[chance.integers(len(lesson.of), size=len(rows))]
            fair = ~had[u, j]
            _step(model, (u[fair], i[fair], j[fair]), how)
    return _Bpr(
        users=model.users.values,
        items=model.items.values,
        biases=model.biases.values[:, 0],
        learnt=np.bincount(lesson.by, minlength=lesson.users),
        popular=lesson.of,
        how=how,
        seed=lesson.seed,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    values: Floats
    squares: Floats
    """Of all gradients so far, summed."""

    def move(self, rows: NDArray[np.int32], gradients: Floats, rate: float) -> None:
        """Step along the gradients of some rows, summed where a row comes more than once."""
        order = np.argsort(rows, kind="stable")
        heads, firsts = np.unique(rows[order], return_index=True)
        summed = np.add.reduceat(gradients[order], firsts, axis=0)
        self.squares[heads] += summed**2
        self.values[heads] += rate * summed / np.sqrt(self.squares[heads])


@dataclass(frozen=True, slots=True, eq=False)
class _Model:
    users: _Table
    items: _Table
    biases: _Table


def _begun(lesson: Lesson, how: Training, chance: np.random.Generator) -> _Model:
    users = _SCALE * chance.standard_normal((lesson.users, how.factors), dtype=np.float32)
    items = _SCALE * chance.standard_normal((lesson.items, how.factors), dtype=np.float32)
    biases = np.zeros((lesson.items, 1), dtype=np.float32)
    return _Model(*(_Table(part, np.full_like(part, _SMALL)) for part in (users, items, biases)))


def _step(
    model: _Model,
    triple: tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]],
    how: Training,
) -> None:
    u, i, j = triple
    if not len(u):
        return
    users, better, worse = model.users.values[u], model.items.values[i], model.items.values[j]
    biases = model.biases.values
    margin = np.einsum("bf,bf->b", users, better - worse)[:, None] + biases[i] - biases[j]
    pull = 1.0 / (1.0 + np.exp(margin))
    both, rate, ridge = np.concatenate([i, j]), how.rate, how.ridge
    to_items = np.concatenate([pull * users - ridge * better, -pull * users - ridge * worse])
    to_biases = np.concatenate([pull - ridge * biases[i], -pull - ridge * biases[j]])
    model.users.move(u, pull * (better - worse) - ridge * users, rate)
    model.items.move(both, to_items, rate)
    model.biases.move(both, to_biases, rate)
