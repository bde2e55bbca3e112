"""From a query and all documents of a scope to a ranking of its turns and notes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from lamina.model import Variant
from lamina.ports import NOTE_KINDS, Documents
from lamina.recall.arrays import Floats, Ints
from lamina.recall.fusion import NAMES, Weights, recency
from lamina.recall.signals import Signals

_FLAT = ("turn_lexical", "turn_dense", "speaker", "substance", "when", "time", "fact")
_EVENTS = ("exchange_lexical", "exchange_dense", "near_lexical", "near_dense", "relation")
_SESSIONS = ("session_lexical", "session_dense", "summary")
SIGNALS: Mapping[Variant, tuple[str, ...]] = {
    "flat": _FLAT,
    "events": (*_FLAT, *_EVENTS),
    "full": (*_FLAT, *_EVENTS, *_SESSIONS),
}
"""The signals of each variant; each has those of the one before it."""
_STAND_INS = {sort: NAMES.index(f"turn_{sort}") for sort in ("lexical", "dense")}
DIGITS = 5
"""Of the relevance that decide the order: what lies behind them is rounding."""
_KINDS: Mapping[Variant, int] = {"flat": 1, "events": 2, "full": len(NOTE_KINDS)}
"""How many of `NOTE_KINDS` each variant shows."""


def weights_of(variant: Variant, weights: Weights) -> Floats:
    """Return the weight of each of `fusion.NAMES` in a variant.

    For a view that the variant has not, the turn alone stands, and takes its weight.
    """
    found = weights.of(NAMES)
    for i, name in enumerate(NAMES):
        if name not in SIGNALS[variant]:
            stand_in = _STAND_INS.get(name.rpartition("_")[2])
            if stand_in is not None:
                found[stand_in] += found[i]
            found[i] = 0
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """Turns and notes, most relevant first."""

    rows: Ints
    """Shape (k,): rows of `Documents`."""
    shares: Floats
    """Shape (k, signals): each signal of `fusion.NAMES`, weighted; recency last, if it counts."""
    relevance: Floats
    """Shape (k,): the sum of the shares."""

    def explain(self, place: int) -> dict[str, float]:
        """Return what each signal added to the relevance of the hit at `place`, if anything."""
        row = zip((*NAMES, "recency"), self.shares[place].tolist(), strict=False)
        return {name: share for name, share in row if share}


def rank(
    found: Signals, documents: Documents, weights: Weights, variant: Variant = "full"
) -> Ranked:
    """Rank every turn, and every note that the variant has, together.

    Ties, to `DIGITS`, go to what was said earlier, then to the lower row.
    """
    used = weights_of(variant, weights)
    shown = documents.kinds[found.note_rows] < _KINDS[variant]
    rows = np.concatenate([found.turn_rows, found.note_rows[shown]])
    shares = np.concatenate([found.turns, found.notes[shown]]) * used
    if weights.recency:
        fresh = recency(documents.said_at[rows], found.asked_at, weights.half_life_days)
        shares = np.column_stack([shares, fresh * np.float32(weights.recency)])
    relevance = shares.sum(axis=1)
    order = np.lexsort((rows, documents.said_at[rows], -np.round(relevance, DIGITS)))
    return Ranked(rows=rows[order], shares=shares[order], relevance=relevance[order])
