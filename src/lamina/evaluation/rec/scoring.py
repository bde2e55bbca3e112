"""Methods asked all questions, a few at a time, so that whole catalogues need little memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from lamina.evaluation.progress import Told, nobody
from lamina.evaluation.rec import blend
from lamina.evaluation.rec.baselines.learning import Lesson
from lamina.evaluation.rec.candidates import NOBODY, Sets
from lamina.evaluation.rec.chance import generator
from lamina.evaluation.rec.logs import Log
from lamina.evaluation.rec.metrics import expected, standing
from lamina.evaluation.rec.seeing import checked
from lamina.evaluation.rec.sources import Columns, Source
from lamina.evaluation.rec.splits import Fold
from lamina.ranking.fitting import RIDGE

CHUNK = 32
"""Questions that are asked together."""
ALTERNATIVES = 1_000
"""Candidates that weights are fitted against at most: the likelihood of a sample of alternatives
has the same weights as its best (McFadden 1978)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A method of the report: some columns, weighted."""

    name: str
    columns: tuple[str, ...]
    like: str | None = None
    """The method whose fitted weights it has; `None`: its own. One column needs none."""
    fixed: Callable[[str], NDArray[np.float64]] | None = None
    """By the set's name, weights of the columns as they are, unscaled; `None`: none are fixed."""

    for_only: frozenset[str] = frozenset()
    """Columns that may speak for an item and not against it: their weights are at least 0."""

    @property
    def fitted(self) -> bool:
        """Whether weights are to be fitted for it."""
        return self.like is None and self.fixed is None and len(self.columns) > 1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Posed:
    """A fold, and among which candidates its targets are to be found."""

    fold: Fold
    sets: tuple[Sets, ...]
    """Those of one name are drawings of the same."""
    parts: tuple[str, ...] = ()
    """What the drawings are called."""


Weights = Mapping[tuple[str, str], NDArray[np.float64]]
"""By the method's name and the set's."""
Measured = Mapping[tuple[str, str], Mapping[str, NDArray[np.float64]]]
"""By the method's name and the set's: metrics by name, a value a question."""


def lesson(log: Log, fold: Fold, seed: int) -> Lesson:
    """Return what the methods of a fold learn from."""
    rows = fold.learnt
    return Lesson(
        users=len(log.users),
        catalogue=log.catalogue,
        by=log.by[rows],
        of=log.of[rows],
        at=log.at[rows],
        ratings=log.ratings[rows],
        seed=seed,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bench:
    """Sources that are asked about a log."""

    log: Log
    sources: Sequence[Source]
    seed: int = 0
    told: Told = nobody

    @property
    def names(self) -> tuple[str, ...]:
        """Of all columns."""
        return tuple(name for source in self.sources for name in source.names)

    def weights(self, posed: Sequence[Posed], entries: Sequence[Entry]) -> Weights:
        """Fit the weights of each method and set on validation folds."""
        wanted = [entry for entry in entries if entry.fitted]
        columns = {column for entry in wanted for column in entry.columns}
        needed = tuple(one for one in self.sources if columns & set(one.names))
        return replace(self, sources=needed)._fitted(posed, wanted) if wanted else {}

    def _fitted(self, posed: Sequence[Posed], wanted: Sequence[Entry]) -> Weights:
        design: dict[str, list[blend.Features]] = {}
        for fold, where, columns in self._asked(posed, "validation"):
            for sets in _some(fold.sets, where):
                design.setdefault(sets.name, []).append(self._sampled(columns, sets))
        return {
            (entry.name, name): blend.fit(
                [_only(part, self._at(entry)) for part in parts],
                ridge=RIDGE * _drawings(posed, name),
                may_be_negative=[column not in entry.for_only for column in entry.columns],
            )
            for entry in wanted
            for name, parts in design.items()
        }

    def measured(
        self, posed: Sequence[Posed], entries: Sequence[Entry], weights: Weights
    ) -> Measured:
        """Return each metric of each method and set, by question, in the order of the folds."""
        found: dict[tuple[str, str], list[tuple[NDArray[np.int64], NDArray[np.int64]]]] = {}
        for fold, where, columns in self._asked(posed, "test"):
            for sets in _some(fold.sets, where):
                told = self._told(columns, sets, entries, weights)
                for entry, scores in zip(entries, told, strict=True):
                    placed = standing(scores, sets.shown, sets.targets)
                    found.setdefault((entry.name, sets.name), []).append(placed)
        return {key: expected(*_joined(parts)) for key, parts in found.items()}

    def _asked(
        self, posed: Sequence[Posed], what: str
    ) -> Iterator[tuple[Posed, NDArray[np.int64], Columns]]:
        """Yield the columns of a few questions at a time."""
        known, done = sum(len(one.fold.rows) for one in posed), 0
        for one in posed:
            shown = checked(lesson(self.log, one.fold, self.seed), int(one.fold.asks.at.min()))
            answers = []
            for source in self.sources:
                self.told(f"{what}: learning {source.names[0]}", done, known)
                answers.append(source.learn(shown))
            for start in range(0, len(one.fold.rows), CHUNK):
                where = np.arange(start, min(start + CHUNK, len(one.fold.rows)))
                asks = replace(one.fold.asks.part(where), among=_among(one.sets, where))
                yield one, where, np.concatenate([answer(asks) for answer in answers], axis=2)
                done += len(where)
                self.told(f"{what}: ranking", done, known)

    def _at(self, entry: Entry) -> list[int]:
        place = {name: n for n, name in enumerate(self.names)}
        return [place[name] for name in entry.columns]

    def _sampled(self, columns: Columns, sets: Sets) -> blend.Features:
        """Return scaled columns of the target and of at most so many others."""
        found = _features(columns, sets)
        if found.values.shape[1] <= ALTERNATIVES:
            return found
        chance = generator("alternatives", self.seed, sets.name)
        others = np.sort(chance.permutation(found.values.shape[1])[:ALTERNATIVES])
        rows = np.arange(len(sets.targets))[:, None]
        where = np.column_stack([sets.targets, np.tile(others, (len(rows), 1))])
        shown = found.shown[rows, where]
        shown[:, 1:] &= where[:, 1:] != sets.targets[:, None]
        return blend.Features(
            values=found.values[rows, where],
            shown=shown,
            targets=np.zeros(len(rows), dtype=np.int64),
        )

    def _told(
        self, columns: Columns, sets: Sets, entries: Sequence[Entry], weights: Weights
    ) -> list[NDArray[np.floating]]:
        """Return the scores of each method, shape (n, c)."""
        rows, items = np.arange(len(columns))[:, None], np.maximum(sets.items, 0)
        scaled = _features(columns, sets).values if weights else columns
        scores: list[NDArray[np.floating]] = []
        for entry in entries:
            at = self._at(entry)
            if entry.fixed is not None:
                raw = columns[:, :, at].astype(np.float64) @ entry.fixed(sets.name)
                scores.append(raw[rows, items])
            elif len(at) == 1:
                scores.append(columns[rows, items, at[0]])
            else:
                own = weights[entry.like or entry.name, sets.name]
                scores.append(scaled[:, :, at].astype(np.float64) @ own)
        return scores


def _drawings(posed: Sequence[Posed], name: str) -> int:
    """Return how often each question is asked among sets of a name."""
    return max(sum(sets.name == name for sets in one.sets) for one in posed)


def _features(columns: Columns, sets: Sets) -> blend.Features:
    rows, items = np.arange(len(columns))[:, None], np.maximum(sets.items, 0)
    parts = [columns[rows, items, n] for n in range(columns.shape[2])]
    return blend.features(parts, sets)


def _only(part: blend.Features, at: Sequence[int]) -> blend.Features:
    return blend.Features(values=part.values[:, :, at], shown=part.shown, targets=part.targets)


def _among(sets: Sequence[Sets], where: NDArray[np.int64]) -> NDArray[np.int32] | None:
    """Return the candidates of some questions; `None` where whole catalogues are."""
    if any(one.name == "all" for one in sets):
        return None
    told: NDArray[np.int32] = np.unique(np.concatenate([one.items[where].ravel() for one in sets]))
    return np.setdiff1d(told, [NOBODY]).astype(np.int32)


def _some(sets: Sequence[Sets], where: NDArray[np.int64]) -> Iterator[Sets]:
    for one in sets:
        yield Sets(name=one.name, items=one.items[where], targets=one.targets[where])


def _joined(
    parts: Sequence[tuple[NDArray[np.int64], NDArray[np.int64]]],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    return np.concatenate([a for a, _ in parts]), np.concatenate([s for _, s in parts])
