"""The parts that every verb and every step of work need, chosen once by `lamina.wiring`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from lamina.model import Scope
from lamina.ports import LLM, Clock, Encoder, ModelRole, Store, Strategy
from lamina.recall.fusion import Weights
from lamina.strategies.amem4rec.config import AMEM4RecConfig
from lamina.strategies.amem4rec.extractive import Extractive as ExtractivePatterns
from lamina.strategies.amem4rec.stages import Forming as PoolForming
from lamina.strategies.atomrec.catalogue import Catalogue
from lamina.strategies.atomrec.config import AtomRecConfig
from lamina.strategies.atomrec.extractive import Extractive
from lamina.strategies.atomrec.stages import Forming

MakeStages = Callable[[AtomRecConfig, LLM | None, Catalogue], Forming]
"""Gives the stages that form a recommender's memory: by a model, if there is one."""
MakePoolStages = Callable[[AMEM4RecConfig, LLM | None], PoolForming]
"""Gives the stages that form a pool of patterns: by a model, if there is one."""
ScopedLLM = Callable[[Scope, ModelRole, str], LLM | None]
"""Gives the model of a role for one operation in one scope, with its ledger, budget and cache."""


class SystemClock:
    """The real clock."""

    def now(self) -> datetime:
        """See `Clock.now`."""
        return datetime.now(UTC)


def no_model(_scope: Scope, _role: ModelRole, _operation: str) -> LLM | None:
    """Stand for "no language model is configured"."""
    return None


def without_a_model(config: AtomRecConfig, _llm: LLM | None, catalogue: Catalogue) -> Forming:
    """Form a recommender's memory by selecting."""
    return Extractive(config, catalogue)


def pool_without_a_model(config: AMEM4RecConfig, _llm: LLM | None) -> PoolForming:
    """Form a pool of patterns by selecting."""
    return ExtractivePatterns(config)


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """What stands behind a `Memory`."""

    store: Store
    encoder: Encoder
    strategy: Strategy
    """How memory is formed from what was said."""
    supersession: Strategy | None = None
    """How a new fact is held against what was known; `None`: it is not."""
    atomrec: AtomRecConfig = field(default_factory=AtomRecConfig)
    """How the memory of recommenders works."""
    stages: MakeStages = without_a_model
    """How the memory of recommenders is formed."""
    amem4rec: AMEM4RecConfig = field(default_factory=AMEM4RecConfig)
    """How pools of patterns work, where a pool is not configured otherwise."""
    pool_stages: MakePoolStages = pool_without_a_model
    """How pools of patterns are formed."""
    llm: ScopedLLM = no_model
    clock: Clock = field(default_factory=SystemClock)
    weights: Weights = field(default_factory=Weights)
