"""Memory as a source: the numbers that the extractive ranker goes by, from a graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from lamina.evaluation.rec.baselines.learning import Lesson
from lamina.evaluation.rec.chance import generator, number
from lamina.evaluation.rec.graphs import before, only
from lamina.evaluation.rec.logs import Log
from lamina.evaluation.rec.seeing import Audited
from lamina.evaluation.rec.sources import Columns
from lamina.evaluation.rec.splits import Asks
from lamina.ports.graph import NEVER, Graph
from lamina.ranking.catalogue import Catalogue
from lamina.ranking.features import FITTED, Asked, features
from lamina.ranking.linked import vectors, visible

Whose = Literal["own", "null", "shuffled", "filler"]
"""Whose memory answers: the user's; nobody's; another user's, by hash; nobody's, but for notes
about nothing, directions drawn by hash."""
FILLERS = 20
"""Notes about nothing."""
STRANGER = "\x00nobody"
NOTED = ("alike", "alike_last", "linked")
"""Columns that rest on notes and descriptions as vectors."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Memory:
    """A source whose columns are the ranker's features."""

    name: str
    log: Log
    graph: Graph
    catalogue: Catalogue
    """As `graph.items`."""
    whose: Whose = "own"
    clocked: bool = True
    """Whether a question's moment bounds what counts; else what the lesson shows."""
    seed: int = 0
    hops: int = 2
    """How far links are followed."""
    audited: bool = True
    """Whether some questions are asked again of a graph that is cut off."""

    @property
    def names(self) -> tuple[str, ...]:
        """Of the columns: this source's name and the feature's."""
        return tuple(f"{self.name}:{feature}" for feature in FITTED)

    def column(self, *features: str) -> tuple[str, ...]:
        """Return the names of all columns but those of `features`."""
        return tuple(f"{self.name}:{one}" for one in FITTED if one not in features)

    def learn(self, lesson: Lesson) -> Callable[[Asks], Columns]:
        """Return what answers; nothing is learnt, for memory is there already."""
        if not self.clocked:
            return self._answers(only(self.graph, self.log, lesson))
        answer = self._answers(self.graph)
        if not self.audited:
            return answer
        return Audited(
            answer=answer, cut_off=lambda moment: self._answers(before(self.graph, moment))
        )

    def _answers(self, graph: Graph) -> Callable[[Asks], Columns]:
        place = {item: n for n, item in enumerate(graph.items)}
        items = np.array([place.get(item, -1) for item in self.log.catalogue.items], dtype=np.intp)

        def answer(asks: Asks) -> Columns:
            there = told_of(asks, items)
            found = np.zeros((len(asks), len(items), len(FITTED)), dtype=np.float32)
            for row in range(len(asks)):
                asked = self._asked(graph, asks, row, items[there])
                told = features(asked)
                at = [told.names.index(name) for name in FITTED]
                found[row, there] = told.values[:, at]
                if self.whose == "filler":
                    self._fill(found[row], asked, there)
            return found

        return answer

    def _asked(self, graph: Graph, asks: Asks, row: int, candidates: NDArray[np.intp]) -> Asked:
        user = int(asks.users[row])
        return Asked(
            graph=graph,
            catalogue=self.catalogue,
            user=self._who(user, int(asks.at[row])),
            t=int(asks.at[row]) if self.clocked else NEVER,
            candidates=candidates,
            hops=self.hops,
        )

    def _who(self, user: int, moment: int) -> str:
        """Return whose memory answers for a user."""
        users = self.log.users
        if self.whose == "own":
            return users[user]
        if self.whose != "shuffled" or len(users) < 2:
            return STRANGER
        known = np.unique(self.log.by[: np.searchsorted(self.log.at, moment)])
        others = known[known != user]
        if not len(others):
            return STRANGER
        other = others[number("shuffled", self.seed, users[user]) % len(others)]
        return users[int(other)]

    def _fill(self, found: NDArray[np.float32], asked: Asked, there: NDArray[np.bool_]) -> None:
        """Let notes about nothing speak: directions drawn by hash."""
        graph = asked.graph
        counts = visible(graph, asked.t)
        rows = vectors(graph, counts, -1, np.zeros(0, dtype=np.int32)).items[asked.candidates]
        told = rows >= 0
        notes = generator("filler", self.seed, asked.t).standard_normal(
            (FILLERS, graph.vectors.shape[1]), dtype=np.float32
        )
        notes /= np.linalg.norm(notes, axis=1, keepdims=True)
        cosines = np.zeros((len(rows), FILLERS), dtype=np.float32)
        if told.any():
            cosines[told] = graph.vectors[rows[told]] @ notes.T
        found[there, FITTED.index("alike")] = np.sort(cosines, axis=1)[:, -3:].mean(axis=1)
        found[there, FITTED.index("alike_last")] = cosines[:, 0]


def told_of(asks: Asks, items: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return of which items of a log anything is to be told.

    Args:
        asks: The questions.
        items: Shape (i,), where each item stands in memory's graph; -1: it does not.
    """
    there: NDArray[np.bool_] = items >= 0
    if asks.among is not None:
        there &= np.isin(np.arange(len(items)), asks.among)
    return there


def controls(real: Memory) -> Mapping[str, Memory]:
    """Return memories that are none, by name: whatever helps must do better than these."""
    named: Mapping[str, Whose] = {"null": "null", "shuffled": "shuffled", "filler": "filler"}
    return {
        name: replace(real, name=name, whose=whose, audited=False) for name, whose in named.items()
    }
