"""What a pool keeps to: kept in the store, so that it holds for all who open it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lamina.errors import BadInput
from lamina.memory.write import whole
from lamina.model import Scope, Value
from lamina.strategies.amem4rec.config import AMEM4RecConfig, Cutting, Order, Table, Taus, usual
from lamina.work import visibility
from lamina.work.engine import Engine
from lamina.work.pools import ENCODER, FORMING, K, asks, recommender_of

OWN = "encoder"
"""In place of a threshold: what belongs to the encoder."""
TAUS = frozenset({"tau_low", "tau_high"})
NEVER = "never"
"""In place of a half-life: age does not count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolConfiguration(Value):
    """What a pool keeps to."""

    k: int = K
    """How many users must support a pattern for others to be told of it. Where the recommender's
    privacy is `group` or `silo`, its own `k` holds as well."""
    w: int = 3
    """Interactions in a window."""
    cut: Cutting = "sliding"
    table: Table = "seed"
    """Which decisions on what is linked and stored."""
    narrows: bool = False
    """Whether the thresholds come nearer to each other as the pool grows."""
    tau_low: float | None = None
    tau_high: float | None = None
    """From which cosine on patterns may be linked, and say the same; `None`: as belongs to the
    encoder."""
    encoder: str = ""
    """The id of the encoder for which thresholds were set; empty where none were."""
    half_life_days: float | None = None
    """After how many days without support a pattern weighs half; `None`: age does not count."""
    order: Order = "users"
    """In which parts are taken in: one user after another, or as things were done."""
    seed: int = 0
    """Of the order in which users are gone through."""
    cap: int = 0
    """How many patterns `tidy` leaves at most; 0: as many as there are."""
    keep_days: int = 0
    """For how many days `tidy` leaves a pattern after its last support; 0: for ever."""


def configured(engine: Engine, scope: Scope) -> PoolConfiguration:
    """Return what a pool keeps to: what was set for it, else what the engine's strategy does."""
    ours = {name: getattr(engine.amem4rec, name) for name in FORMING}
    return PoolConfiguration(**{**ours, **engine.store.configuration(scope)})


def least(engine: Engine, scope: Scope) -> int:
    """Return how many users must support a pattern for others to be told of it."""
    own = engine.store.configuration(recommender_of(scope))
    return max(configured(engine, scope).k, visibility.least(own))


def configure(engine: Engine, scope: Scope, given: Mapping[str, Any]) -> PoolConfiguration:
    """Change what is given and not `None`; return all of it.

    Thresholds that are set are tied to the encoder at hand; those that were set for another one are
    dropped where one is set anew.

    Raises:
        BadInput: A value is none that it may have, or tau_low would be above tau_high, counting
            what belongs to the encoder; nothing was changed.
    """
    told = {name: _checked(name, value) for name, value in given.items() if value is not None}
    kept = engine.store.configuration(scope)
    if not TAUS.isdisjoint(told):
        kept = _tied(kept, engine.encoder.space.id)
    kept = {"k": K, **kept, **told}
    ours = {name: getattr(engine.amem4rec, name) for name in FORMING}
    now = PoolConfiguration(**{**ours, **kept})
    AMEM4RecConfig(**{name: getattr(now, name) for name in FORMING})
    if not TAUS.isdisjoint(told):
        _check(now, usual(engine.encoder.space.id, written=asks(engine, scope)))
    engine.store.configure(scope, kept)
    return now


def _check(now: PoolConfiguration, own: Taus) -> None:
    """Refuse thresholds in use of which the one from which patterns are alike is the higher one."""
    low = own.low if now.tau_low is None else now.tau_low
    high = own.high if now.tau_high is None else now.tau_high
    if low > high:
        whose = " (the encoder's)"
        raise BadInput(
            f"tau_low {low:g}{whose if now.tau_low is None else ''} must not be above "
            f"tau_high {high:g}{whose if now.tau_high is None else ''}: set both"
        )


def _tied(kept: Mapping[str, Any], encoder: str) -> dict[str, Any]:
    """Return what is kept, with the thresholds that were set for this encoder alone."""
    same = kept.get(ENCODER) == encoder
    left = {name: value for name, value in kept.items() if same or name not in TAUS}
    return {**left, ENCODER: encoder}


def _checked(name: str, value: object) -> object:
    if name in ("tau_low", "tau_high"):
        return None if value == OWN else _number(name, value)
    if name == "half_life_days":
        return None if value == NEVER else _number(name, value)
    if name == "narrows":
        if not isinstance(value, bool):
            raise BadInput(f"narrows must be true or false, not {value!r}")
        return value
    if name in ("cut", "table", "order"):
        return value
    return whole(name, value, least=1 if name in ("k", "w") else 0)


def _number(name: str, value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise BadInput(f"{name} must be a number, not {value!r:.40}")
    return float(value)
