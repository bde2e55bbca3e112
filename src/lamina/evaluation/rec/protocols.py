"""What was run, in words and numbers, so that a figure can be judged."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from lamina.evaluation.rec.logs import Log
from lamina.evaluation.rec.seeing import STAGES
from lamina.evaluation.rec.splits import Fold, Split
from lamina.times import from_micros

if TYPE_CHECKING:
    from lamina.evaluation.rec.runs import Plan

FORETOLD: Mapping[str, tuple[str, str]] = {
    "leave-last-out": (
        "what each user did last but one, whenever that was, from all that anybody did, later too,"
        " but each user's last two",
        "what each user did last, from all that anybody did, later too, but each user's last",
    ),
    "replay": (
        "the stretch of time before that of the test, each from what was known before it;"
        " no question of the test, and nothing from its time, takes part",
        "the latest interactions, each from what was known before it",
    ),
}
"""What the validation and the test foretell."""


def protocol(log: Log, plan: Plan, split: Split) -> dict[str, object]:
    """Return what is to be known to judge the figures."""
    validation, test = FORETOLD[split.name]
    return {
        "name": split.name,
        "leaky": split.name == "leave-last-out",
        "users": len(log.users),
        "items": len(log.catalogue.items),
        "interactions": len(log.by),
        "repeated_rows_left_out": log.repeats,
        "questions": sum(len(fold.rows) for fold in split.test),
        "validation_questions": sum(len(fold.rows) for fold in split.validation),
        "validation": {"foretells": validation, **_asked(log, split.validation)},
        "test": {"foretells": test, **_asked(log, split.test)},
        "checkpoints": len(split.test),
        "histories_cut_to": list(plan.cold),
        "windows_of_each_user_in_a_pool": plan.windows or "all",
        "targets_had_before": split.left_out,
        "targets_nobody_had_before": split.cold,
        "candidates": [*(f"{how}-{size}" for how, size in plan.drawn), *_given(plan)],
        "sampling": plan.sampling,
        "negatives": "never interacted with by the user, drawn without return, by hash",
        "whole_catalogue": "all items with interactions but those that the user had before",
        "weights_fitted_on": f"{plan.drawings} drawings of candidates for each validation question",
        "ties": "expected value over all orders of tied candidates",
        "intervals": f"95 % percentile, {plan.draws} seeded resamples of the questions, paired",
        "seed": plan.seed,
        "sees": [{"stage": a, "sees": b, "writes": c} for a, b, c in STAGES],
    }


def _given(plan: Plan) -> list[str]:
    return [size.name if isinstance(size, Path) else "all" for size in plan.candidates
            if isinstance(size, Path) or size == "all"]  # fmt: skip


def _asked(log: Log, folds: tuple[Fold, ...]) -> dict[str, object]:
    """Return who is asked about, when, and how many questions are their user's last but one."""
    if not folds:
        return {"questions": 0}
    rows = np.concatenate([fold.rows for fold in folds])
    told: dict[str, object] = {
        "questions": len(rows),
        "users": len(np.unique(log.by[rows])),
        "last_but_one_of_their_user": int(np.isin(rows, _last_but_one(log)).sum()),
    }
    if log.clocked and len(rows):
        first, last = (from_micros(int(at)) for at in (log.at[rows].min(), log.at[rows].max()))
        told |= {"from": first.isoformat(), "to": last.isoformat()}
    return told


def _last_but_one(log: Log) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Return the row before each user's last; of those with at least three."""
    order = np.argsort(log.by, kind="stable")
    counts = np.bincount(log.by, minlength=len(log.users))
    return order[np.cumsum(counts)[counts >= 3] - 2]
