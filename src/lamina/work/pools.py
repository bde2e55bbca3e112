"""A pool beside its recommender: whether there is one, how it is formed, what its parts say."""

from __future__ import annotations

from dataclasses import replace

from lamina.errors import EncoderMismatch
from lamina.model import Message, Note, Scope
from lamina.ports import Store
from lamina.strategies.amem4rec.config import AMEM4RecConfig
from lamina.strategies.amem4rec.forming import Part
from lamina.strategies.amem4rec.stages import Abstraction
from lamina.work.engine import Engine

FORMING = (
    "w", "cut", "table", "narrows", "tau_low", "tau_high", "half_life_days", "order", "seed",
)  # fmt: skip
"""What may be configured of how a pool is formed, by the names of `AMEM4RecConfig`."""
K = 3
"""How many users must support what is told to others, where nothing else is configured."""
ENCODER = "encoder"
"""Under which the encoder is kept for which thresholds were configured."""


def recommender_of(scope: Scope) -> Scope:
    """Return the recommender of a pool."""
    return replace(scope, kind="recommender")


def pool_of(scope: Scope) -> Scope:
    """Return the pool of a recommender."""
    return replace(scope, kind="pool")


def begun(store: Store, scope: Scope) -> bool:
    """Whether there is a pool: it has anything, or what it keeps to has been written down."""
    return bool(store.configuration(scope)) or any(store.counts(scope).values())


def begin(store: Store, scope: Scope) -> None:
    """Write down that there is a pool, if that has not been: from then on erasures reach it."""
    if not store.configuration(scope):
        store.configure(scope, {"k": K})


def config_of(engine: Engine, scope: Scope) -> AMEM4RecConfig:
    """Return how a pool is formed.

    Raises:
        EncoderMismatch: Its thresholds were set for another encoder than the one at hand.
    """
    kept = engine.store.configuration(scope)
    told = {name: kept[name] for name in FORMING if name in kept}
    set_for, encoder = kept.get(ENCODER, ""), engine.encoder.space.id
    tied = told.get("tau_low") is not None or told.get("tau_high") is not None
    if tied and set_for != encoder:
        raise EncoderMismatch(
            f"tau_low and tau_high of this pool were set for the encoder {set_for!r}, not for "
            f"{encoder!r}: run `calibrate` and set them anew, or set them to 'encoder'"
        )
    return replace(engine.amem4rec, **told)


def asks(engine: Engine, scope: Scope) -> bool:
    """Whether a model tells windows in general terms and judges parts; else they are selected."""
    return engine.llm(scope, "memory", "") is not None


def last_number(store: Store, scope: Scope) -> int:
    """Return the number of the last operation of a pool; 0 where there is none."""
    return next((each.number for each in store.list_operations(scope, limit=1)), 0)


def said_of(part: Message) -> Abstraction:
    """Return what a part says in general terms."""
    told = part.metadata
    return Abstraction(
        explanation=told.get("explanation", ""),
        description=told.get("description", ""),
        keywords=tuple(told.get("keywords", ())),
        raw=bool(told.get("raw")),
    )


def said_by(pattern: Note) -> Abstraction:
    """Return what a pattern says."""
    return Abstraction(
        explanation=pattern.text, description=pattern.context, keywords=pattern.keywords
    )


def part_of(part: Message) -> Part:
    """Return a part as it is taken in."""
    names = tuple(part.metadata.get("names", ()))
    return Part(id=part.id, user=part.speaker, said=said_of(part), names=names)
