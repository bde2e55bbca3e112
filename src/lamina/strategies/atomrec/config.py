"""How AtomRec works; see the paper's table of defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from lamina.errors import BadInput
from lamina.model import Value

TAU: Mapping[str, float] = MappingProxyType({"minilm-53aa51172d14-1": 0.65})
"""Encoder id to its threshold of evolution, as `calibrate` found it: one in a hundred pairs of
notes that share nothing is above it. For the packaged encoder that is .652, of 222,399 pairs of
notes of films; of the pairs that do share something .049 are above it."""
LinkBy = Literal["semantic", "embedding", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AtomRecConfig(Value):
    """The parameters of the method. The defaults are the paper's where it names one."""

    k_link: int = 20
    """How many nearest notes a new one may be linked with."""
    most_links: int = 4
    """How many it is linked with at most, without a model; so graphs stay sparse."""
    tau_evo: float | None = None
    """Cosine above which a near note is reconsidered though it is not linked; `None`: what was
    calibrated for the encoder."""
    most_evolved: int = 3
    """How many notes one interaction may change at most, which bounds what it costs."""
    nearby: int = 3
    """How many notes an evolution is shown beside the new one and the target."""
    hops: int = 2
    """How far links are followed in reading."""
    top: int = 10
    """How many notes are retrieved before links are followed."""
    facets: int = 7
    """How many sides of a taste are told at most."""
    neighbours: int = 8
    """How many notes Stage-W is shown beside the user's and the item's."""
    recent: int = 5
    """How many of the user's latest notes a new note's context tells of."""
    reflects: bool = True
    """Whether Stage-W follows each interaction, where a model is asked."""
    evolves: bool = True
    """False: append-only."""
    links: LinkBy = "semantic"
    """`embedding`: the nearest, whatever they share."""
    least_confidence: float = 0.5
    """Changes that are less sure than this are left out."""
    evidence_tokens: int = 1800
    """How much evidence a ranking is shown at most."""

    lasting_days: int = 3
    lasting_span_days: int = 30
    """A side of a taste is lasting if what supports it was done on at least so many days, the
    first and the last of them at least so far apart; else it is passing, if the user's own notes
    reach so far, and it's too early to say if not."""

    def __post_init__(self) -> None:
        whole = (self.k_link, self.most_links, self.most_evolved, self.nearby, self.hops, self.top)
        if min(whole) < 0 or self.recent < 0 or self.neighbours < 0:
            raise BadInput("AtomRec's numbers must be 0 or more")
        if self.tau_evo is not None and not -1.0 <= self.tau_evo <= 1.0:
            raise BadInput(f"tau_evo must be a cosine, from -1 to 1, not {self.tau_evo}")
        if not 0.0 <= self.least_confidence <= 1.0:
            raise BadInput(f"least_confidence must be from 0 to 1, not {self.least_confidence}")
