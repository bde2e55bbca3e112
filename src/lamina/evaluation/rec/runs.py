"""`lamina eval rec`: whether memory helps to foretell what users turn to next."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from lamina.errors import BadInput
from lamina.evaluation.bootstrap import estimate
from lamina.evaluation.rec import candidate_files
from lamina.evaluation.rec.asking import Asked, ask
from lamina.evaluation.rec.candidates import Sampling, Sets, catalogue, drawn
from lamina.evaluation.rec.logs import Log
from lamina.evaluation.rec.metrics import NAMES
from lamina.evaluation.rec.reports import Comparison, Report, Shares
from lamina.evaluation.rec.scoring import Bench, Entry, Measured, Posed, Weights
from lamina.evaluation.rec.seeing import STAGES, Sealed
from lamina.evaluation.rec.sources import BASELINES, BLENDED, Baseline, Source
from lamina.evaluation.rec.splits import Fold, Split, leave_last_out, replay

Protocol: TypeAlias = Literal["replay", "leave-last-out"]
Told = Callable[[str, int, int], None]
COMPARED = ("H@1", "N@5", "N@10", "H@10")
"""Metrics of which differences are told."""
LEAST = 2
"""Candidates: with fewer nothing is foretold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What to run."""

    protocol: Protocol = "replay"
    candidates: tuple[int | Literal["all"] | Path, ...] = (10, 20, "all")
    """How many, the target included; all of the catalogue; or those on a file."""
    sampling: Sampling = "uniform"
    """Of candidates of which so many are drawn."""
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
    candidates_out: Path | None = None
    """A file to write the candidates to."""

    def __post_init__(self) -> None:
        if self.protocol not in get_args(Protocol):
            raise BadInput(f"there is no protocol {self.protocol!r}")
        if any(isinstance(size, int) and size < LEAST for size in self.candidates):
            raise BadInput(f"at least {LEAST} candidates are needed")
        if not 0.0 < self.share < 0.5:
            raise BadInput("the share that is foretold must lie between 0 and 0.5")
        if self.checkpoints < 1:
            raise BadInput("baselines learn at least once")


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """What is asked, and what of it is compared."""

    sources: tuple[Source, ...]
    entries: tuple[Entry, ...]
    pairs: tuple[tuple[str, str], ...] = ()
    """Methods whose difference is told: the first less the second."""


def classics() -> Contest:
    """Return the methods without memory, and their blend."""
    return Contest(
        sources=tuple(Baseline(name, method) for name, method in BASELINES.items()),
        entries=(
            *(Entry(name=name, columns=(name,)) for name in BASELINES),
            Entry(name="blend", columns=BLENDED),
        ),
        pairs=tuple(("blend", name) for name in BLENDED),
    )


def run(
    log: Log,
    plan: Plan,
    contest: Contest | None = None,
    *,
    groups: Mapping[str, frozenset[str]] = MappingProxyType({}),
    sealed: Callable[[int], Sealed] | None = None,
    told: Told = lambda _what, _done, _known: None,
) -> Report:
    """Evaluate methods on a log.

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
    return Report(
        protocol={
            **_protocol(log, plan, split), "candidates_written": written,
            "weights": _weights(weights, contest.entries),
            "model": _replies(asked),
            "seconds": round(time.perf_counter() - began, 1),
        },
        methods=_methods(measured),
        comparisons=_comparisons(measured, contest.pairs, plan),
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
    return Contest(
        sources=tuple(one for one in contest.sources if columns & set(one.names)),
        entries=entries,
        pairs=tuple(pair for pair in contest.pairs if wanted >= set(pair)),
    )


def _split(log: Log, plan: Plan) -> Split:
    if plan.protocol == "leave-last-out":
        return leave_last_out(log, most=plan.users, seed=plan.seed)
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
    sets: list[Sets] = []
    for size in plan.candidates:
        if size == "all":
            sets.append(catalogue(log, fold))
            continue
        file = candidate_files.read(size) if isinstance(size, Path) else None
        for part in parts:
            if file is not None:
                sets += candidate_files.given(log, fold, part, file)
            elif isinstance(size, int):
                sets.append(
                    drawn(log, fold, size=size, sampling=plan.sampling, part=part, seed=plan.seed)
                )
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


def _protocol(log: Log, plan: Plan, split: Split) -> dict[str, object]:
    return {
        "name": split.name,
        "leaky": split.name == "leave-last-out",
        "users": len(log.users),
        "items": len(log.catalogue.items),
        "interactions": len(log.by),
        "repeated_rows_left_out": log.repeats,
        "questions": sum(len(fold.rows) for fold in split.test),
        "validation_questions": sum(len(fold.rows) for fold in split.validation),
        "checkpoints": len(split.test),
        "targets_had_before": split.left_out,
        "targets_nobody_had_before": split.cold,
        "candidates": [str(size) for size in plan.candidates],
        "sampling": plan.sampling,
        "negatives": "never interacted with by the user, drawn without return, by hash",
        "whole_catalogue": "all items with interactions but those that the user had before",
        "weights_fitted_on": f"{plan.drawings} drawings of candidates for each validation question",
        "ties": "expected value over all orders of tied candidates",
        "intervals": f"95 % percentile, {plan.draws} seeded resamples of the questions, paired",
        "seed": plan.seed,
        "sees": [{"stage": a, "sees": b, "writes": c} for a, b, c in STAGES],
    }


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


def _comparisons(
    measured: Measured, pairs: Sequence[tuple[str, str]], plan: Plan
) -> tuple[Comparison, ...]:
    sets = list(dict.fromkeys(where for _, where in measured))
    return tuple(
        _comparison(measured, pair, where, metric, plan)
        for where in sets
        for pair in pairs
        for metric in COMPARED
    )


def _comparison(
    measured: Measured, pair: tuple[str, str], where: str, metric: str, plan: Plan
) -> Comparison:
    first, second = (measured[name, where][metric] for name in pair)
    difference: NDArray[np.float64] = first - second
    found = estimate(difference, draws=plan.draws, seed=plan.seed)
    return Comparison(
        a=pair[0], b=pair[1], candidates=where, metric=metric,
        difference=found.mean, interval=(found.low, found.high),
    )  # fmt: skip
