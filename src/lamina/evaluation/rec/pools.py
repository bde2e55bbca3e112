"""Pools of patterns made in memory from what a lesson shows, as arrays like those of a store."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from lamina.errors import Leak
from lamina.evaluation.rec.baselines.learning import Lesson
from lamina.evaluation.rec.graphs import bare
from lamina.evaluation.rec.logs import Log
from lamina.evaluation.rec.splits import Asks
from lamina.identity import digest
from lamina.items import Item
from lamina.ports import Encoder
from lamina.ports.graph import NEVER, Graph, Support
from lamina.ports.rows import VectorRows
from lamina.ports.stored import PATTERN
from lamina.strategies.amem4rec.building import Built, build
from lamina.strategies.amem4rec.config import AMEM4RecConfig
from lamina.strategies.amem4rec.extractive import Extractive
from lamina.strategies.amem4rec.measures import Measures
from lamina.strategies.amem4rec.stages import Abstraction, Forming, Standing, Window
from lamina.strategies.amem4rec.windows import Done, in_order, recent, windows
from lamina.times import from_micros, to_micros

KEPT = 12
"""Pools that are kept at hand: those of the folds of one contest."""
ACTION = "rate"
"""What a log tells of what was done."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pool:
    """What was made of a lesson."""

    graph: Graph
    """As a store tells one; all of it is known from the beginning."""
    patterns: dict[str, Standing]
    """By id."""
    passes: tuple[Measures, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Making:
    """How pools are made; the same lesson gives the same pool, which is made once."""

    log: Log
    items: Sequence[Item]
    """As `log.catalogue.items`."""
    encoder: Encoder
    """Best one that keeps its vectors: texts recur."""
    config: AMEM4RecConfig = field(default_factory=AMEM4RecConfig)
    stages: Callable[[AMEM4RecConfig], Forming] = Extractive
    passes: int = 1
    most: int | None = None
    """How many windows of each user are taken in, the last; `None`: all."""
    kept: OrderedDict[str, Pool] = field(default_factory=OrderedDict)

    def pool(self, lesson: Lesson) -> Pool:
        """Return the pool of what a lesson shows.

        Raises:
            Leak: It rests on something else.
        """
        key = digest(*(part.tobytes().hex() for part in (lesson.by, lesson.of, lesson.at)))
        if key not in self.kept:
            self.kept[key] = self._made(lesson)
            while len(self.kept) > KEPT:
                self.kept.popitem(last=False)
        return self.kept[key]

    def varied(self, config: AMEM4RecConfig, passes: int = 1) -> Making:
        """Return the making of other pools from the same data."""
        return replace(self, config=config, passes=passes, kept=OrderedDict())

    def looked_up(self, asks: Asks) -> list[NDArray[np.float32] | None]:
        """Return by question the vector of what its user did last; `None` where that says nothing.

        It is put in general terms first, as what the pool is made of was.
        """
        told = [self._recent(asks.users[n], asks.history(n), asks, n) for n in range(len(asks))]
        asked = [window for window in told if window is not None]
        said = iter(self.stages(self.config).abstract(asked))
        texts = [
            each.shown if isinstance(each, Abstraction) else ""
            for each in (None if window is None else next(said) for window in told)
        ]
        known = [text for text in texts if text]
        vectors = iter(self.encoder.encode(known)) if known else iter(())
        return [next(vectors) if text else None for text in texts]

    def _recent(self, user: int, history: NDArray[np.int32], asks: Asks, ask: int) -> Window | None:
        last = history[-self.config.w :]
        ratings = asks.ratings[asks.starts[ask] : asks.starts[ask + 1]][-self.config.w :]
        done = [
            self._done(str(n), item, rating, 0)
            for n, (item, rating) in enumerate(zip(last.tolist(), ratings.tolist(), strict=True))
        ]
        return recent(self.log.users[int(user)], done, self.config.w)

    def _done(self, id_: str, item: int, rating: float, at: int) -> Done:
        return Done(
            id=id_,
            item=self.items[item],
            action=ACTION,
            rating=rating if isfinite(rating) else None,
            said_at=from_micros(at),
        )

    def windows(self, lesson: Lesson) -> list[Window]:
        """Return the windows of what a lesson shows, in the order in which they are taken in."""
        order = np.argsort(lesson.by, kind="stable")
        ends = np.cumsum(np.bincount(lesson.by, minlength=lesson.users))
        found: list[Window] = []
        for user, rows in enumerate(np.split(order, ends[:-1])):
            done = [
                self._done(
                    f"{user}:{lesson.of[row]}:{lesson.at[row]}",
                    int(lesson.of[row]),
                    float(lesson.ratings[row]),
                    int(lesson.at[row]),
                )
                for row in rows.tolist()
            ]
            own = windows(self.log.users[user], done, self.config)
            found += own if self.most is None else own[-self.most :]
        return in_order(found, self.config.seed)

    def _made(self, lesson: Lesson) -> Pool:
        return within(pooled(self, self.windows(lesson), self.log.users), lesson)


def pooled(making: Making, windows: Sequence[Window], users: Sequence[str]) -> Pool:
    """Return the pool that windows of some users make, one after another."""
    built = build(
        windows,
        making.stages(making.config),
        making.encoder.encode,
        making.config,
        making.config.taus(making.encoder.space.id),
        making.passes,
    )
    return Pool(
        graph=as_graph(built, making.log, users),
        patterns={each.id: each for each in built.patterns},
        passes=built.passes,
    )


def within(pool: Pool, lesson: Lesson) -> Pool:
    """Return a pool whose parts all tell what a lesson shows.

    Raises:
        Leak: One of them tells something else: it was done by somebody at a moment of which the
            lesson shows nothing.
    """
    support = pool.graph.support
    shown = set(zip(lesson.by.tolist(), lesson.at.tolist(), strict=True))
    if not shown >= set(zip(support.by.tolist(), support.at.tolist(), strict=True)):
        raise Leak("a pool rests on what was not to be known where it was made")
    return pool


def as_graph(built: Built, log: Log, users: Sequence[str]) -> Graph:
    """Return a pool that was made in memory as arrays."""
    count = len(built.patterns)
    places = {user: n for n, user in enumerate(users)}
    rests = [(n, each) for n, parts in enumerate(built.support) for each in parts]
    firsts = np.cumsum([0, *(len(parts) for parts in built.support)])[:-1]
    of = np.array([n for n, _ in rests], dtype=np.int32)
    return replace(
        bare(log),
        users=tuple(users),
        by=np.zeros(0, np.int32),
        of=np.zeros(0, np.int32),
        said_at=np.zeros(0, np.int64),
        gone_at=np.zeros(0, np.int64),
        ratings=np.zeros(0, np.float32),
        actions=np.zeros(0, np.int16),
        messages=(),
        kinds=np.full(count, PATTERN, dtype=np.int8),
        refs=tuple(each.id for each in built.patterns),
        whose=np.full(count, -1, dtype=np.int32),
        about=np.full(count, -1, dtype=np.int32),
        done_at=np.zeros(count, dtype=np.int64),
        known_from=np.zeros(count, dtype=np.int64),
        known_until=np.full(count, NEVER),
        vectors=VectorRows(built.vectors),
        note_names=tuple(each.id for each in built.patterns),
        notes=np.arange(count, dtype=np.int32),
        support=Support(
            of=of,
            revisions=(np.arange(len(rests)) - firsts[of] + 1).astype(np.int32),
            parts=tuple(each.part.id for _, each in rests),
            by=np.array([places[each.part.user] for _, each in rests], dtype=np.int32),
            at=np.array([to_micros(each.at) for _, each in rests], dtype=np.int64),
            known_from=np.zeros(len(rests), dtype=np.int64),
            known_until=np.full(len(rests), NEVER),
        ),
    )
