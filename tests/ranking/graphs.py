"""Graphs of who did what, made from a few words."""

from collections.abc import Iterable, Sequence

import numpy as np

from lamina.items import Item
from lamina.ports import NEVER, NOTE_KINDS, Graph
from lamina.ports.rows import VectorRows
from lamina.ranking.catalogue import Catalogue, words
from lamina.ranking.features import FITTED, Asked, Features, features

Act = tuple[str, str, int]
"""User, item, microsecond."""
DAY = 86_400_000_000
USER_NOTE = NOTE_KINDS.index("user_note")


def graph(
    acts: Iterable[Act],
    items: Sequence[str] = (),
    *,
    links: Sequence[tuple[int, int]] = (),
    links_known_from: int = 0,
    gone: dict[int, int] | None = None,
    ratings: dict[int, float] | None = None,
    users: Sequence[str] = (),
) -> Graph:
    """Return a graph in which every interaction has a note, and every item a description.

    Acts are sorted by time; `links`, `gone` and `ratings` name them by their places then.
    """
    done = sorted(acts, key=lambda act: act[2])
    names = tuple(dict.fromkeys([*items, *(item for _, item, _ in done)]))
    who = tuple(dict.fromkeys([*users, *(user for user, _, _ in done)]))
    by = np.array([who.index(user) for user, _, _ in done], dtype=np.int32)
    of = np.array([names.index(item) for _, item, _ in done], dtype=np.int32)
    said_at = np.array([at for _, _, at in done], dtype=np.int64)
    count, n = len(names), len(done)
    gone_at = np.full(n, NEVER)
    given = np.full(n, np.nan, dtype=np.float32)
    for place, at in (gone or {}).items():
        gone_at[place] = at
    for place, rating in (ratings or {}).items():
        given[place] = rating
    vectors = np.stack([vector(name) for name in names] or [np.zeros(8, dtype=np.float32)])
    return Graph(
        users=who,
        items=names,
        by=by,
        of=of,
        said_at=said_at,
        gone_at=gone_at,
        ratings=given,
        actions=np.zeros(n, dtype=np.int16),
        action_names=("rate",),
        messages=tuple(f"m{i}" for i in range(n)),
        kinds=np.r_[np.full(count, -1), np.full(n, USER_NOTE)].astype(np.int8),
        refs=tuple([*(f"d{i}" for i in range(count)), *(f"n{i}" for i in range(n))]),
        whose=np.r_[np.full(count, -1), by].astype(np.int32),
        about=np.r_[np.arange(count), of].astype(np.int32),
        done_at=np.r_[np.full(count, -(2**62)), said_at],
        known_from=np.r_[np.full(count, -(2**62)), said_at],
        known_until=np.r_[np.full(count, NEVER), gone_at],
        vectors=VectorRows(vectors, np.r_[np.arange(count), of].astype(np.intp)),
        link_from=np.array([one for one, _ in links], dtype=np.int32),
        link_to=np.array([other for _, other in links], dtype=np.int32),
        link_known_from=np.full(len(links), links_known_from),
        note_names=tuple(f"n{i}" for i in range(n)),
        notes=np.r_[np.full(count, -1), np.arange(n)].astype(np.int32),
    )


def vector(name: str) -> "np.ndarray[tuple[int], np.dtype[np.float32]]":
    """Return a unit vector that depends on the name alone."""
    drawn = np.random.default_rng(list(name.encode())).normal(size=8)
    return (drawn / np.linalg.norm(drawn)).astype(np.float32)


def catalogue(known: Graph, items: dict[str, Item] | None = None) -> Catalogue:
    """Return what items are: their ids as titles, unless told otherwise."""
    told = items or {}
    return Catalogue(
        described=tuple(words(told.get(id_, Item(id=id_, title=id_))) for id_ in known.items)
    )


def asked(known: Graph, user: str, candidates: Sequence[str], t: int = NEVER) -> Asked:
    """Return what is to be ranked."""
    places = np.array([known.items.index(id_) for id_ in candidates], dtype=np.intp)
    return Asked(graph=known, catalogue=catalogue(known), user=user, t=t, candidates=places)


def found(known: Graph, user: str, candidates: Sequence[str], t: int = NEVER) -> Features:
    """Return the features of some candidates."""
    return features(asked(known, user, candidates, t))


def column(of: Features, name: str) -> list[float]:
    """Return one feature of all candidates."""
    return [round(float(value), 6) for value in of.values[:, of.names.index(name)]]


__all__ = ["DAY", "FITTED", "Act", "asked", "catalogue", "column", "found", "graph", "vector"]
