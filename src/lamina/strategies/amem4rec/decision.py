"""Whether a new part is stored, evolves what is there, or both: by similarity alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from lamina.strategies.amem4rec.config import LEAST_HIGH, PAPER, TAUS, AMEM4RecConfig, Taus, usual

Action = Literal["store", "update and store", "update"]
NARROWER = 0.05
"""How much nearer both thresholds come."""
GROWN = 1000
"""Patterns of a pool from which on thresholds come no nearer."""
MOST_DISTANT = 0.5
"""Share of those retrieved below tau_low from which on public code only stores."""


def decide(cosines: Sequence[float], taus: Taus, config: AMEM4RecConfig) -> Action:
    """Return what is done with a new part.

    `store` where nothing is near; `update` where it is as near as tau_high and so is `p_high` of
    those retrieved; else `update and store`. With `table="code"` it is `store` where the best is as
    near as tau_high, less than `p_high` are, and half are below tau_low. Without the gate of
    similarity it is `update and store` wherever anything was retrieved.

    Args:
        cosines: Of those retrieved, at most k; shares are of these, however few.
        taus: The thresholds.
        config: Which table, and how it is read.
    """
    if not cosines:
        return "store"
    if not config.similarity_gate:
        return "update and store"
    best = max(cosines)
    if best < taus.low:
        return "store"
    if best < taus.high:
        return "update and store"
    if _share(each >= taus.high for each in cosines) >= config.p_high:
        return "update"
    distant = _share(each < taus.low for each in cosines)
    if config.table == "code" and distant >= MOST_DISTANT:
        return "store"
    return "update and store"


def _share(cases: Iterable[bool]) -> float:
    told = list(cases)
    return sum(told) / len(told)


def narrowed(taus: Taus, size: int) -> Taus:
    """Return both thresholds nearer to each other, as a pool of so many patterns has them.

    By 0.05 each from 1,000 on, by less before; they meet in the middle at most.
    """
    by = min(NARROWER * min(size, GROWN) / GROWN, (taus.high - taus.low) / 2)
    return Taus(taus.low + by, taus.high - by)


def meaning_much(taus: Taus) -> float:
    """Return from which cosine on an encoder holds two texts for much the same.

    The paper's 0.85 stands where it does between its own two thresholds, 0.55 and 0.9; so it does
    between these.
    """
    place = (LEAST_HIGH - PAPER.low) / (PAPER.high - PAPER.low)
    return taus.low + place * (taus.high - taus.low)


def warnings(taus: Taus, encoder: str, *, written: bool = False) -> tuple[str, ...]:
    """Return what speaks against thresholds, in words for people; most often nothing.

    Args:
        taus: As configured.
        encoder: Its id.
        written: Whether a model writes the texts.
    """
    found = []
    if encoder not in TAUS and taus == PAPER:
        found.append(
            f"tau_low {taus.low:g} and tau_high {taus.high:g} are for Sentence-BERT, and nothing is"
            " known of this encoder; `calibrate` proposes what suits it"
        )
    least = meaning_much(usual(encoder, written=written))
    if taus.high < least - 1e-9:
        found.append(
            f"tau_high {taus.high:g} is low for this encoder: below {least:.2f} what differs is"
            " merged"
        )
    return tuple(found)
