"""Fitting the weights of `lamina.ranking.weights`; the command is in `benchmarks.rank`.

What is to be found is what each user did last but one; of what was done but each user's last two
all else is told. Where histories are cut, they are for everybody, a third of the users after
another, as `lamina eval rec --cold` cuts them, and each third has a pool of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lamina.evaluation.bootstrap import estimate
from lamina.evaluation.rec import reading
from lamina.evaluation.rec.candidates import Sampling, Sets, catalogue, drawn
from lamina.evaluation.rec.chance import chosen
from lamina.evaluation.rec.keeping import Kept
from lamina.evaluation.rec.logs import Log
from lamina.evaluation.rec.memories import Memory
from lamina.evaluation.rec.metrics import expected, standing
from lamina.evaluation.rec.pools import Making
from lamina.evaluation.rec.scoring import lesson
from lamina.evaluation.rec.sharing import Patterns
from lamina.evaluation.rec.sources import Source
from lamina.evaluation.rec.splits import Fold, leave_last_out
from lamina.items import Item
from lamina.memory.recommending import Recommender
from lamina.memory.recommending.grounds import grounds
from lamina.ranking.features import FITTED
from lamina.ranking.fitting import Choices, fit
from lamina.ranking.shared import CONTENT, MEMBERS
from lamina.ranking.shared import NAMES as SHARED
from lamina.ranking.weights import ASKED, Kind

SPLITS = 5
DRAWINGS = 4
POPULAR = "popularity-20"
DRAWN: tuple[tuple[int, Sampling], ...] = ((20, "popularity"), (10, "uniform"))
"""How many candidates are drawn, and how."""
NOBODY = -1
SEED = 17
ALTERNATIVES = 400
"""Items that the target is chosen from where all of the catalogue is ranked: a sample of the
alternatives has the same best weights (McFadden 1978)."""
MADE_OF: Mapping[Kind, tuple[str, ...]] = {
    "catalogue": ("uniform-10", "all"),
    "shortlist": (POPULAR, "uniform-10"),
    "personal": (POPULAR,),
}
OF_FEW: tuple[Kind, ...] = ("shortlist", "personal")
BESIDE = (*FITTED, "shared_moves", *MEMBERS)
"""What is fitted where patterns speak beside all else."""
METRICS = ("H@1", "N@5", "H@10", "N@10")
MAY_BE_NEGATIVE = ("popularity", "in_season")

Weights = NDArray[np.float64]
Design = Mapping[str, Sequence["Shown"]]
"""By name of a set of candidates: the questions, a drawing each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is fitted, on how much."""

    patterns: bool = False
    """Whether the weights of what patterns say are fitted as well."""
    cuts: tuple[int, ...] = (1, 2, 3)
    """To how many items histories are cut for the weights of few."""
    users: int | None = None
    """How many users there are, by hash: of others nothing is known. `None`: all."""
    windows: int | None = None
    """How many windows of each user pools are made of, the last; `None`: all."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shown:
    """n questions among c candidates."""

    values: NDArray[np.float32]
    """Shape (n, c, f)."""
    shown: NDArray[np.bool_]
    """Shape (n, c): what is a candidate."""
    targets: NDArray[np.int64]
    """Shape (n,)."""
    split: NDArray[np.int64]
    """Shape (n,): with whom each user is left out when weights are fitted for them."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bench:
    """What is asked about a log."""

    log: Log
    sources: Sequence[Source]
    split: NDArray[np.int64]
    """Shape (users,)."""
    names: tuple[str, ...]
    """Of all features, f."""

    def design(self, kept: int | None = None) -> Design:
        """Return all questions, with histories cut to the last `kept`, and what is known for each.

        Where histories are cut, the whole catalogue is no set.
        """
        found: dict[str, list[list[Shown]]] = {}
        for fold in leave_last_out(self.log, kept=kept).validation:
            for name, drawings in self._asked(fold, whole=kept is None).items():
                found.setdefault(name, []).append(drawings)
        return {
            name: [_joined(parts) for parts in zip(*folds, strict=True)]
            for name, folds in found.items()
        }

    def _asked(self, fold: Fold, whole: bool) -> dict[str, list[Shown]]:
        sets = _sets(self.log, fold, whole)
        asks = fold.asks
        if not whole:
            items = [one.items.ravel() for drawings in sets.values() for one in drawings]
            asks = replace(asks, among=np.unique(np.concatenate(items)))
        shown = lesson(self.log, fold, SEED)
        columns = np.concatenate([each.learn(shown)(asks) for each in self.sources], axis=2)
        split = self.split[self.log.by[fold.rows]]
        return {
            name: [_shown(columns, one, split) for one in drawings]
            for name, drawings in sets.items()
        }


def run(films: Recommender, data: Path, wanted: Wanted) -> None:
    """Fit and tell weights, and what they reach on others' validation items."""
    bench = _bench(films, data, wanted)
    whole = bench.design()
    _usual(bench, whole)
    if not wanted.patterns:
        return
    print("\nWITH_PATTERNS, beside what the same reach without patterns")
    for kind in MADE_OF:
        beside, without = (Fitted(bench, [whole], kind, names) for names in (BESIDE, FITTED))
        _told(kind, BESIDE, beside.every)
        for name in whole:
            _compared(name, without.reached(whole, name), beside.reached(whole, name))
    cuts = {cut: bench.design(cut) for cut in wanted.cuts}
    _few(bench, whole, cuts)
    _alone(bench, {"whole": whole, **{f"last {cut}": one for cut, one in cuts.items()}})


def _usual(bench: Bench, whole: Design) -> None:
    for kind in MADE_OF:
        fitted = Fitted(bench, [whole], kind, FITTED)
        _told(kind, FITTED, fitted.every)
        for name in whole:
            reached = fitted.reached(whole, name)
            told = (f"{metric} {reached[metric].mean():.3f}" for metric in METRICS)
            print(f"  {name:14}", "  ".join(told))
    print(f"\nby hand: {dict(ASKED)}")


def _few(bench: Bench, whole: Design, cuts: Mapping[int, Design]) -> None:
    print("\nOF_FEW, beside the weights of whole histories and those of few without patterns")
    for kind in OF_FEW if cuts else ():
        few = Fitted(bench, [*cuts.values()], kind, BESIDE)
        _told(kind, BESIDE, few.every)
        less = {
            "whole, without": Fitted(bench, [whole], kind, FITTED),
            "whole, with": Fitted(bench, [whole], kind, BESIDE),
            "few, without": Fitted(bench, [*cuts.values()], kind, FITTED),
        }
        for cut, design in cuts.items():
            for name in design:
                for told, other in less.items():
                    reached = other.reached(design, name), few.reached(design, name)
                    _compared(f"last {cut}, {name}, {told}", *reached)


def _alone(bench: Bench, designs: Mapping[str, Design]) -> None:
    print("\nALONE, beside popularity")
    fitted = Fitted(bench, [designs["whole"]], "shortlist", CONTENT)
    _told("shortlist", CONTENT, fitted.every)
    popular = bench.names.index("popularity")
    for told, design in designs.items():
        by_popularity = _mean([_metrics(one, one.values[:, :, popular]) for one in design[POPULAR]])
        _compared(f"{told}, {POPULAR}", by_popularity, fitted.reached(design, POPULAR))


def _bench(films: Recommender, data: Path, wanted: Wanted) -> Bench:
    log = _of_some(reading.read(data), wanted.users)
    known = grounds(films._engine, films.scope, None)
    memory = Memory(
        name="lamina",
        log=log,
        graph=known.graph,
        catalogue=known.catalogue,
        clocked=False,
        seed=SEED,
    )
    asked = log.by[leave_last_out(log).validation[0].rows]
    split = np.zeros(len(log.users), dtype=np.int64)
    split[asked] = np.random.default_rng(SEED).permutation(len(asked)) % SPLITS
    if not wanted.patterns:
        return Bench(log=log, sources=(memory,), split=split, names=FITTED)
    told = zip(known.graph.items, known.catalogue.described, strict=True)
    items = {id_: words.item for id_, words in told if words is not None}
    shared = Patterns(
        name="amem4rec",
        making=Making(
            log=log,
            items=[items.get(id_, Item(id=id_)) for id_ in log.catalogue.items],
            encoder=Kept(films._engine.encoder),
            most=wanted.windows,
        ),
        graph=known.graph,
        catalogue=known.catalogue,
        clocked=False,
        seed=SEED,
    )
    return Bench(log=log, sources=(memory, shared), split=split, names=(*FITTED, *SHARED))


def _of_some(log: Log, users: int | None) -> Log:
    if users is None:
        return log
    rows = np.isin(log.by, chosen(log.users, users, SEED))
    return replace(
        log, by=log.by[rows], of=log.of[rows], at=log.at[rows], ratings=log.ratings[rows]
    )


def _sets(log: Log, fold: Fold, whole: bool) -> dict[str, list[Sets]]:
    found: dict[str, list[Sets]] = {"all": [catalogue(log, fold)]} if whole else {}
    for n in range(DRAWINGS):
        for size, sampling in DRAWN:
            one = drawn(log, fold, size=size, sampling=sampling, part=f"validation {n}", seed=SEED)
            found.setdefault(one.name, []).append(one)
    return found


def _shown(columns: NDArray[np.float32], sets: Sets, split: NDArray[np.int64]) -> Shown:
    if sets.name != "all":
        columns = columns[np.arange(len(columns))[:, None], np.maximum(sets.items, 0)]
    return Shown(values=columns, shown=sets.shown, targets=sets.targets, split=split)


def _joined(parts: Sequence[Shown]) -> Shown:
    if len(parts) == 1:
        return parts[0]
    return Shown(
        values=np.concatenate([each.values for each in parts]),
        shown=np.concatenate([each.shown for each in parts]),
        targets=np.concatenate([each.targets for each in parts]),
        split=np.concatenate([each.split for each in parts]),
    )


class Fitted:
    """Weights of some features that are fitted on some designs, those of few among them alike."""

    def __init__(
        self, bench: Bench, designs: Sequence[Design], kind: Kind, names: Sequence[str]
    ) -> None:
        self._designs, self._names, self._parts = designs, names, MADE_OF[kind]
        self._columns = [bench.names.index(name) for name in names]
        self._crossed: Weights | None = None

    @property
    def every(self) -> Weights:
        """Return what is fitted on all users, shape (f,)."""
        return self._without(NOBODY)

    def reached(self, design: Design, name: str) -> Mapping[str, Weights]:
        """Return each metric by question, shape (n,), the weights fitted on others' questions."""
        if self._crossed is None:
            self._crossed = np.stack([self._without(split) for split in range(SPLITS)])
        found = []
        for one in design[name]:
            crossed = self._crossed[one.split]
            values = one.values[:, :, self._columns]
            found.append(_metrics(one, np.einsum("qif,qf->qi", values, crossed)))
        return _mean(found)

    def _without(self, split: int) -> Weights:
        return fit(
            list(self._choices(split)),
            may_be_negative=[name in MAY_BE_NEGATIVE for name in self._names],
            ridge=1.0 / len(self._parts),
        )

    def _choices(self, split: int) -> Iterator[Choices]:
        for name in self._parts:
            for design in self._designs:
                for one in design[name]:
                    rows = np.flatnonzero(one.split != split)
                    values, targets = _some(one, rows, self._columns, whole=name == "all")
                    weight = 1.0 / len(design[name]) / len(self._parts) / len(self._designs)
                    yield Choices(values=values, chosen=targets, weight=weight)


def _some(
    one: Shown, rows: NDArray[np.int64], columns: Sequence[int], whole: bool
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return some questions; of whole catalogues the target first, and others that are shown."""
    if not whole:
        return one.values[rows][:, :, columns].astype(np.float64), one.targets[rows]
    rng = np.random.default_rng(SEED)
    found = []
    for row in rows.tolist():
        others = np.setdiff1d(np.flatnonzero(one.shown[row]), one.targets[row])
        picked = np.r_[one.targets[row], rng.choice(others, ALTERNATIVES - 1, replace=False)]
        found.append(one.values[row][np.ix_(picked, columns)].astype(np.float64))
    return np.stack(found), np.zeros(len(rows), dtype=np.int64)


def _metrics(one: Shown, scores: NDArray[np.floating]) -> Mapping[str, Weights]:
    found = expected(*standing(scores, one.shown, one.targets))
    return {name: found[name] for name in METRICS}


def _mean(drawings: Sequence[Mapping[str, Weights]]) -> Mapping[str, Weights]:
    return {name: np.mean([each[name] for each in drawings], axis=0) for name in METRICS}


def _told(kind: Kind, names: Sequence[str], weights: Weights) -> None:
    told = {
        name: rounded
        for name, weight in zip(names, weights.tolist(), strict=True)
        if (rounded := round(weight, 2))
    }
    print(f"\n{kind}: {told}", flush=True)


def _compared(
    what: str, before: Mapping[str, Weights], after: Mapping[str, Weights], metric: str = "N@5"
) -> None:
    gain = estimate(after[metric] - before[metric])
    told = f"{before[metric].mean():.4f} then {after[metric].mean():.4f}"
    print(f"  {what:40} {metric} {told}: {gain.mean:+.4f} ({gain.low:+.4f} to {gain.high:+.4f})")
