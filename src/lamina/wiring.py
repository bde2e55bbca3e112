"""`open`: the one place that chooses adapters and puts the parts together."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from lamina.errors import EncoderMismatch
from lamina.memory import Memory
from lamina.model import Scope
from lamina.models.accounted import for_work
from lamina.models.budget import within_budget
from lamina.models.roles import Closable, Roles
from lamina.ports import LLM, Clock, Encoder, ModelRole, Store, Strategy, Tenancy
from lamina.recall.fusion import Weights
from lamina.settings import Settings
from lamina.strategies.amem4rec.config import AMEM4RecConfig
from lamina.strategies.amem4rec.stages import Forming as PoolForming
from lamina.strategies.atomrec.catalogue import Catalogue
from lamina.strategies.atomrec.config import AtomRecConfig
from lamina.strategies.atomrec.stages import Forming
from lamina.work.engine import (
    Engine,
    MakePoolStages,
    MakeStages,
    ScopedLLM,
    SystemClock,
    pool_without_a_model,
    without_a_model,
)

MOST_THREADS = 4
"""Batches that the encoder runs at once when there is much to encode."""


def open(
    path: str | Path | None = None,
    *,
    encoder: Encoder | str | None = None,
    llm: LLM | None = None,
    settings: Settings | None = None,
    tenancy: Tenancy | None = None,
    clock: Clock | None = None,
) -> Memory:
    """Open a store, or make it.

    Args:
        path: A file, or `:memory:`; without it what the settings say.
        encoder: One of your own or its name; without it what the settings say.
        llm: One of your own, for every role; without it what the settings say, which may be none.
            A model of the settings is opened when it is first asked, so that one that cannot be
            used keeps nobody from adding and searching.
        settings: Without them they are read from the environment and `lamina.toml`.
        tenancy: `single` or `multi`, for a new store; a store that exists keeps its own.
        clock: The real one, if not given.

    Raises:
        SettingsError: A setting is wrong.
        StoreError: The file cannot be opened; `EncoderMismatch` where another encoder made it.
        EncoderError: The encoder cannot be used.
    """
    settings = settings or Settings.read(os.environ)
    clock = clock or SystemClock()
    models = _Models(settings, llm)
    chosen = encoder_for(encoder, settings)
    store = _store(path if path is not None else settings.db, tenancy)
    try:
        _agree(store, chosen)
    except EncoderMismatch:
        store.close()
        raise
    engine = Engine(
        store=store,
        encoder=chosen,
        strategy=_strategy(settings, asks=models.asks_for_memory),
        supersession=_supersession(asks=models.asks_for_memory),
        stages=_stages(chosen),
        pool_stages=_pool_stages(chosen),
        llm=models.scoped(store, clock),
        clock=clock,
        weights=Weights(recency=settings.recency or 0.0, half_life_days=settings.half_life_days),
    )
    ours = chosen if encoder is None or isinstance(encoder, str) else None
    return Memory(engine, close=[c.close for c in (models, ours) if isinstance(c, Closable)])


def reencode(
    path: str | Path,
    encoder: Encoder,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> int:
    """Make all vectors of a store anew with another encoder; return how many.

    Unlike `Memory.reencode` it does not need the encoder that made the present ones.

    Raises:
        StoreError: The file cannot be opened or written.
        EncoderError: The encoder cannot be used.
    """
    store = _store(path, None)
    try:
        engine = Engine(store=store, encoder=encoder, strategy=_strategy(Settings(), asks=False))
        return Memory(engine).reencode(encoder, progress=progress)
    finally:
        store.close()


def encoder_for(chosen: Encoder | str | None, settings: Settings) -> Encoder:
    """Return the encoder that is given, or named, or that the settings name.

    Raises:
        BadInput: There is no encoder of that name.
        EncoderError: It cannot be used.
    """
    if chosen is not None and not isinstance(chosen, str):
        return chosen
    from lamina.adapters.encoders import open_encoder

    named = settings.encoder
    threads = min(MOST_THREADS, os.cpu_count() or 1)
    if chosen is not None and not chosen.startswith("openai:"):
        return open_encoder(chosen, threads=threads)
    return open_encoder(chosen or named.name, url=named.url, key=named.key, threads=threads)


def _store(path: str | Path, tenancy: Tenancy | None) -> Store:
    if str(path) == ":memory:":
        from lamina.adapters.in_memory import InMemoryStore

        return InMemoryStore(tenancy=tenancy or "single")
    from lamina.adapters.sqlite import SqliteStore

    return SqliteStore(path, tenancy=tenancy)


def _agree(store: Store, encoder: Encoder) -> None:
    """See that the store's vectors and the encoder's can be compared, or raise `EncoderMismatch`.

    Most stores have been told already: those are only read.
    """
    stored = store.space()
    if stored is None or stored.id != encoder.space.id:
        store.set_space(encoder.space)


def _strategy(settings: Settings, *, asks: bool) -> Strategy:
    """Return the strategy that the settings name: with a model if there is one."""
    from lamina.strategies.structmem.config import StructMemConfig

    config = StructMemConfig(variant=settings.variant)
    if asks:
        from lamina.strategies.structmem.prompted import Prompted

        return Prompted(config)
    from lamina.strategies.structmem.extractive import Extractive

    return Extractive(config)


def _supersession(*, asks: bool) -> Strategy:
    """Return how new facts are held against old ones: with a model if there is one."""
    if asks:
        from lamina.strategies.supersession.prompted import Prompted

        return Prompted()
    from lamina.strategies.supersession.extractive import Extractive

    return Extractive()


def _stages(encoder: Encoder) -> MakeStages:
    """Return what gives the stages of a recommender: with a model if there is one."""

    def stages(config: AtomRecConfig, llm: LLM | None, catalogue: Catalogue) -> Forming:
        if llm is None:
            return without_a_model(config, llm, catalogue)
        from lamina.strategies.atomrec.prompted import Prompted

        return Prompted(config, memory_llm=llm, count=encoder.count_tokens)

    return stages


def _pool_stages(encoder: Encoder) -> MakePoolStages:
    """Return what gives the stages of a pool: with a model if there is one."""

    def stages(config: AMEM4RecConfig, llm: LLM | None) -> PoolForming:
        if llm is None:
            return pool_without_a_model(config, llm)
        from lamina.strategies.amem4rec.prompted import Prompted

        return Prompted(config, llm, encoder.count_tokens)

    return stages


class _Models:
    """The models of one open store, made when first asked for."""

    def __init__(self, settings: Settings, llm: LLM | None) -> None:
        self._settings = settings
        self._lent = llm
        self._own: Roles | None = None
        self._roles: Roles | None = None

    @property
    def asks_for_memory(self) -> bool:
        """Whether memory is formed by a model."""
        chosen = self._settings.models
        return self._lent is not None or bool(chosen.memory or chosen.model)

    def scoped(self, store: Store, clock: Clock) -> ScopedLLM:
        """Return what gives the model of a role, with ledger, budget and cache."""

        def scoped(scope: Scope, role: ModelRole, operation: str) -> LLM | None:
            llm = self._all().get(role)
            if llm is None:
                return None
            return for_work(
                llm,
                accounts=store,
                scope=scope,
                operation=operation,
                clock=clock,
                cache=self._settings.models.cache,
                epoch=store.epoch(scope),
            )

        return scoped

    def close(self) -> None:
        """Close what was opened here; what the caller lent stays open."""
        if self._own is not None:
            self._own.close()

    def _all(self) -> Roles:
        if self._roles is None:
            if self._lent is None:
                from lamina.adapters.llm import from_settings

                self._own = from_settings(self._settings.models)
            self._roles = within_budget(self._own or Roles(self._lent), self._settings.budget)
        return self._roles
