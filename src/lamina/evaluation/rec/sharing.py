"""What users share as a source: the numbers that patterns give, from a pool made of each lesson."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from lamina.evaluation.rec.baselines.learning import Lesson
from lamina.evaluation.rec.chance import number
from lamina.evaluation.rec.graphs import before, only
from lamina.evaluation.rec.memories import told_of
from lamina.evaluation.rec.pools import Making, Pool
from lamina.evaluation.rec.seeing import Audited
from lamina.evaluation.rec.sources import Columns
from lamina.evaluation.rec.splits import Asks
from lamina.ports.graph import NEVER, Graph
from lamina.ranking.catalogue import Catalogue
from lamina.ranking.features import Asked
from lamina.ranking.shared import NAMES, Told, columns
from lamina.strategies.amem4rec.config import AMEM4RecConfig
from lamina.strategies.amem4rec.retrieval import Retrieved, retrieve
from lamina.strategies.amem4rec.wording import leaning
from lamina.work.pools import K

Whose = Literal["own", "null", "shuffled"]
"""Whose patterns speak: those looked up for the user; none; those for another user, by hash."""
LEAST = K
"""Users who must contribute to a pattern before others are told, as a pool keeps to by itself."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Patterns:
    """A source whose columns are what patterns say."""

    name: str
    making: Making
    """The pools."""
    graph: Graph
    """Of the recommender."""
    catalogue: Catalogue
    """As `graph.items`."""
    whose: Whose = "own"
    clocked: bool = True
    """Whether a question's moment bounds what counts; else what the lesson shows."""
    seed: int = 0
    retrieving: AMEM4RecConfig | None = None
    """How many patterns are looked up, and how age counts; `None`: as the pools are made."""
    audited: bool = True
    """Whether some questions are asked again of a graph that is cut off."""

    @property
    def names(self) -> tuple[str, ...]:
        """Of the columns: this source's name and the feature's."""
        return self.column()

    def column(self, *features: str) -> tuple[str, ...]:
        """Return the names of all columns but those of `features`."""
        return tuple(f"{self.name}:{one}" for one in NAMES if one not in features)

    def learn(self, lesson: Lesson) -> Callable[[Asks], Columns]:
        """Return what answers by a pool made of the lesson."""
        if self.whose == "null":
            return lambda asks: np.zeros((len(asks), lesson.items, len(NAMES)), dtype=np.float32)
        pool = self.making.pool(lesson)
        if not self.clocked:
            return self._answers(only(self.graph, self.making.log, lesson), pool, lesson)
        answer = self._answers(self.graph, pool, lesson)
        if not self.audited:
            return answer
        return Audited(
            answer=answer,
            cut_off=lambda moment: self._answers(before(self.graph, moment), pool, lesson),
        )

    def _answers(self, graph: Graph, pool: Pool, lesson: Lesson) -> Callable[[Asks], Columns]:
        place = {item: n for n, item in enumerate(graph.items)}
        items = np.array(
            [place.get(item, -1) for item in self.making.log.catalogue.items], dtype=np.intp
        )
        users = {user: n for n, user in enumerate(graph.users)}
        who = np.array([users.get(user, -1) for user in pool.graph.users], dtype=np.intp)
        rests = _Rests(pool, who)

        def answer(asks: Asks) -> Columns:
            there = told_of(asks, items)
            found = np.zeros((len(asks), len(items), len(NAMES)), dtype=np.float32)
            told = asks if self.whose == "own" else self._others(asks, lesson)
            vectors = self.making.looked_up(told)
            for row, vector in enumerate(vectors):
                if vector is None:
                    continue
                asked = Asked(
                    graph=graph,
                    catalogue=self.catalogue,
                    user=pool.graph.users[int(asks.users[row])],
                    t=int(asks.at[row]) if self.clocked else NEVER,
                    candidates=items[there],
                )
                patterns = self._told(pool, rests, vector, int(told.users[row]))
                found[row, there] = columns(asked, patterns).values
            return found

        return answer

    def _told(
        self, pool: Pool, rests: _Rests, vector: NDArray[np.float32], user: int
    ) -> list[Told]:
        config = self.retrieving or self.making.config
        found = retrieve(
            pool.graph, vector, config.k_mem, NEVER, pool.graph.users[user], LEAST, config
        )
        return list(map(rests.told, found))

    def _others(self, asks: Asks, lesson: Lesson) -> Asks:
        """Return as many questions of other users, by hash, each with all that the lesson shows."""
        known = np.unique(lesson.by)
        names = self.making.log.users
        chosen = []
        for user in asks.users.tolist():
            others = known[known != user]
            at = number("shuffled", self.seed, names[user]) % max(len(others), 1)
            chosen.append(int(others[at]) if len(others) else user)
        return everybody(lesson).part(np.array(chosen, dtype=np.int64))


def everybody(lesson: Lesson) -> Asks:
    """Return a question for each user, in order, with all that a lesson shows of them."""
    order = np.argsort(lesson.by, kind="stable")
    starts = np.searchsorted(lesson.by[order], np.arange(lesson.users + 1))
    return Asks(
        users=np.arange(lesson.users, dtype=np.int32),
        at=np.full(lesson.users, NEVER),
        starts=starts.astype(np.int64),
        items=lesson.of[order],
        ratings=lesson.ratings[order],
    )


class _Rests:
    """Tells patterns with whose parts they rest on, as the recommender's graph names users."""

    def __init__(self, pool: Pool, who: NDArray[np.intp]) -> None:
        support = pool.graph.support
        self._pool = pool
        self._by, self._at = who[support.by], support.at
        count = len(pool.graph.note_names)
        self._starts = np.searchsorted(support.of, np.arange(count + 1))

    def told(self, found: Retrieved) -> Told:
        """Return a pattern that was looked up."""
        said = self._pool.patterns[found.id].said
        note = int(self._pool.graph.notes[found.row])
        rows = slice(int(self._starts[note]), int(self._starts[note + 1]))
        return Told(
            weight=found.weight,
            explanation=said.explanation,
            description=said.description,
            keywords=said.keywords,
            dislikes=leaning(said.explanation) == "dislikes",
            vector=self._pool.graph.vectors[found.row],
            by=self._by[rows],
            at=self._at[rows],
        )


def controls(real: Patterns) -> Mapping[str, Patterns]:
    """Return pools that are none, by name: what users share must do better than these."""
    named: Mapping[str, Whose] = {"null pool": "null", "shuffled pool": "shuffled"}
    return {
        name: replace(real, name=name, whose=whose, audited=False) for name, whose in named.items()
    }
