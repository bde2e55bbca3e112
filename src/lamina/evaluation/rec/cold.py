"""Users of whom little is known: the same contest with their histories cut, by what is left."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from lamina.evaluation.rec.reports import Report
from lamina.evaluation.rec.runs import Plan

BY_SET = ("best_baseline",)
"""Parts of the protocol that are told by set of candidates."""


def each_length(plan: Plan, run: Callable[[Plan], Report]) -> Report:
    """Return what was found with each length of history that a plan asks for, in one report."""
    if not plan.cold:
        return run(plan)
    return _joined(
        plan, [_named(run(replace(plan, cold=(kept,))), _last(kept)) for kept in plan.cold]
    )


def _last(kept: int) -> str:
    return f"last {kept}"


def _named(report: Report, name: str) -> Report:
    """Return a report whose sets of candidates bear the length of the histories."""
    told = {key: _renamed(report.protocol[key], name) for key in BY_SET}
    weights = {
        method: _renamed(by_set, name) for method, by_set in report.protocol["weights"].items()
    }
    return replace(
        report,
        protocol={**report.protocol, **told, "weights": weights},
        methods=_renamed(report.methods, name),
        comparisons=tuple(
            replace(one, candidates=f"{one.candidates}, {name}") for one in report.comparisons
        ),
    )


def _renamed(by_set: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {f"{where}, {name}": of for where, of in by_set.items()}


def _joined(plan: Plan, reports: Sequence[Report]) -> Report:
    first = reports[0]
    protocol: dict[str, Any] = {**first.protocol, "histories_cut_to": list(plan.cold)}
    for key in BY_SET:
        protocol[key] = {where: of for one in reports for where, of in one.protocol[key].items()}
    weights: dict[str, dict[str, Any]] = {}
    for one in reports:
        for method, by_set in one.protocol["weights"].items():
            weights.setdefault(method, {}).update(by_set)
    seconds = round(sum(one.protocol["seconds"] for one in reports), 1)
    return replace(
        first,
        protocol={**protocol, "weights": weights, "seconds": seconds},
        methods={where: of for one in reports for where, of in one.methods.items()},
        comparisons=tuple(told for one in reports for told in one.comparisons),
    )
