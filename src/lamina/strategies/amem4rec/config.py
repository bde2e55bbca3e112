"""How AMEM4Rec works; the defaults are those of its authors where they name one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, NamedTuple, get_args

from lamina.errors import BadInput
from lamina.model import Value

Cutting = Literal["sliding", "blocks"]
"""`sliding`: a window begins at every interaction; `blocks`: at every w-th, and one takes in the
last w."""
Table = Literal["seed", "code"]
"""Which decisions: of the paper, or of public code, which also stores only where at least half of
those retrieved are below tau_low."""
Order = Literal["users", "time"]
"""`users`: one user after another, in an order drawn by the seed, each by time; `time`: what was
done first is taken in first, what was done at once in that order."""


class Taus(NamedTuple):
    """From which cosine on patterns may be linked, and from which they say the same."""

    low: float
    high: float


PAPER = Taus(0.55, 0.9)
"""For Sentence-BERT and texts that a model writes; also where nothing is known of the encoder."""
TAUS: Mapping[str, Taus] = MappingProxyType({"minilm-53aa51172d14-1": Taus(0.79, 0.92)})
"""Encoder id to what was found for it and texts that are selected, which are all alike in form: on
2,000 different ones that windows of MovieLens gave. 5 % of all their pairs reach 0.79 (of those
whose categories agree 19 %), 0.3 % reach 0.92: that is the middle of those that differ in nothing
but how ratings went, and 99 % of those where one likes what the other dislikes are below 0.88."""
LEAST_HIGH = 0.85
"""Below this share of the encoder's own scale tau_high merges what differs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AMEM4RecConfig(Value):
    """The parameters of the method."""

    w: int = 3
    """Interactions in a window."""
    cut: Cutting = "sliding"
    k: int = 5
    """How many nearest patterns a new one is held against."""
    tau_low: float | None = None
    tau_high: float | None = None
    """`None`: what belongs to the encoder."""
    table: Table = "seed"
    narrows: bool = False
    """Whether both thresholds come up to 0.05 nearer to each other as a pool grows to 1,000."""
    p_high: float = 0.6
    """Share of those retrieved that must say the same for a new one not to be stored."""
    similarity_gate: bool = True
    """False: whatever is retrieved may be linked."""
    semantic_gate: bool = True
    """False: whatever is similar is linked."""
    evolves: bool = True
    """False: what is linked stays as it is; new ones are stored."""
    rewrites: int = 10
    """After so many evolutions the words of a pattern stay; its count goes on."""
    least_weight: float = 0.2
    """What a new text weighs at least against the old one."""
    k_mem: int = 5
    """How many patterns a ranking is shown."""
    half_life_days: float | None = None
    """After how many days without support a pattern weighs half; `None`: age does not count."""
    order: Order = "users"
    """In which parts are taken in. Filled at once by `users`, all of a pool is known as of the last
    that was done; by `time`, as it grew."""
    seed: int = 0
    """Of the order in which users are gone through."""
    at_once: int = 8
    """Windows that one question to a model tells of."""

    def __post_init__(self) -> None:
        if min(self.w, self.k, self.k_mem, self.at_once) < 1 or self.rewrites < 0:
            raise BadInput("w, k, k_mem and at_once must be at least 1, rewrites at least 0")
        for name, given in (("cut", Cutting), ("table", Table), ("order", Order)):
            if getattr(self, name) not in get_args(given):
                raise BadInput(f"{name} must be one of {', '.join(get_args(given))}")
        _check(self.tau_low, self.tau_high)
        if not 0.0 <= self.p_high <= 1.0 or not 0.0 <= self.least_weight <= 1.0:
            raise BadInput("p_high and least_weight must be from 0 to 1")
        if self.half_life_days is not None and not self.half_life_days > 0:
            raise BadInput("half_life_days must be more than 0")

    def taus(self, encoder: str, *, written: bool = False) -> Taus:
        """Return the thresholds: as configured, else as they belong to an encoder and its texts.

        Args:
            encoder: Its id.
            written: Whether a model writes the texts.
        """
        own = usual(encoder, written=written)
        low = own.low if self.tau_low is None else self.tau_low
        return Taus(low, max(low, own.high if self.tau_high is None else self.tau_high))


def usual(encoder: str, *, written: bool = False) -> Taus:
    """Return the thresholds of an encoder, by its id, where none are configured."""
    return PAPER if written else TAUS.get(encoder, PAPER)


def _check(low: float | None, high: float | None) -> None:
    for tau in (low, high):
        if tau is not None and not -1.0 <= tau <= 1.0:
            raise BadInput(f"a threshold must be a cosine, from -1 to 1, not {tau}")
    if low is not None and high is not None and low > high:
        raise BadInput(f"tau_low {low:g} must not be above tau_high {high:g}")
