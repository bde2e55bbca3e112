"""Which interactions are to be foretold, and what may be known for each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lamina.evaluation.rec.chance import chosen, mixed, number, numbers
from lamina.evaluation.rec.logs import Log, Rows
from lamina.ports.graph import NEVER

GROUPS = 3
"""Of users, by hash, whose histories are cut one group after another."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Asks:
    """n questions "what next?", without the answers."""

    users: NDArray[np.int32]
    """Shape (n,)."""
    at: NDArray[np.int64]
    """Shape (n,), microseconds: nothing known from then on may serve; `NEVER` bounds nothing."""
    starts: NDArray[np.int64]
    """Shape (n + 1,): `items[starts[k]:starts[k + 1]]`: what k's user did before, oldest first."""
    items: NDArray[np.int32]
    ratings: NDArray[np.float32]
    among: NDArray[np.int32] | None = None
    """Items, ascending, that are a candidate of any of the questions: of others nothing needs to be
    told. `None`: all."""

    def __len__(self) -> int:
        return len(self.users)

    def history(self, ask: int) -> NDArray[np.int32]:
        """Return what the user of one question did before, oldest first."""
        return self.items[self.starts[ask] : self.starts[ask + 1]]

    def part(self, rows: Rows) -> Asks:
        """Return some of the questions, in the order of `rows`."""
        lengths = np.diff(self.starts)[rows]
        starts = np.concatenate([[0], np.cumsum(lengths)])
        inner = np.arange(starts[-1]) - np.repeat(starts[:-1], lengths)
        where = np.repeat(self.starts[rows], lengths) + inner
        return Asks(
            users=self.users[rows],
            at=self.at[rows],
            starts=starts,
            items=self.items[where],
            ratings=self.ratings[where],
            among=self.among,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fold:
    """Questions that are asked of methods fitted on the same rows."""

    learnt: Rows
    """Rows of the log that methods are fitted on."""
    asks: Asks
    targets: NDArray[np.int32]
    """Shape (n,): the answers, items. No method is given them."""
    rows: Rows
    """Shape (n,): the targets' rows in the log."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Split:
    """A protocol, carried out on a log."""

    name: str
    validation: tuple[Fold, ...]
    """What weights are fitted on."""
    test: tuple[Fold, ...]
    """What is reported; read once."""
    left_out: int = 0
    """Targets that their user had had before: nothing new is to be foretold there."""
    cold: int = 0
    """Targets of the test that nobody had before."""


def leave_last_out(
    log: Log, *, most: int | None = None, seed: int = 0, kept: int | None = None
) -> Split:
    """Foretell each user's last interaction, from all others of all users: this leaks.

    What others did later serves too, which nobody could know. The one before is the validation
    item. Users with fewer than three interactions only teach.

    Args:
        log: In order of time.
        most: How many users are asked about, by hash; `None`: all.
        seed: Of that choice.
        kept: To how many, the last before the target, the history of who is asked about is cut,
            for everybody: what they did before that teaches nothing. Users are cut in `GROUPS`, by
            hash, a fold each, so that all are asked about once, beside others with whole histories.
            `None`: no history is cut.
    """
    order = np.argsort(log.by, kind="stable")
    counts = np.bincount(log.by, minlength=len(log.users))
    ends = np.cumsum(counts)
    users = np.flatnonzero(counts >= 3)
    if most is not None:
        users = users[chosen([log.users[u] for u in users], most, seed)]
    last, before = order[ends[users] - 1], order[ends[users] - 2]
    test_rows, left = _new(log, last)
    every = np.arange(len(log.by))
    known = np.setdiff1d(every, test_rows)
    validation_rows, _ = _new(log, before)
    taught = np.setdiff1d(known, validation_rows)
    test = _folds(log, known, test_rows, kept, seed)
    return Split(
        name="leave-last-out",
        validation=_folds(log, taught, validation_rows, kept, seed),
        test=test,
        left_out=left,
        cold=sum(_cold(log, fold.learnt, fold.rows) for fold in test),
    )


def _folds(log: Log, known: Rows, rows: Rows, kept: int | None, seed: int) -> tuple[Fold, ...]:
    """Ask for `rows`, all at once, or a group of users after another whose histories are cut."""
    if kept is None:
        return (_fold(log, known, known, rows),)
    groups = mixed(numbers(log.users), number("cold", seed)) % np.uint64(GROUPS)
    folds = []
    for group in range(GROUPS):
        own = rows[groups[log.by[rows]] == group]
        if len(own):
            learnt = _cut(log, known, np.unique(log.by[own]), kept)
            folds.append(_fold(log, learnt, learnt, own))
    return tuple(folds)


def _cut(log: Log, known: Rows, users: NDArray[np.int32], kept: int) -> Rows:
    """Return the rows of `known` without what some users did before their last `kept` of them."""
    order = np.argsort(log.by[known], kind="stable")
    by = log.by[known][order]
    ends = np.cumsum(np.bincount(by, minlength=len(log.users)))
    late = ends[by] - np.arange(len(by)) <= kept
    stays = np.zeros(len(known), dtype=np.bool_)
    stays[order] = late | ~np.isin(by, users)
    return known[stays]


def _fold(log: Log, learnt: Rows, known: Rows, rows: Rows) -> Fold:
    """Ask for `rows`, each told what its user did in `known`."""
    order = known[np.argsort(log.by[known], kind="stable")]
    counts = np.bincount(log.by[order], minlength=len(log.users))
    offsets = np.concatenate([[0], np.cumsum(counts)])
    everybody = Asks(
        users=np.arange(len(log.users), dtype=np.int32),
        at=np.full(len(log.users), NEVER),
        starts=offsets,
        items=log.of[order],
        ratings=log.ratings[order],
    )
    return Fold(
        learnt=learnt,
        asks=everybody.part(log.by[rows].astype(np.int64)),
        targets=log.of[rows],
        rows=rows,
    )


def _new(log: Log, rows: Rows) -> tuple[Rows, int]:
    """Return the rows whose user had not had the item before, and how many had."""
    pair = log.by.astype(np.int64) * len(log.catalogue.items) + log.of
    _, firsts = np.unique(pair, return_index=True)
    new = rows[np.isin(rows, firsts)]
    return new, len(rows) - len(new)


def _cold(log: Log, known: Rows, rows: Rows) -> int:
    return int((~np.isin(log.of[rows], log.of[known])).sum())


def replay(
    log: Log,
    *,
    share: float = 0.1,
    checkpoints: int = 5,
    most: int | None = None,
    users: int | None = None,
    seed: int = 0,
) -> Split:
    """Foretell what comes after a moment, each time from what was known strictly before it.

    The test is the last `share` of the rows, the validation what is as long before it. Each is cut
    into stretches as long as each other; methods learn anew at the start of each stretch from what
    came before it, and every question also shows what its user did up to then.

    Args:
        log: In order of time, with a clock.
        share: Of the rows that are the test.
        checkpoints: How many stretches.
        most: How many questions are asked in the test, and in the validation, by hash.
        users: How many users are asked about, by hash; `None`: all.
        seed: Of these choices.
    """
    new, left = _new(log, np.arange(len(log.by)))
    split = round(len(log.by) * (1.0 - share))
    early = round(len(log.by) * (1.0 - 2.0 * share))
    asked = _asked(log, new, users, seed)
    test = _sample(log, asked[asked >= split], most, seed)
    folds = _stretches(log, test, split, len(log.by), checkpoints)
    return Split(
        name="replay",
        validation=_stretches(
            log, _sample(log, asked[asked < split], most, seed, early), early, split, checkpoints
        ),
        test=folds,
        left_out=left,
        cold=sum(_cold(log, _before(log, row), np.array([row])) for row in test.tolist()),
    )


def _before(log: Log, row: int) -> Rows:
    """Return the rows that were known strictly before one was done."""
    return np.arange(np.searchsorted(log.at, log.at[row], side="left"))


def _asked(log: Log, new: Rows, users: int | None, seed: int) -> Rows:
    """Return the rows of those users who are asked about."""
    if users is None:
        return new
    return new[np.isin(log.by[new], chosen(log.users, users, seed))]


def _sample(log: Log, rows: Rows, most: int | None, seed: int, start: int = 0) -> Rows:
    """Return at most `most` of the rows from `start` on, by hash."""
    rows = rows[rows >= start]
    if most is None or len(rows) <= most:
        return rows
    keys = log.keys
    return rows[chosen([keys[row] for row in rows.tolist()], most, seed)]


def _stretches(log: Log, rows: Rows, start: int, end: int, count: int) -> tuple[Fold, ...]:
    bounds = np.linspace(start, end, count + 1).round().astype(np.int64)
    folds = []
    for low, high in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        within = rows[(rows >= low) & (rows < high)]
        if len(within):
            folds.append(
                Fold(
                    learnt=_before(log, low),
                    asks=_asks_before(log, within),
                    targets=log.of[within],
                    rows=within,
                )
            )
    return tuple(folds)


def _asks_before(log: Log, rows: Rows) -> Asks:
    """Ask for `rows`, each told what its user did strictly before it."""
    order = np.argsort(log.by, kind="stable")
    offsets = np.concatenate([[0], np.cumsum(np.bincount(log.by, minlength=len(log.users)))])
    parts = []
    for row in rows.tolist():
        own = order[offsets[log.by[row]] : offsets[log.by[row] + 1]]
        parts.append(own[: np.searchsorted(log.at[own], log.at[row], side="left")])
    lengths = [len(part) for part in parts]
    known = np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)
    return Asks(
        users=log.by[rows],
        at=log.at[rows],
        starts=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        items=log.of[known],
        ratings=log.ratings[known],
    )
