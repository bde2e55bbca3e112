"""From which cosines on patterns hang together and say the same; see `Pool.calibrate`."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from lamina.errors import NotFound
from lamina.memory.pooling.configuring import configured
from lamina.model import Scope, Value
from lamina.ports import NEVER, is_interaction
from lamina.strategies.amem4rec import calibration, decision, retrieval
from lamina.work import encoded
from lamina.work.engine import Engine
from lamina.work.pools import asks

PARTS = 500
"""Parts that are looked at where there are too few patterns, the latest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds(Value):
    """Thresholds that are proposed. Cosines, in [-1, 1]."""

    encoder: str
    tau_low: float
    """Which 95 of 100 pairs of different texts are below."""
    tau_high: float
    """Which 999 of 1,000 of these pairs are below."""
    low_in_use: float
    high_in_use: float
    """What holds now."""
    texts: int
    """How many were looked at: of patterns; of parts, where there are too few patterns."""
    warnings: tuple[str, ...] = ()
    """What speaks against those in use, in words."""


def calibrate(engine: Engine, scope: Scope) -> Thresholds:
    """Return what is proposed.

    Raises:
        NotFound: There is too little to go by.
    """
    graph = engine.store.graph(scope)
    vectors = graph.vectors[np.flatnonzero(retrieval.standings(graph, NEVER).live)]
    proposed = calibration.propose(vectors)
    if proposed is None:
        said = [m.text for m in engine.store.latest(scope, PARTS) if is_interaction(m)]
        vectors = encoded.encode(engine.encoder, list(dict.fromkeys(said)))
        proposed = calibration.propose(vectors)
    if proposed is None:
        raise NotFound(
            f"{len(vectors)} texts are too few or too alike to go by; refresh the pool until at"
            f" least {calibration.ENOUGH} differ"
        )
    encoder = engine.encoder.space.id
    kept = configured(engine, scope)
    written = asks(engine, scope)
    config = replace(engine.amem4rec, tau_low=kept.tau_low, tau_high=kept.tau_high)
    in_use = config.taus(encoder, written=written)
    return Thresholds(
        encoder=encoder,
        tau_low=proposed.low,
        tau_high=proposed.high,
        low_in_use=in_use.low,
        high_in_use=in_use.high,
        texts=len(vectors),
        warnings=decision.warnings(in_use, encoder, written=written),
    )
