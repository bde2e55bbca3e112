"""What the data of a recommender are like; see `Recommender.statistics`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from lamina.formats.recommending.records import ORDER_ONLY
from lamina.formats.recommending.statistics import Columns, Statistics, statistics
from lamina.model import Scope
from lamina.ports import NEVER, Graph
from lamina.times import DAY
from lamina.work import keeping
from lamina.work.engine import Engine

if TYPE_CHECKING:
    from numpy.typing import NDArray

YEAR = 365 * DAY
"""Where made-up times are, in microseconds since 1970."""


def measured(engine: Engine, scope: Scope) -> Statistics:
    """Return what the interactions that count now are like; what is equal is one in the store."""
    graph = engine.store.graph(scope)
    live = graph.gone_at == NEVER
    described = engine.store.described(scope, graph.items)
    said = [message.metadata for message in described.values()]
    told = [each for each in said if each.get("title") or each.get("description")]
    names = Counter(graph.action_names[each] for each in graph.actions[live])
    columns = Columns(
        users=graph.by[live],
        items=graph.of[live],
        at=graph.said_at[live],
        ratings=graph.ratings[live],
        actions=names,
    )
    numbers = [number for number, item in enumerate(graph.items) if item in described]
    there = len(np.union1d(graph.of[live], np.array(numbers, np.int32)))
    return statistics(
        columns, items=there, told=len(told), order_only=_order_only(engine, scope, graph, live)
    )


def _order_only(engine: Engine, scope: Scope, graph: Graph, live: NDArray[np.bool_]) -> int:
    """Return how many times are made up: those of the first year, if the first of them is."""
    early = np.flatnonzero(live & (graph.said_at < YEAR))
    if not len(early):
        return 0
    first = engine.store.messages(scope, [graph.messages[early[0]]])
    made_up = first and first[0].metadata.get(keeping.GIVEN, {}).get(ORDER_ONLY)
    return len(early) if made_up else 0
