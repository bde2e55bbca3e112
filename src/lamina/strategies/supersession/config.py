"""What can be set about supersession."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SupersessionConfig:
    """How far a new fact looks for older ones, and what is put before a model."""

    kin: int = 50
    """Facts near to a new one among which its slot is looked for, where no model is asked."""
    candidates: int = 3
    """Facts near to a new one that a model may be shown beside it."""
    nearest: int = 8
    """Facts near to a new one that are looked at for candidates."""
    shared_terms: int = 3
    """Words with a meaning, names of speakers left out, that a candidate shares at least."""
    shared_share: float = 0.75
    """Part of the words of the shorter of two facts that they share at least."""
    changed_terms: int = 2
    """The same where one of the two has a word that tells of a change, such as "no longer"."""
    changed_share: float = 0.4
    """The same."""
    facts_a_call: int = 12
    """New facts that one call judges at most; of more, those with the nearest candidates."""
    calls_a_step: int = 1
    """Calls that one step makes at most."""
