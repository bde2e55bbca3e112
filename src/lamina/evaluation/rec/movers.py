"""Whose tastes moved: how far what users had last is from what they had before."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lamina.evaluation.rec.logs import Log

LAST = 10
"""Interactions, the last, whose genres are compared with those of all before."""


def movers(log: Log) -> dict[str, frozenset[str]]:
    """Return the third of the users whose tastes moved most, and the third that moved least.

    How far: one less the cosine of how often each category was had, last against before.
    """
    names = {c: n for n, c in enumerate(sorted({c for of in log.catalogue.categories for c in of}))}
    kinds = np.zeros((len(log.catalogue.items), len(names)))
    for item, of in enumerate(log.catalogue.categories):
        kinds[item, [names[c] for c in of]] = 1.0
    order = np.argsort(log.by, kind="stable")
    ends = np.cumsum(np.bincount(log.by, minlength=len(log.users)))
    far = {
        log.users[user]: _moved(kinds[log.of[rows]])
        for user, rows in enumerate(np.split(order, ends[:-1]))
        if len(rows) >= 2 * LAST
    }
    ranked = sorted(far, key=lambda user: (far[user], user))
    third = len(ranked) // 3
    return {
        "moved most": frozenset(ranked[len(ranked) - third :]),
        "moved least": frozenset(ranked[:third]),
    }


def _moved(kinds: NDArray[np.float64]) -> float:
    before, last = kinds[:-LAST].sum(axis=0), kinds[-LAST:].sum(axis=0)
    lengths = float(np.linalg.norm(before) * np.linalg.norm(last))
    return 1.0 - float(before @ last) / lengths if lengths else 0.0
