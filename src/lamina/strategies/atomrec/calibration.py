"""From which cosine on two notes hang together, for an encoder."""

from __future__ import annotations

from lamina.strategies.atomrec.config import TAU, AtomRecConfig

PAPER = 0.7
"""The paper's, for Sentence-T5: where nothing is known of the encoder at hand."""


def tau_for(config: AtomRecConfig, encoder: str) -> float:
    """Return the cosine above which a note is reconsidered: as configured, else as calibrated."""
    return config.tau_evo if config.tau_evo is not None else TAU.get(encoder, PAPER)
