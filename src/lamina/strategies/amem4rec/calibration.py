"""Thresholds from what a pool itself looks like to an encoder."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lamina.ports.rows import VectorRows
from lamina.strategies.amem4rec.config import Taus

ENOUGH = 30
"""Different texts, fewer of which tell nothing."""
MOST = 2000
"""Texts that are looked at: four million pairs tell as much as any."""
UNLIKE = 0.95
"""Share of all pairs, most of which have nothing to do with each other, below tau_low."""
DIFFERENT = 0.999
"""Share of all pairs below tau_high: one in a thousand says the same. A share of pairs, unlike how
near the nearest are, does not change with how many texts there are."""


def propose(vectors: VectorRows | NDArray[np.float32]) -> Taus | None:
    """Return thresholds by which patterns hang together and say the same, for their encoder.

    tau_low is what 95 % of all pairs of different texts are below; tau_high what 99.9 % are.
    `None` where too few texts differ. Of many some are looked at, always the same.

    Args:
        vectors: Shape (p, dim), unit rows: what patterns or parts say.
    """
    rows = _different(np.asarray(vectors, dtype=np.float32))
    if len(rows) < ENOUGH:
        return None
    if len(rows) > MOST:
        chosen = np.random.default_rng(0).choice(len(rows), MOST, replace=False)
        rows = rows[np.sort(chosen)]
    pairs = (rows @ rows.T)[np.triu_indices(len(rows), 1)]
    low, high = np.quantile(pairs, [UNLIKE, DIFFERENT]).tolist()
    return Taus(round(low, 3), round(high, 3))


def _different(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return each vector once, in an order that does not depend on how they came."""
    return np.unique(np.round(rows, 6), axis=0)
