"""How much each feature adds to a score: three sets, by what is ranked.

`catalogue`: all items, or a few that are drawn evenly from them. `shortlist`: candidates of which
it is not known how they came to be candidates. `personal`: candidates drawn in proportion to their
popularity, which therefore tells nothing, and counts against an item: what is liked by this user
rather than by all.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

import numpy as np

from lamina.ranking.features import NAMES
from lamina.ranking.histories import Floats

Kind = Literal["catalogue", "shortlist", "personal"]
ASKED: Mapping[str, float] = MappingProxyType({"asked_for": 3.0, "asked_words": 3.0, "chat": 1.0})
"""Of what no data at hand can be fitted on, set by hand: what is asked for outweighs any habit."""
FITS = 3.0
"""What keeping to all constraints adds, by hand."""
WEIGHTS: Mapping[Kind, Mapping[str, float]] = MappingProxyType(
    {
        "catalogue": MappingProxyType(
            {
                "alike_last": 0.59, "words": 0.71, "words_last": 2.75, "words_liked": 2.07,
                "kinds": 2.43, "numbers": 2.59, "together": 2.18, "neighbours": 1.36,
                "near": 2.11, "following": 2.01, "season": 1.93, "in_season": 0.95,
                "esteem": 1.09, "popularity": 0.59, "linked": 1.0,
            }
        ),
        "shortlist": MappingProxyType(
            {
                "alike_last": 0.77, "words": 0.61, "words_last": 3.04, "words_liked": 1.75,
                "kinds": 2.29, "numbers": 2.59, "together": 1.52, "neighbours": 2.09,
                "near": 2.36, "following": 2.43, "season": 0.98, "in_season": 1.87,
                "esteem": 0.97, "popularity": -1.82, "linked": 1.0,
            }
        ),
        "personal": MappingProxyType(
            {
                "alike_last": 0.87, "words": 0.92, "words_last": 2.48, "words_liked": 1.34,
                "kinds": 2.03, "numbers": 2.26, "together": 1.57, "neighbours": 1.75,
                "near": 2.44, "following": 2.39, "season": 1.33, "in_season": 1.31,
                "esteem": 1.14, "popularity": -4.76, "linked": 1.0,
            }
        ),
    }
)  # fmt: skip
"""Fitted by `python -m benchmarks.rank fit` on what each user of ml-latest-small did last but one,
from all that was done but each user's last two: a conditional logit over 20 candidates drawn by
popularity (personal), those and 10 drawn evenly (shortlist), 10 and 400 drawn evenly
(catalogue)."""


def of(kind: Kind, *, cold: bool = False) -> Floats:
    """Return the weights of `features.NAMES`, in order; of somebody new those of the catalogue."""
    chosen = {**WEIGHTS["catalogue" if cold else kind], **ASKED}
    return np.array([chosen.get(name, 0.0) for name in NAMES])
