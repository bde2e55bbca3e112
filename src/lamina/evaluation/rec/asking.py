"""A model that ranks: asked of each question what memory would answer it, by `Recommender.rank`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from lamina.evaluation.progress import Told, nobody
from lamina.evaluation.rec.candidates import Sets
from lamina.evaluation.rec.logs import Log
from lamina.evaluation.rec.metrics import expected
from lamina.evaluation.rec.scoring import Posed
from lamina.evaluation.rec.seeing import Sealed
from lamina.items import Ranking
from lamina.times import from_micros

FALLBACK = "model"
"""Discarded replies count as the fallback ranked them."""
MISS = "model, discarded = miss"
"""They count as misses."""
FAR = 1_000_000
"""A rank so low that it earns nothing."""


class Ranker(Protocol):
    """What is evaluated: something that ranks candidates by a sealed memory."""

    def __call__(self, memory: Sealed, user: str, candidates: Sequence[str]) -> Ranking:
        """Return the candidates in order."""
        ...


def by_rank(memory: Sealed, user: str, candidates: Sequence[str]) -> Ranking:
    """Rank as everybody does."""
    return memory.rank(user, candidates)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What came of it."""

    metrics: Mapping[tuple[str, str], Mapping[str, NDArray[np.float64]]]
    """By name and set: a value a question."""
    rankings: int
    discarded: int
    invented: int
    appended: int


def ask(
    log: Log,
    posed: Sequence[Posed],
    sealed: Callable[[int], Sealed],
    ranker: Ranker = by_rank,
    *,
    told: Told = nobody,
) -> Asked:
    """Let a ranker put drawn candidates in order; whole catalogues are not asked about.

    Args:
        log: Whose questions they are.
        posed: The questions.
        sealed: Gives memory that shows nothing from a moment on, microseconds.
        ranker: What ranks.
        told: Told how far it has come.

    Raises:
        Leak: The ranker looked beyond the moment, or tried to write.
    """
    places: dict[str, list[int]] = {}
    lost: dict[str, list[bool]] = {}
    rankings: list[Ranking] = []
    known = sum(len(one.fold.rows) for one in posed)
    done = 0
    for one in posed:
        for row in range(len(one.fold.rows)):
            for sets in one.sets:
                if sets.name == "all":
                    continue
                ranking = _ranking(log, one, row, sets, sealed, ranker)
                target = log.catalogue.items[one.fold.targets[row]]
                above = ranking.ids.index(target) if target in ranking.ids else FAR
                places.setdefault(sets.name, []).append(above)
                lost.setdefault(sets.name, []).append(ranking.discarded)
                rankings.append(ranking)
            done += 1
            told("a model ranks", done, known)
    return Asked(
        metrics=_metrics(places, lost),
        rankings=len(rankings),
        discarded=sum(ranking.discarded for ranking in rankings),
        invented=sum(ranking.invented for ranking in rankings),
        appended=sum(ranking.appended for ranking in rankings),
    )


def _ranking(
    log: Log, one: Posed, row: int, sets: Sets, sealed: Callable[[int], Sealed], ranker: Ranker
) -> Ranking:
    names = log.catalogue.items
    shown = [names[item] for item in sets.items[row][sets.shown[row]].tolist()]
    return ranker(sealed(int(one.fold.asks.at[row])), log.users[one.fold.asks.users[row]], shown)


def _metrics(
    places: Mapping[str, Sequence[int]], lost: Mapping[str, Sequence[bool]]
) -> dict[tuple[str, str], Mapping[str, NDArray[np.float64]]]:
    found: dict[tuple[str, str], Mapping[str, NDArray[np.float64]]] = {}
    for where, above in places.items():
        fallen = np.array(above, dtype=np.int64)
        missed = np.where(np.array(lost[where]), FAR, fallen)
        for name, ranks in ((FALLBACK, fallen), (MISS, missed)):
            gained = expected(ranks, np.zeros_like(ranks))
            none = ranks >= FAR
            found[name, where] = {m: np.where(none, 0.0, v) for m, v in gained.items()}
    return found


def sealing(recommender: object) -> Callable[[int], Sealed]:
    """Return what seals a recommender's memory at a moment, microseconds."""
    return lambda moment: Sealed(recommender, from_micros(moment))
