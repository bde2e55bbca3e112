"""Scaling signals to one measure, and the weights that add them up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from lamina.recall.arrays import Floats
from lamina.times import DAY

NOISE = 1e-5
"""Spread of cosines that tells nothing: a vector is the same to so much, whatever it was batched
with, and a product of many rows rounds otherwise than one of few."""


def scaled(values: Floats) -> Floats:
    """Return `values` moved and stretched so that the least is 0 and the greatest 1.

    Taken over the whole visible scope, so that a signal's share doesn't depend on what else is
    asked for. Values that are all the same, but
    for `NOISE`, say nothing: they become 0.
    """
    if not len(values):
        return values
    low, high = values.min(), values.max()
    if not high - low > NOISE:
        return np.zeros_like(values)
    found: Floats = (values - low) / (high - low)
    return found


def of_greatest(values: Floats) -> Floats:
    """Return `values`, at least 0, as shares of the greatest: what is absent stays 0."""
    high = values.max(initial=0)
    found: Floats = values / high if high > 0 else np.zeros_like(values)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """How much each signal, in [0, 1], adds to a turn's relevance.

    The defaults were fitted on the questions of categories 1 to 4 of the five LoCoMo conversations
    that development may use, without a language model, to the likelihood of the turns that answer
    under a softmax over all turns (a conditional logit, with a penalty of half the squared
    weights), then divided by the greatest. What they reach there is no measure: the evaluation
    fits on other conversations than it measures on. The optimum is flat: equal weights reach nearly
    as much. So `turn_lexical` was then raised from 0.11 by hand, which lets a word that was asked
    for decide in a small scope and costs 0.005 of recall@10 there, and `time` from 1, so that who
    asks for October is told of October. `fact` and `relation` need a model, and are set by hand
    to what turns and exchanges have alike.
    """

    turn_lexical: float = 0.4
    """BM25 of the turn."""
    turn_dense: float = 0.28
    """Cosine of the turn and the query."""
    speaker: float = 0.5
    """The query names who said it."""
    substance: float = 0.73
    """It says much rather than little."""
    when: float = 0.32
    """The query asks when, and its words name a time."""
    time: float = 2.0
    """The query names a time, and it was said or is about then."""
    fact: float = 0.3
    """The best fact that rests on it: lexical and dense, half each."""
    exchange_lexical: float = 0.19
    """BM25 of the turn after the one before it."""
    exchange_dense: float = 0.33
    """Cosine of the same."""
    near_lexical: float = 0.46
    """The best BM25 of its exchange and those next to it."""
    near_dense: float = 0.46
    """The best cosine of its exchange and those next to it."""
    relation: float = 0.3
    """The best relation that rests on it: lexical and dense, half each."""
    session_lexical: float = 0.27
    """BM25 of the session as one document."""
    session_dense: float = 0.17
    """The best cosine in the session."""
    summary: float = 0.05
    """The best summary that rests on it: lexical and dense, half each."""
    recency: float = 0.0
    """It was said not long before the query is asked: 1 for what is said then, half of that for
    what is older by `half_life_days`. Not fitted, and without weight unless asked for: what is old
    is no less true. It moves ranks alone; nothing is ever forgotten for its age."""
    half_life_days: float = 30.0
    """Days, above 0: how fast recency fades. No signal itself."""

    def of(self, names: Sequence[str]) -> Floats:
        """Return the weights of these signals, in order."""
        return np.array([getattr(self, name) for name in names], dtype=np.float32)


NAMES: tuple[str, ...] = tuple(
    field.name for field in fields(Weights) if field.name not in ("recency", "half_life_days")
)
"""Every signal that is worked out for each query, in the order of its arrays."""


def recency(said_at: NDArray[np.int64], asked_at: int, half_life_days: float) -> Floats:
    """Return 0.5 ** (age / half-life) of what was said at some times; 1 for what is yet to come.

    Args:
        said_at: Microseconds, shape (n,).
        asked_at: Microseconds.
        half_life_days: Days, above 0.
    """
    age = np.maximum(asked_at - said_at, 0) / (half_life_days * DAY)
    return np.exp2(-age).astype(np.float32)
