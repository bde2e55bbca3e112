"""Graphs for evaluation: from a log alone, cut off at a moment, or with some things left out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from lamina.evaluation.rec.baselines.learning import Lesson
from lamina.evaluation.rec.logs import Log
from lamina.ports.graph import NEVER, Graph
from lamina.ports.rows import VectorRows
from lamina.ports.stored import ITEM_NOTE, USER_NOTE

DIMENSION = 8
"""Of the vectors of a graph that has none: a graph tells one all the same."""


def bare(log: Log) -> Graph:
    """Return a log as a graph without notes and descriptions."""
    count = len(log.by)
    none = np.zeros(0, dtype=np.int32)
    never = np.zeros(0, dtype=np.int64)
    return Graph(
        users=log.users,
        items=log.catalogue.items,
        by=log.by,
        of=log.of,
        said_at=log.at,
        gone_at=np.full(count, NEVER),
        ratings=log.ratings,
        actions=np.zeros(count, dtype=np.int16),
        action_names=("rate",),
        messages=tuple(map(str, range(count))),
        kinds=np.zeros(0, dtype=np.int8),
        refs=(),
        whose=none,
        about=none,
        done_at=never,
        known_from=never,
        known_until=never,
        vectors=VectorRows(np.zeros((0, DIMENSION), dtype=np.float32)),
        link_from=none,
        link_to=none,
        link_known_from=never,
        note_names=(),
        notes=none,
    )


def before(graph: Graph, moment: int) -> Graph:
    """Return a graph in which nothing exists that was known from `moment` on, microseconds."""
    done = graph.said_at < moment
    known = graph.known_from < moment
    return _part(graph, done, known, graph.link_known_from < moment)


def only(graph: Graph, log: Log, lesson: Lesson) -> Graph:
    """Return a graph without the interactions that a lesson does not show.

    Their notes go, what they changed in other notes, and what was linked for them.
    """
    shown = set(zip(lesson.by.tolist(), lesson.of.tolist(), lesson.at.tolist(), strict=True))
    users = {user: n for n, user in enumerate(log.users)}
    items = {item: n for n, item in enumerate(log.catalogue.items)}
    by = [users.get(user, -1) for user in graph.users]
    of = [items.get(item, -1) for item in graph.items]
    rows = zip(graph.by.tolist(), graph.of.tolist(), graph.said_at.tolist(), strict=True)
    done = _mask((by[u], of[i], at) in shown for u, i, at in rows)
    return without(graph, ~done)


def without(graph: Graph, left_out: NDArray[np.bool_]) -> Graph:
    """Return a graph without some interactions, shape (i,), and without what rests on them."""
    hidden = set(zip(graph.by[left_out].tolist(), graph.of[left_out].tolist(), strict=True))
    moments = graph.said_at[left_out]
    own = _mask(
        pair in hidden for pair in zip(graph.whose.tolist(), graph.about.tolist(), strict=True)
    )
    gone = (graph.kinds == USER_NOTE) & own
    firsts = _firsts(graph)
    about = set(zip(graph.of[left_out].tolist(), moments.tolist(), strict=True))
    first_of_item = (graph.kinds == ITEM_NOTE) & firsts
    rests = _mask(
        pair in about for pair in zip(graph.about.tolist(), graph.known_from.tolist(), strict=True)
    )
    gone |= np.isin(graph.notes, graph.notes[first_of_item & rests]) & (graph.notes >= 0)
    changed = (graph.notes >= 0) & ~firsts & ~gone & np.isin(graph.known_from, moments)
    reopened = _reopened(graph, changed)
    links = ~np.isin(graph.link_known_from, moments)
    return _part(reopened, ~left_out, ~(gone | changed), links)


def _mask(values: Iterable[bool]) -> NDArray[np.bool_]:
    return np.fromiter(values, dtype=np.bool_)


def _firsts(graph: Graph) -> NDArray[np.bool_]:
    """Return which rows are the first states of their notes."""
    firsts = np.zeros(len(graph.notes), dtype=np.bool_)
    names, rows = np.unique(graph.notes, return_index=True)
    firsts[rows[names >= 0]] = True
    return firsts


def _reopened(graph: Graph, changed: NDArray[np.bool_]) -> Graph:
    """Let the state before each of `changed` hold for as long as that did."""
    until = graph.known_until.copy()
    latest: dict[int, list[int]] = {}
    for row in range(len(graph.notes)):
        if graph.notes[row] >= 0:
            latest.setdefault(int(graph.notes[row]), []).append(row)
    for row in np.flatnonzero(changed)[::-1].tolist():
        states = latest[int(graph.notes[row])]
        place = states.index(row)
        until[states[place - 1]] = until[row]
    return replace(graph, known_until=until)


def append_only(graph: Graph) -> Graph:
    """Return a graph in which no note ever changed: each is as it was first."""
    firsts = _firsts(graph) | (graph.notes < 0)
    until = np.where(graph.notes >= 0, NEVER, graph.known_until)
    kept = np.ones(len(graph.by), dtype=np.bool_)
    links = np.ones(len(graph.link_from), dtype=np.bool_)
    return _part(replace(graph, known_until=until), kept, firsts, links)


def _part(
    graph: Graph, done: NDArray[np.bool_], known: NDArray[np.bool_], links: NDArray[np.bool_]
) -> Graph:
    """Return some interactions, states of notes and links of a graph."""
    messages = tuple(m for m, kept in zip(graph.messages, done.tolist(), strict=True) if kept)
    refs = tuple(ref for ref, kept in zip(graph.refs, known.tolist(), strict=True) if kept)
    return replace(
        graph,
        by=graph.by[done],
        of=graph.of[done],
        said_at=graph.said_at[done],
        gone_at=graph.gone_at[done],
        ratings=graph.ratings[done],
        actions=graph.actions[done],
        messages=messages,
        kinds=graph.kinds[known],
        refs=refs,
        whose=graph.whose[known],
        about=graph.about[known],
        done_at=graph.done_at[known],
        known_from=graph.known_from[known],
        known_until=graph.known_until[known],
        vectors=_rows(graph.vectors, np.flatnonzero(known)),
        link_from=graph.link_from[links],
        link_to=graph.link_to[links],
        link_known_from=graph.link_known_from[links],
        notes=graph.notes[known],
    )


def _rows(vectors: VectorRows, chosen: NDArray[np.int64]) -> VectorRows:
    rows = chosen if vectors.rows is None else vectors.rows[chosen]
    return VectorRows(vectors.array, rows)
