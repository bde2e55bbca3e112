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
FEW: Mapping[Kind, int] = MappingProxyType({"shortlist": 1, "personal": 3})
"""Items that a user had to do with, up to which they are ranked by the weights of few."""
ENOUGH = 4
"""With so many the weights of full histories serve, whichever candidates there are."""
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
    {
        "catalogue": MappingProxyType(
            {
                "alike": 0.15, "alike_last": 2.17, "words": 0.52, "words_last": 2.39,
                "words_liked": 1.68, "kinds": 1.55, "numbers": 2.39, "together": 1.44,
                "neighbours": 1.61, "near": 2.06, "following": 1.74, "season": 1.96,
                "in_season": 0.94, "esteem": 1.27, "popularity": 0.61, "linked": 0.61,
                "shared_moves": 0.62, "members": 0.67, "members_next": 0.07,
            }
        ),
        "shortlist": MappingProxyType(
            {
                "alike": 0.04, "alike_last": 1.95, "words": 0.44, "words_last": 2.63,
                "words_liked": 1.8, "kinds": 1.24, "numbers": 2.45, "together": 0.47,
                "neighbours": 2.19, "near": 2.51, "following": 1.96, "season": 1.07,
                "in_season": 1.96, "esteem": 1.14, "popularity": -1.57, "linked": 0.61,
                "shared_moves": 0.67, "members": 0.88, "members_next": 0.07,
            }
        ),
        "personal": MappingProxyType(
            {
                "alike": 0.11, "alike_last": 1.96, "words": 0.66, "words_last": 2.26,
                "words_liked": 1.41, "kinds": 0.98, "numbers": 2.11, "together": 0.66,
                "neighbours": 1.78, "near": 2.45, "following": 1.97, "season": 1.44,
                "in_season": 1.35, "esteem": 1.17, "popularity": -4.55, "linked": 0.68,
                "shared_moves": 0.62, "members": 0.73, "members_next": 0.09,
            }
        ),
    }
)  # fmt: skip
"""Of what patterns say beside all else, and of all else then: what
`python -m benchmarks.rank fit DATA DB --patterns` fits, as `WEIGHTS` and on the same items.

Today's numbers are of such a fit that went another way about the pool, and are not what the command
gives: one pool, without a model, of the windows (w 3, sliding) of what was done but each user's
last two, in which a random direction for each word, categories heavier, stood in place of the
encoder's vectors, with thresholds of 0.55 and 0.9; 5 patterns looked up in it of those of at least
3 others. The command takes the encoder of the settings with its own thresholds, and tells a user
their own patterns too, as `rank` does.

What they say adds to N@5 of 20 drawn by popularity, each user by weights fitted on others: .0062
(95 % of resamples from .0003 to .0119), and of histories cut to the last 1 and 3 items by these
same weights .0056 (.0003 to .0104) and .0075 (.0018 to .0129). Which categories members chose
next, what their histories hold without items shared, and how near in time they did it, added
nothing beside these, and are no features."""
OF_FEW: Mapping[Kind, Mapping[str, float]] = MappingProxyType(
    {
        "shortlist": MappingProxyType(
            {
                "alike": 1.41, "alike_last": 1.49, "words": 0.9, "words_last": 1.22,
                "words_liked": 0.51, "kinds": 0.53, "numbers": 1.44, "together": 1.95,
                "near": 2.44, "following": 1.02, "season": 2.03, "in_season": 2.52,
                "esteem": 0.66, "popularity": -0.91, "linked": 0.74,
                "shared_moves": 0.43, "members": 0.78, "members_next": 0.14,
            }
        ),
        "personal": MappingProxyType(
            {
                "alike": 1.23, "alike_last": 1.64, "words": 0.88, "words_last": 1.13,
                "words_liked": 0.5, "kinds": 0.4, "numbers": 1.28, "together": 1.86,
                "near": 2.35, "following": 1.12, "season": 2.41, "in_season": 1.9,
                "esteem": 0.81, "popularity": -4.1, "linked": 0.7,
                "shared_moves": 0.47, "members": 0.63, "members_next": 0.13,
            }
        ),
    }
)  # fmt: skip
"""The same of users who had to do with 1 to `FEW` items, fitted on histories cut to the last 1, 2
and 3, all three together, by the same command with `--cut 1,2,3`.

Today's numbers are of the same pool as those of `WITH_PATTERNS`, and of histories that were cut as
the user's own alone: what the user had done before went on to count in how many had to do with an
item, and in the pool. The command cuts them for everybody, and makes a pool of what is left.

Against the weights of full histories, without patterns, each user by weights fitted on others: N@5
of 20 drawn by popularity with 1, 2 and 3 items .575, .611, .628 for .537, .592, .617 (personal);
with 1 item of 10 drawn evenly .814 for .732, of 20 drawn by popularity .535 for .540 (shortlist;
with 2 and 3 items that loss is greater, so that full histories' weights serve). All but little of
it is because the weights are of few, not because of the patterns."""
ALONE: Mapping[str, float] = MappingProxyType(
    {"shared_kinds": 1.13, "shared_moves": 1.21, "shared_meaning": 2.18}
)
"""Of what patterns say, where nothing else speaks; fitted by the same command on whole histories,
as for `shortlist`. Today's numbers are of the same pool as those of `WITH_PATTERNS`; only
`shared_meaning` is of the encoder's vectors. N@5 of 20 drawn by popularity .269 (all, and with 3
items), .246 (with 1), by these very weights, which were fitted on the same users (with 1 and 3
items the vectors of some patterns were missing); by popularity alone .180."""


def of(
    kind: Kind, *, had: int = ENOUGH, names: Sequence[str] = NAMES, alone: bool = False
) -> Floats:
    """Return the weights of some features, in order.

    Args:
        kind: For which candidates; of somebody new those of the catalogue are taken.
        had: With how many items the user had to do.
        names: The features; with those of `lamina.ranking.shared` the weights are those that were
            fitted beside them.
        alone: Whether only what patterns say speaks, and what is asked for.
    """
    every = {**(ALONE if alone else _fitted(kind, had, names)), **ASKED}
    return np.array([every.get(name, 0.0) for name in names])


def _fitted(kind: Kind, had: int, names: Sequence[str]) -> Mapping[str, float]:
    asked: Kind = kind if had else "catalogue"
    if set(names).isdisjoint(shared.NAMES):
        return WEIGHTS[asked]
    few = 0 < had <= FEW.get(asked, 0)
    return OF_FEW[asked] if few else WITH_PATTERNS[asked]
