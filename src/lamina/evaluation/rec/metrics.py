r"""How good a ranking is that is to show one target, in expectation over the orders of ties.

If g candidates score above the target and e others score the same, the target's rank is any of
g + 1, ..., g + e + 1 with the same chance 1 / (e + 1). So, with D(r) = sum of 1 / log2(s + 1) over
s <= r, and R(r) = sum of 1 / s over s <= r:

    H@k = (min(k, g + e + 1) - min(k, g)) / (e + 1)
    N@k = (D(min(k, g + e + 1)) - D(min(k, g))) / (e + 1)
    MRR = (R(g + e + 1) - R(g)) / (e + 1)

The ideal gain is 1, since there is one target (Järvelin and Kekäläinen 2002; for expectations over
ties McSherry and Najork 2008).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

CUTS = (1, 3, 5, 10)
NAMES = (*(f"H@{k}" for k in CUTS), *(f"N@{k}" for k in CUTS), "MRR")


def standing(
    scores: NDArray[np.floating], shown: NDArray[np.bool_], targets: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return how many candidates score above each target, and how many others the same.

    Args:
        scores: Shape (n, c), finite where shown.
        shown: Shape (n, c): what is a candidate; others do not count.
        targets: Shape (n,), columns.
    """
    rows = np.arange(len(scores))
    own = scores[rows, targets][:, None]
    above = ((scores > own) & shown).sum(axis=1)
    same = ((scores == own) & shown).sum(axis=1) - 1
    return above.astype(np.int64), same.astype(np.int64)


def expected(above: NDArray[np.int64], same: NDArray[np.int64]) -> Mapping[str, Floats]:
    """Return each metric of each ranking, shape (n,), in [0, 1].

    Args:
        above: Shape (n,), how many score above the target.
        same: Shape (n,), how many others score the same.
    """
    longest = int((above + same).max(initial=0)) + 1
    ranks = np.arange(1, longest + 1)
    gains = np.concatenate([[0.0], np.cumsum(1.0 / np.log2(ranks + 1.0))])
    inverses = np.concatenate([[0.0], np.cumsum(1.0 / ranks)])
    last, chances = above + same + 1, same + 1.0
    found: dict[str, Floats] = {}
    for k in CUTS:
        found[f"H@{k}"] = (np.minimum(k, last) - np.minimum(k, above)) / chances
    for k in CUTS:
        found[f"N@{k}"] = (gains[np.minimum(k, last)] - gains[np.minimum(k, above)]) / chances
    found["MRR"] = (inverses[last] - inverses[above]) / chances
    return found
