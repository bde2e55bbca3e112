"""`lamina eval rec`: whether memory helps to foretell what users turn to next."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from lamina.errors import BadInput
from lamina.evaluation.bootstrap import estimate
from lamina.evaluation.progress import Told, nobody
from lamina.evaluation.rec import candidate_files
from lamina.evaluation.rec.asking import FALLBACK, Asked, ask
from lamina.evaluation.rec.candidates import Sampling, Sets, catalogue, drawn
from lamina.evaluation.rec.logs import Log
from lamina.evaluation.rec.metrics import NAMES
from lamina.evaluation.rec.protocols import protocol
from lamina.evaluation.rec.reports import Comparison, Report, Shares
from lamina.evaluation.rec.scoring import Bench, Entry, Measured, Posed, Weights
from lamina.evaluation.rec.seeing import Sealed
from lamina.evaluation.rec.sources import BASELINES, BLENDED, Baseline, Source
from lamina.evaluation.rec.splits import Fold, Split, leave_last_out, replay

Protocol: TypeAlias = Literal["replay", "leave-last-out"]
COMPARED = ("H@1", "N@5", "N@10", "H@10")
"""Metrics of which differences are told."""
BEST = "best baseline"
"""Whichever method without memory does best alone among a set of candidates, by `BEST_BY`."""
BEST_BY = "N@5"
LEAST = 2
"""Candidates: with fewer nothing is foretold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What to run."""

    protocol: Protocol = "replay"
    candidates: tuple[int | tuple[Sampling, int] | Literal["all"] | Path, ...] = (10, 20, "all")
    """How many, the target included, and how drawn; all of the catalogue; or those on a file."""
    sampling: Sampling = "uniform"
    """Of candidates of which it is not told how they are drawn."""
    users: int | None = None
    """How many are asked about, by hash; `None`: all."""
    questions: int | None = 1_000
    """How many of a replay are asked at most, by hash; `None`: all."""
    share: float = 0.1
    """Of the interactions, the latest, that a replay foretells."""
    checkpoints: int = 5
    """How often baselines learn anew within that."""
    methods: tuple[str, ...] = ()
    """Which are reported; empty: all there are."""
    seed: int = 0
    drawings: int = 5
    """How many sets of candidates each validation question is asked among, to fit weights on."""
    draws: int = 10_000
    """Of the bootstrap."""
    cold: tuple[int, ...] = ()
    """To how many, the last before the target, histories of those who are asked about are cut; each
    is run and told apart. Empty: none is cut."""
    windows: int | None = 20
    """How many windows of each user a pool of patterns takes in, the last; `None`: all."""
    candidates_out: Path | None = None
    """A file to write the candidates to."""

    def __post_init__(self) -> None:
        if self.protocol not in get_args(Protocol):
            raise BadInput(f"there is no protocol {self.protocol!r}")
        if any(size < LEAST for _, size in self.drawn):
            raise BadInput(f"at least {LEAST} candidates are needed")
        if not 0.0 < self.share < 0.5:
            raise BadInput("the share that is foretold must lie between 0 and 0.5")
        if self.checkpoints < 1:
            raise BadInput("baselines learn at least once")
        if self.cold and self.protocol != "leave-last-out":
            raise BadInput("histories are cut in the protocol leave-last-out alone")
        if any(kept < 1 for kept in self.cold):
            raise BadInput("at least the last interaction is kept of a history")
        if len(self.cold) > 1 and self.candidates_out is not None:
            raise BadInput("candidates are written of one length of history at a time")

    @property
    def drawn(self) -> tuple[tuple[Sampling, int], ...]:
        """How candidates are drawn, and how many: of the sets that are drawn."""
        told = ((self.sampling, s) if isinstance(s, int) else s for s in self.candidates)
        return tuple(one for one in told if isinstance(one, tuple))

    @property
    def files(self) -> tuple[Path, ...]:
        """Candidates on file."""
        return tuple(size for size in self.candidates if isinstance(size, Path))


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """What is asked, and what of it is compared."""

    sources: tuple[Source, ...]
    entries: tuple[Entry, ...]
    pairs: tuple[tuple[str, str], ...] = ()
    """Methods whose difference is told: the first less the second, which may be `BEST`."""
    words: Mapping[str, str] = field(default_factory=dict)
    """What methods are, where their names do not say it."""


def classics() -> Contest:
    """Return the methods without memory, and their blend."""
    return Contest(
        sources=tuple(Baseline(name, method) for name, method in BASELINES.items()),
        entries=(
            *(Entry(name=name, columns=(name,)) for name in BASELINES),
            Entry(name="blend", columns=BLENDED),
        ),
        pairs=(("blend", BEST), *(("blend", name) for name in BLENDED)),
        words={"blend": "the methods above it but chance, weights fitted on the validation"},
    )


def run(
    log: Log,
    plan: Plan,
    contest: Contest | None = None,
    *,
    groups: Mapping[str, frozenset[str]] = MappingProxyType({}),
    sealed: Callable[[int], Sealed] | None = None,
    told: Told = nobody,
) -> Report:
    """Evaluate methods on a log; where histories are cut, those of the first length.

    Args:
        log: What happened.
        plan: What to run.
        contest: The methods; `None`: those without memory.
        groups: Users, by name, whose questions are reported apart as well.
        sealed: Memory by moment, from which a model ranks what is drawn; `None`: no model does.
        told: Told how far it has come.

    Raises:
        BadInput: The plan cannot be run on this log.
    """
    began = time.perf_counter()
    contest = _of_plan(contest or classics(), plan)
    split = _split(log, plan)
    if not any(len(fold.rows) for fold in split.test):
        raise BadInput("nobody did enough for anything to be foretold")
    validation = [_posed(log, fold, _validations(plan), plan) for fold in split.validation]
    test = [_posed(log, fold, ("test",), plan) for fold in split.test]
    written = _write(log, plan, validation, test)
    bench = Bench(log=log, sources=contest.sources, seed=plan.seed, told=told)
    weights = bench.weights(validation, contest.entries)
    whole = dict(bench.measured(test, contest.entries, weights))
    asked = ask(log, test, sealed, told=told) if sealed is not None else None
    whole.update(asked.metrics if asked else {})
    measured = {**whole, **_apart(log, split, whole, groups)}
    best = _best(measured)
    return Report(
        protocol={
            **protocol(log, plan, split), "candidates_written": written,
            "methods": dict(contest.words),
            "best_baseline": best,
            "weights": _weights(weights, contest.entries),
            "model": _replies(asked),
            "seconds": round(time.perf_counter() - began, 1),
        },
        methods=_methods(measured),
        comparisons=_comparisons(measured, contest.pairs, best, plan),
    )  # fmt: skip


def _of_plan(contest: Contest, plan: Plan) -> Contest:
    """Return what the plan asks for, and whatever that takes its weights from."""
    if not plan.methods:
        return contest
    known = {entry.name: entry for entry in contest.entries}
    if missing := [name for name in plan.methods if name not in known]:
        raise BadInput(f"there is no method {missing[0]!r}; there are {', '.join(known)}")
    wanted = {*plan.methods, *filter(None, (known[name].like for name in plan.methods))}
    entries = tuple(entry for entry in contest.entries if entry.name in wanted)
    columns = {column for entry in entries for column in entry.columns}
    told = {*wanted, BEST, FALLBACK} if wanted & set(BASELINES) else {*wanted, FALLBACK}
    return Contest(
        sources=tuple(one for one in contest.sources if columns & set(one.names)),
        entries=entries,
        pairs=tuple(pair for pair in contest.pairs if told >= set(pair)),
        words={name: says for name, says in contest.words.items() if name in wanted},
    )


def _split(log: Log, plan: Plan) -> Split:
    if plan.protocol == "leave-last-out":
        kept = plan.cold[0] if plan.cold else None
        return leave_last_out(log, most=plan.users, seed=plan.seed, kept=kept)
    if not log.clocked:
        raise BadInput(
            "these data tell an order and no time, so nothing can be said across users;"
            " use the protocol leave-last-out"
        )
    return replay(
        log, share=plan.share, checkpoints=plan.checkpoints, most=plan.questions,
        users=plan.users, seed=plan.seed,
    )  # fmt: skip


def _validations(plan: Plan) -> tuple[str, ...]:
    return tuple(f"validation-{n}" for n in range(plan.drawings))


def _posed(log: Log, fold: Fold, parts: Sequence[str], plan: Plan) -> Posed:
    """Return a fold with its sets; those of one name are drawings of the same."""
    sets: list[Sets] = [
        drawn(log, fold, size=size, sampling=sampling, part=part, seed=plan.seed)
        for sampling, size in plan.drawn
        for part in parts
    ]
    for path in plan.files:
        file = candidate_files.read(path)
        for part in parts:
            sets += candidate_files.given(log, fold, part, file)
    if "all" in plan.candidates:
        sets.append(catalogue(log, fold))
    return Posed(fold=fold, sets=tuple(sets), parts=tuple(parts))


def _write(log: Log, plan: Plan, validation: Sequence[Posed], test: Sequence[Posed]) -> int:
    if plan.candidates_out is None:
        return 0
    posed = [
        (part, one.fold, some)
        for one in (*validation, *test)
        for part, some in zip(one.parts, _by_part(one), strict=True)
    ]
    return candidate_files.write(plan.candidates_out, log, posed)


def _by_part(one: Posed) -> list[list[Sets]]:
    """Return the drawn sets of each part: the first drawing of each name, the second, ..."""
    named: dict[str, list[Sets]] = {}
    for sets in one.sets:
        if sets.name != "all":
            named.setdefault(sets.name, []).append(sets)
    return [[drawings[n] for drawings in named.values()] for n in range(len(one.parts))]


def _replies(asked: Asked | None) -> dict[str, int] | None:
    """Return how many of a model's replies could be used, and what was wrong with them."""
    if asked is None:
        return None
    return {
        "rankings": asked.rankings,
        "discarded": asked.discarded,
        "invented": asked.invented,
        "appended": asked.appended,
    }


def _apart(
    log: Log, split: Split, measured: Measured, groups: Mapping[str, frozenset[str]]
) -> Measured:
    """Return the metrics of some users' questions, under the set's name and the group's."""
    asking = [log.users[log.by[row]] for fold in split.test for row in fold.rows.tolist()]
    found: dict[tuple[str, str], Mapping[str, NDArray[np.float64]]] = {}
    for group, members in groups.items():
        chosen = np.array([user in members for user in asking])
        if chosen.any():
            for (name, where), metrics in measured.items():
                own = {metric: values[chosen] for metric, values in metrics.items()}
                found[name, f"{where}, {group}"] = own
    return found


def _weights(weights: Weights, entries: Sequence[Entry]) -> dict[str, dict[str, dict[str, float]]]:
    columns = {entry.name: entry.columns for entry in entries}
    found: dict[str, dict[str, dict[str, float]]] = {}
    for (name, where), values in weights.items():
        told = {c: round(v, 4) for c, v in zip(columns[name], values.tolist(), strict=True)}
        found.setdefault(name, {})[where] = told
    return found


def _methods(measured: Measured) -> dict[str, dict[str, Shares]]:
    """Return means by set and method."""
    found: dict[str, dict[str, Shares]] = {}
    for (name, where), metrics in measured.items():
        means: Shares = {metric: float(metrics[metric].mean()) for metric in NAMES}
        found.setdefault(where, {})[name] = {**means, "n": len(metrics["MRR"])}
    return found


def _best(measured: Measured) -> dict[str, str]:
    """Return by set which method without memory, and no blend, does best alone."""
    found: dict[str, str] = {}
    for where in dict.fromkeys(where for _, where in measured):
        means = {
            name: float(measured[name, where][BEST_BY].mean())
            for name in BASELINES
            if (name, where) in measured
        }
        if means:
            found[where] = max(means, key=lambda name: means[name])
    return found


def _comparisons(
    measured: Measured, pairs: Sequence[tuple[str, str]], best: Mapping[str, str], plan: Plan
) -> tuple[Comparison, ...]:
    found: list[Comparison] = []
    for where in dict.fromkeys(where for _, where in measured):
        for a, b in pairs:
            other = best.get(where, b) if b == BEST else b
            if (a, where) in measured and (other, where) in measured:
                one, two = measured[a, where], measured[other, where]
                found += (_comparison((a, b), where, m, one[m] - two[m], plan) for m in COMPARED)
    return tuple(found)


def _comparison(
    pair: tuple[str, str],
    where: str,
    metric: str,
    differences: NDArray[np.float64],
    plan: Plan,
) -> Comparison:
    found = estimate(differences, draws=plan.draws, seed=plan.seed)
    return Comparison(
        a=pair[0], b=pair[1], candidates=where, metric=metric,
        difference=found.mean, interval=(found.low, found.high),
    )  # fmt: skip
