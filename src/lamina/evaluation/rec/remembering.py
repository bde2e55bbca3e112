"""A recommender to be evaluated: opened, or built from data as anybody would; how it grew."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from lamina.errors import NotFound
from lamina.evaluation.progress import Told
from lamina.evaluation.rec.asking import sealing
from lamina.evaluation.rec.seeing import Sealed, Unwritten
from lamina.formats.recommending import Read
from lamina.items import Interaction, Item
from lamina.memory import Memory
from lamina.memory.recommending.recommender import Recommender
from lamina.ports import LLM, Encoder
from lamina.ports.graph import Graph
from lamina.ports.stored import NOTE_KINDS, Usage
from lamina.ranking.catalogue import Catalogue, words
from lamina.settings import Settings
from lamina.strategies.atomrec.config import AtomRecConfig
from lamina.wiring import open as open_memory
from lamina.work import keeping
from lamina.work.engine import Engine, MakeStages


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Remembered:
    """What is evaluated."""

    graph: Graph
    catalogue: Catalogue
    """As `graph.items`."""
    growth: Mapping[str, Any]
    unwritten: Unwritten
    encoder: Encoder
    """Of the store's vectors."""
    usage: Callable[[], Usage]
    """What a model has taken so far, by the store's accounts."""
    sealed: Callable[[int], Sealed] | None = None
    """Memory by moment, for a model to rank from; `None`: there is no model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Building:
    """How a recommender is built."""

    settings: Settings
    encoder: Encoder | str | None = None
    llm: LLM | None = None
    config: AtomRecConfig | None = None
    """`None`: as everybody's."""
    stages: MakeStages | None = None
    """`None`: as everybody's."""

    def engine(self, engine: Engine) -> Engine:
        """Return an engine that works as wanted here."""
        return replace(
            engine,
            atomrec=self.config or engine.atomrec,
            stages=self.stages or engine.stages,
        )


@contextmanager
def opened(path: Path, name: str, settings: Settings) -> Iterator[Remembered]:
    """Open a store that holds a recommender.

    Raises:
        NotFound: It holds none of that name.
    """
    with open_memory(path, settings=settings) as memory:
        if name not in [one.scope.id for one in memory.recommenders()]:
            raise NotFound(f"there is no recommender {name!r} in {path.name}")
        yield _remembered(memory, memory.recommender(name), 0.0)


@contextmanager
def built(values: Iterable[Read], building: Building, told: Told) -> Iterator[Remembered]:
    """Build a recommender in a file that is gone afterwards."""
    every = list(values)
    items = [value for value in every if isinstance(value, Item)]
    done = [value for value in every if isinstance(value, Interaction)]
    with tempfile.TemporaryDirectory(prefix="lamina-eval-") as folder:
        path = Path(folder) / "recommender.db"
        with open_memory(
            path, encoder=building.encoder, llm=building.llm, settings=building.settings
        ) as memory:
            began = time.perf_counter()
            scope = memory.recommender("eval").scope
            films = Recommender(building.engine(memory._engine), scope)
            if items:
                films.add_items(items, progress=lambda n: told("importing items", n, len(items)))
            films.add_interactions(
                done, progress=lambda n: told("importing interactions", n, len(done))
            )
            films.process(progress=lambda *far: told("forming memory", *far))
            yield _remembered(memory, films, time.perf_counter() - began)


def _remembered(memory: Memory, recommender: Recommender, seconds: float) -> Remembered:
    store, scope = memory._engine.store, recommender.scope
    graph = store.graph(scope)
    asks = memory._engine.llm(scope, "rank", "evaluation") is not None
    described = store.described(scope, graph.items)
    catalogue = Catalogue(
        described=tuple(
            words(keeping.item(described[item])) if item in described else None
            for item in graph.items
        )
    )
    return Remembered(
        graph=graph,
        catalogue=catalogue,
        growth=_growth(graph, store.usage(scope), recommender.pending, seconds),
        encoder=memory._engine.encoder,
        usage=lambda: store.usage(scope),
        unwritten=Unwritten(lambda: store.graph(scope)),
        sealed=sealing(recommender) if asks else None,
    )


def _growth(graph: Graph, usage: Usage, pending: int, seconds: float) -> dict[str, Any]:
    """Return how many notes, links and changes there are, and what forming them cost."""
    noted = graph.notes >= 0
    names, firsts = np.unique(graph.notes[noted], return_index=True)
    kinds = graph.kinds[noted][firsts]
    by_kind = {kind: int((kinds == NOTE_KINDS.index(kind)).sum()) for kind in
               ("user_note", "item_note", "profile")}  # fmt: skip
    done = max(len(graph.by), 1)
    return {
        "interactions": len(graph.by),
        "pending": pending,
        "notes": by_kind,
        "notes_per_user": by_kind["user_note"] / max(len(graph.users), 1),
        "notes_per_item": by_kind["item_note"] / max(len(graph.items), 1),
        "links_per_note": len(graph.link_from) / max(len(names), 1),
        "evolutions_per_interaction": (int(noted.sum()) - len(names)) / done,
        "per_1000_interactions": taken(usage, len(graph.by)),
        "seconds": round(seconds, 1),
    }


def taken(usage: Usage, count: int, since: Usage | None = None) -> dict[str, float]:
    """Return what a model took for a thousand of `count` things, since some earlier state.

    `cost_usd` is of the calls whose price is known; `unpriced_calls` had none.
    """
    before, per = since or Usage(), 1000.0 / max(count, 1)
    return {
        "calls": (usage.calls - before.calls) * per,
        "input_tokens": (usage.input_tokens - before.input_tokens) * per,
        "output_tokens": (usage.output_tokens - before.output_tokens) * per,
        "cost_usd": (usage.cost_usd - before.cost_usd) * per,
        "unpriced_calls": (usage.unpriced - before.unpriced) * per,
    }
