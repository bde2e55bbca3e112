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
FITS = 50.0
"""What a step of `Kept.fits` adds: more than all else together, so that scores tell the order."""
WEIGHTS: Mapping[Kind, Mapping[str, float]] = MappingProxyType(
    {
        "catalogue": MappingProxyType(
            {
                "alike_last": 0.91, "words": 0.85, "words_last": 3.08, "words_liked": 1.89,
                "kinds": 2.53, "numbers": 2.41, "together": 1.82, "neighbours": 1.7,
                "near": 2.22, "following": 1.94, "season": 1.94, "in_season": 0.93,
                "esteem": 1.26, "popularity": 0.66, "linked": 1.0,
            }
        ),
        "shortlist": MappingProxyType(
            {
                "alike_last": 1.22, "words": 0.64, "words_last": 3.09, "words_liked": 1.89,
                "kinds": 2.19, "numbers": 2.41, "together": 0.93, "neighbours": 2.34,
                "near": 2.71, "following": 2.23, "season": 1.0, "in_season": 2.04,
                "esteem": 1.11, "popularity": -1.55, "linked": 1.0,
            }
        ),
        "personal": MappingProxyType(
            {
                "alike_last": 1.35, "words": 0.91, "words_last": 2.68, "words_liked": 1.56,
                "kinds": 1.85, "numbers": 2.06, "together": 1.01, "neighbours": 1.92,
                "near": 2.69, "following": 2.21, "season": 1.39, "in_season": 1.37,
                "esteem": 1.16, "popularity": -4.52, "linked": 1.0,
            }
        ),
    }
)  # fmt: skip
"""Fitted by `python -m benchmarks.rank fit` on what each user of ml-latest-small did last but one,
from all that was done but each user's last two: a conditional logit over 20 candidates drawn by
popularity (personal), those and 10 drawn evenly (shortlist), 10 drawn evenly and a sample of all
(catalogue). `linked` is by hand: it was fitted without notes, which it needs. What one set costs
where another belongs (H@1 / N@5 of 20 drawn by popularity; of 10 drawn evenly; H@10 / N@10 of all;
each user by weights fitted on others): catalogue .336/.531, .747/.876, .177/.100; shortlist
.411/.611, .720/.862, .162/.089; personal .448/.648, .618/.776, .122/.069."""


def of(kind: Kind, *, cold: bool = False) -> Floats:
    """Return the weights of `features.NAMES`, in order; of somebody new those of the catalogue."""
    chosen = {**WEIGHTS["catalogue" if cold else kind], **ASKED}
    return np.array([chosen.get(name, 0.0) for name in NAMES])
