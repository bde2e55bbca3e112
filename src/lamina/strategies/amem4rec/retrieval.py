"""Which patterns of a pool tell of somebody at a moment: from its graph, by similarity."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from lamina.ports.graph import NEVER, Graph, counting
from lamina.ports.stored import PATTERN
from lamina.strategies.amem4rec.config import AMEM4RecConfig
from lamina.strategies.amem4rec.patterns import contenders, exactly
from lamina.times import DAY

Floats = NDArray[np.float64]
KEPT = 4
"""How many moments of one graph are kept ready."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieved:
    """A pattern as it was at a moment, and how near it is."""

    row: int
    """Of `Graph.refs` and `Graph.vectors`: the state that counts then."""
    id: str
    similarity: float
    """Cosine, in [-1, 1]."""
    weight: float
    """Its share among those retrieved, in [0, 1]."""
    contributors: int
    """How many users support it."""
    evolution_count: int
    first_at: int
    last_at: int
    """Microseconds: when what the earliest and the latest of its parts tell was done."""
    yours: bool
    """Whether the user for whom it is retrieved is among them."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Standings:
    """The patterns of a pool at a moment: p rows, one each, in the order of `Graph.refs`."""

    live: NDArray[np.bool_]
    """Shape (n,), of the rows of the graph: which state of a pattern counts."""
    contributors: NDArray[np.int64]
    """Shape (n,): by how many users each is supported; 0 where it does not count."""
    evolutions: NDArray[np.int64]
    """Shape (n,): supports after the first."""
    first_at: NDArray[np.int64]
    last_at: NDArray[np.int64]
    """Shape (n,): when the earliest and the latest of its parts was done."""
    pairs: NDArray[np.int32]
    """Shape (c, 2): each pattern, as of `Graph.note_names`, with each user who supports it."""
    now: int
    """Microseconds: that from which ages are told; the latest support's, where t is `NEVER`."""


def retrieve(
    graph: Graph,
    vector: NDArray[np.float32],
    k: int,
    t: int,
    user: str | None,
    least: int,
    config: AMEM4RecConfig,
) -> list[Retrieved]:
    """Return up to k patterns that are nearest to a vector and may be told, weightiest first.

    One may be told if at least `least` users support it, or if `user` does. Of equally weighty ones
    the nearer is first, then the one whose id is.

    Args:
        graph: Of the pool.
        vector: Shape (dim,), unit length: what is looked up.
        k: At least 1.
        t: Microseconds; `NEVER`: now.
        user: For whom; `None`: for nobody in particular.
        least: Users, at least 1.
        config: How they are weighted.
    """
    told = visible(graph, t, user, least)
    rows = contenders(graph.vectors.cosines(vector), told, k)
    similar = exactly(graph.vectors[rows], vector)
    refs = [graph.refs[row] for row in rows.tolist()]
    order = sorted(range(len(refs)), key=lambda i: (-similar[i], refs[i]))[:k]
    return _weighed(graph, (rows[order], similar[order]), k, t, user, config)


def weightiest(
    graph: Graph, k: int, t: int, user: str | None, least: int, config: AMEM4RecConfig
) -> list[Retrieved]:
    """Return up to k patterns that may be told, by evolution and age alone, weightiest first.

    Their similarity is 0, for there is nothing that they are looked up for, and their weight is
    their share among all that may be told. Of equally weighty ones the one whose id is comes first.
    """
    rows = np.flatnonzero(visible(graph, t, user, least))
    return _weighed(graph, (rows, None), k, t, user, config)


def named(
    graph: Graph, id_: str, t: int, user: str | None, least: int, config: AMEM4RecConfig
) -> Retrieved | None:
    """Return one pattern, by itself; `None` where there is none, or it may not be told."""
    rows = np.flatnonzero(visible(graph, t, user, least))
    row = [row for row in rows.tolist() if graph.refs[row] == id_]
    found = _weighed(graph, (np.array(row, dtype=np.intp), None), 1, t, user, config)
    return found[0] if found else None


def visible(graph: Graph, t: int, user: str | None, least: int) -> NDArray[np.bool_]:
    """Return shape (n,): the states of patterns that count and may be told, as `retrieve` does."""
    state = standings(graph, t)
    return state.live & ((state.contributors >= least) | _mine(graph, state, user))


def supports(
    graph: Graph, t: int, rows: Sequence[int]
) -> list[tuple[NDArray[np.int32], NDArray[np.int64]]]:
    """Return of each pattern whose parts it rests on, and when the last of each was done.

    Args:
        graph: Of the pool.
        t: Microseconds; `NEVER`: now.
        rows: Of the graph, as `Retrieved.row`.

    Returns:
        Of each row, into `Graph.users` and in microseconds, a part each, in the order taken in.
    """
    support = graph.support
    counts = counting(support.known_from, support.known_until, t)
    found = []
    for row in rows:
        own = np.flatnonzero(counts & (support.of == graph.notes[row]))
        found.append((support.by[own], support.at[own]))
    return found


def _weighed(
    graph: Graph,
    found: tuple[NDArray[np.intp], Floats | None],
    k: int,
    t: int,
    user: str | None,
    config: AMEM4RecConfig,
) -> list[Retrieved]:
    """Return the weightiest k rows, each with its cosine if it was looked up for anything."""
    rows, similar = found
    near = np.ones(len(rows)) if similar is None else similar
    state = standings(graph, t)
    mine = _mine(graph, state, user)
    ages = np.maximum(state.now - state.last_at[rows], 0) / DAY
    shares = weights(near, state.evolutions[rows], ages, config)
    least = np.partition(shares, len(shares) - k)[len(shares) - k] if len(shares) > k else 0.0
    told = [
        Retrieved(
            row=(row := int(rows[i])),
            id=graph.refs[row],
            similarity=0.0 if similar is None else float(similar[i]),
            weight=float(shares[i]),
            contributors=int(state.contributors[row]),
            evolution_count=int(state.evolutions[row]),
            first_at=int(state.first_at[row]),
            last_at=int(state.last_at[row]),
            yours=bool(mine[row]),
        )
        for i in np.flatnonzero(shares >= least).tolist()
    ]
    return sorted(told, key=lambda each: (-each.weight, -each.similarity, each.id))[:k]


def weights(
    similarities: Sequence[float] | Floats,
    evolution_counts: Sequence[int] | NDArray[np.int64],
    ages_days: Sequence[float] | Floats,
    config: AMEM4RecConfig,
) -> Floats:
    """Return the share of each pattern among some: similarity, times evolution, times recency.

    max(0, cosine) * (1 + ln(1 + evolutions)) * 0.5^(days since the last support / half life), over
    their sum; all alike if that is 0. Without `config.half_life_days` age does not count.

    Args:
        similarities: Shape (k,), cosines.
        evolution_counts: Shape (k,).
        ages_days: Shape (k,), at least 0.
        config: The half life.
    """
    near = np.maximum(np.asarray(similarities, dtype=np.float64), 0.0)
    said = near * (1.0 + np.log1p(np.asarray(evolution_counts, dtype=np.float64)))
    if config.half_life_days is not None:
        said = said * 0.5 ** (np.asarray(ages_days, dtype=np.float64) / config.half_life_days)
    whole = said.sum()
    if whole > 0:
        shares: Floats = said / whole
        return shares
    return np.full(len(near), 1.0 / max(len(near), 1))


def standings(graph: Graph, t: int) -> Standings:
    """Return the patterns as they are at a moment; the last that were asked for are kept.

    Args:
        graph: Of the pool.
        t: Microseconds; `NEVER`: now.
    """
    with _turn:
        kept = _kept.setdefault(graph, OrderedDict())
        found = kept.pop(t, None) or _derived(graph, t)
        kept[t] = found
        if len(kept) > KEPT:
            kept.popitem(last=False)
    return found


def _derived(graph: Graph, t: int) -> Standings:
    support = graph.support
    counts = counting(support.known_from, support.known_until, t)
    of, by, at = support.of[counts], support.by[counts], support.at[counts]
    size = len(graph.note_names)
    pairs = np.unique(np.stack([of, by], axis=1), axis=0) if len(of) else _none()
    supports = np.bincount(of, minlength=size)
    contributors = np.bincount(pairs[:, 0], minlength=size)
    first, last = np.full(size, NEVER), np.full(size, -NEVER)
    np.minimum.at(first, of, at)
    np.maximum.at(last, of, at)
    live = (graph.kinds == PATTERN) & counting(graph.known_from, graph.known_until, t)
    live &= graph.notes >= 0
    notes = np.where(live, graph.notes, 0)
    live[live] = supports[notes[live]] > 0
    return Standings(
        live=live,
        contributors=_spread(contributors, notes, live),
        evolutions=_spread(supports - 1, notes, live),
        first_at=_spread(first, notes, live),
        last_at=_spread(last, notes, live),
        pairs=pairs,
        now=t if t != NEVER else int(at.max(initial=0)),
    )


def _none() -> NDArray[np.int32]:
    return np.zeros((0, 2), dtype=np.int32)


def _spread(
    values: NDArray[np.int64], notes: NDArray[np.int32], live: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Return for each row of the graph the value of its pattern, 0 where it does not count."""
    found = np.zeros(len(notes), dtype=np.int64)
    found[live] = values[notes[live]]
    return found


def _mine(graph: Graph, state: Standings, user: str | None) -> NDArray[np.bool_]:
    """Return shape (n,): which live rows a user supports."""
    found = np.zeros(len(state.live), dtype=np.bool_)
    if user is None:
        return found
    index = _users(graph).get(user, -1)
    supported = np.zeros(len(graph.note_names), dtype=np.bool_)
    supported[state.pairs[state.pairs[:, 1] == index, 0]] = True
    found[state.live] = supported[graph.notes[state.live]]
    return found


def _users(graph: Graph) -> dict[str, int]:
    with _turn:
        if graph not in _places:
            _places[graph] = {id_: i for i, id_ in enumerate(graph.users)}
        return _places[graph]


_kept: WeakKeyDictionary[Graph, OrderedDict[int, Standings]] = WeakKeyDictionary()
_places: WeakKeyDictionary[Graph, dict[str, int]] = WeakKeyDictionary()
_turn = Lock()
