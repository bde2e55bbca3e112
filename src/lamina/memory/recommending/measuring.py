"""What the data of a recommender are like; see `Recommender.statistics`."""

from __future__ import annotations

from collections import Counter

import numpy as np

from lamina.formats.recommending.statistics import Columns, Statistics, statistics
from lamina.model import Scope
from lamina.ports import NEVER
from lamina.work.engine import Engine


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
    return statistics(columns, items=there, told=len(told))
