"""From rankings to figures: every measure for every question, then means by category."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lamina.evaluation.bootstrap import Estimate, estimate
from lamina.evaluation.datasets import SCORED, Category
from lamina.evaluation.metrics import (
    Gold,
    Scores,
    all_at,
    any_at,
    by_session,
    gold,
    recall_at,
    standing,
)
from lamina.evaluation.reports import Shares


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """Each measure of n questions."""

    categories: tuple[Category, ...]
    """n categories."""
    values: Mapping[str, NDArray[np.float64]]
    """Name of the measure, such as `recall@10`, to (n,), in [0, 1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Targets:
    """What is to be found for the questions of one conversation."""

    categories: tuple[Category, ...]
    gold: Gold
    """Which turns answer them."""
    sessions: NDArray[np.integer]
    """Shape (turns,): each turn's session, from 0, ascending without a gap."""


def measure(scores: Scores, targets: Targets, ks: Sequence[int]) -> Measured:
    """Measure the ranking of one conversation's turns, (questions, turns), at each k."""
    turns = standing(scores, targets.gold)
    sessions = standing(by_session(scores, targets.sessions), _session_gold(targets))
    values = {f"recall@{k}": recall_at(turns, k) for k in ks}
    values |= {f"all@{k}": all_at(turns, k) for k in ks}
    values |= {f"session_hit@{k}": any_at(sessions, k) for k in ks}
    return Measured(categories=targets.categories, values=values)


def _session_gold(targets: Targets) -> Gold:
    found: list[list[int]] = [[] for _ in range(targets.gold.questions)]
    for row, turn in zip(targets.gold.rows, targets.gold.items, strict=True):
        found[row].append(int(targets.sessions[turn]))
    return gold(found)


def joined(parts: Sequence[Measured]) -> Measured:
    """Return the questions of all parts as one, in order."""
    return Measured(
        categories=tuple(category for part in parts for category in part.categories),
        values={
            name: np.concatenate([part.values[name] for part in parts]) for name in parts[0].values
        },
    )


def shares(measured: Measured, categories: Sequence[Category] = SCORED) -> Shares:
    """Return `n` and the mean of each measure over the questions of these categories."""
    chosen = _chosen(measured, categories)
    n = int(np.count_nonzero(chosen))
    means = {name: float(v[chosen].mean()) if n else 0.0 for name, v in measured.values.items()}
    return {"n": n, **means}


def by_category(measured: Measured) -> dict[str, Shares]:
    """Return the shares of each of the four scored categories that has questions."""
    found = {category: shares(measured, [category]) for category in SCORED}
    return {category: share for category, share in found.items() if share["n"]}


def gains(
    better: Measured, worse: Measured, names: Sequence[str]
) -> dict[str, dict[str, Estimate]]:
    """Return by how much `better` exceeds `worse`, paired by question.

    Returns:
        `overall` and each category, to measure, to difference with its interval.
    """
    groups = {"overall": SCORED} | {c: (c,) for c in SCORED if c in better.categories}
    return {
        group: {
            name: estimate((better.values[name] - worse.values[name])[_chosen(better, categories)])
            for name in names
        }
        for group, categories in groups.items()
    }


def _chosen(measured: Measured, categories: Sequence[Category]) -> NDArray[np.bool_]:
    return np.array([category in categories for category in measured.categories], dtype=bool)
