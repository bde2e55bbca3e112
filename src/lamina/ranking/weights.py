"""How much each feature adds to a score: three sets, by what is ranked.

`catalogue`: all items, or a few that are drawn evenly from them. `shortlist`: candidates of which
it is not known how they came to be candidates. `personal`: candidates drawn in proportion to their
popularity, which therefore tells nothing, and counts against an item: what is liked by this user
rather than by all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Literal

import numpy as np

from lamina.ranking import shared
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
                "alike_last": 2.38, "words": 0.48, "words_last": 2.57, "words_liked": 1.64,
                "kinds": 2.3, "numbers": 2.33, "together": 1.72, "neighbours": 1.7,
                "near": 2.12, "following": 1.8, "season": 1.83, "in_season": 1.0,
                "esteem": 1.28, "popularity": 0.69, "linked": 0.63,
            }
        ),
        "shortlist": MappingProxyType(
            {
                "alike_last": 2.12, "words": 0.32, "words_last": 2.84, "words_liked": 1.68,
                "kinds": 2.03, "numbers": 2.36, "together": 0.86, "neighbours": 2.32,
                "near": 2.54, "following": 2.09, "season": 0.91, "in_season": 2.08,
                "esteem": 1.12, "popularity": -1.51, "linked": 0.64,
            }
        ),
        "personal": MappingProxyType(
            {
                "alike_last": 2.17, "words": 0.61, "words_last": 2.44, "words_liked": 1.36,
                "kinds": 1.71, "numbers": 2.02, "together": 0.93, "neighbours": 1.9,
                "near": 2.51, "following": 2.09, "season": 1.31, "in_season": 1.42,
                "esteem": 1.16, "popularity": -4.47, "linked": 0.69,
            }
        ),
    }
)  # fmt: skip
"""Fitted by `python -m benchmarks.rank fit DATA DB` on what each user of ml-latest-small did last
but one, from all that was done but each user's last two, with the notes of a store in which all of
it was formed: a conditional logit over 20 candidates drawn by popularity (personal), those and 10
drawn evenly (shortlist), 10 drawn evenly and a sample of all (catalogue). What one set costs where
another belongs (H@1 / N@5 of 20 drawn by popularity; of 10 drawn evenly; H@10 / N@10 of all; each
user by weights fitted on others): catalogue .343/.536, .750/.878, .198/.110; shortlist .409/.612,
.716/.860, .171/.096; personal .449/.648, .623/.780, .137/.076."""


WITH_PATTERNS: Mapping[Kind, Mapping[str, float]] = MappingProxyType(
    {kind: MappingProxyType({**own}) for kind, own in WEIGHTS.items()}
)
ALONE: Mapping[str, float] = MappingProxyType(
    {"shared_kinds": 0.75, "shared_moves": 1.59, "shared_meaning": 1.0}
)
"""Of what patterns say, where nothing else speaks."""


def of(
    kind: Kind, *, cold: bool = False, names: Sequence[str] = NAMES, alone: bool = False
) -> Floats:
    """Return the weights of some features, in order.

    Args:
        kind: For which candidates; of somebody new those of the catalogue are taken.
        cold: Whether it is for somebody new.
        names: The features; with those of `lamina.ranking.shared` the weights are those that were
            fitted beside them.
        alone: Whether only what patterns say speaks, and what is asked for.
    """
    fitted = WEIGHTS if set(names).isdisjoint(shared.NAMES) else WITH_PATTERNS
    chosen = ALONE if alone else fitted["catalogue" if cold else kind]
    every = {**chosen, **ASKED}
    return np.array([every.get(name, 0.0) for name in names])
