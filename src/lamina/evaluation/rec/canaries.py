"""Contamination: how often what few users did, and nobody else, surfaces for others."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

import numpy as np
from numpy.typing import NDArray

from lamina.evaluation.rec.baselines.learning import Lesson
from lamina.evaluation.rec.chance import number
from lamina.evaluation.rec.pools import Making, Pool, pooled
from lamina.evaluation.rec.sharing import LEAST, everybody
from lamina.model import Value
from lamina.ports.graph import NEVER
from lamina.strategies.amem4rec.retrieval import retrieve
from lamina.strategies.amem4rec.stages import Abstraction, Seen, Standing, Window
from lamina.strategies.amem4rec.windows import in_order
from lamina.times import from_micros

CANARY = "Quagga Whistling"
"""A category that no data have."""
USERS = (1, 2, 3, 4)
FLOOD = 12
"""Windows that each of them did with it: alone, or beside a category that everybody has."""
ASKED = 200
"""Others who are asked about, at most."""
Lookup = tuple[str | None, NDArray[np.float32] | None]
"""For whom, and what is looked up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surfaced(Value):
    """What came of what so many users did."""

    users: int
    patterns: int
    """Patterns that rest on them alone."""
    others: float
    """Share of others to whom one of these surfaced, by what they did last."""
    alike: float
    """Share of strangers to whom one of these surfaced, who look up just what the few did."""
    words: int
    """Patterns that say it, whoever else they rest on."""
    words_others: float
    words_alike: float
    """The same shares for these."""


def contamination(
    making: Making, lesson: Lesson, users: Sequence[int] = USERS
) -> tuple[Surfaced, ...]:
    """Return by number of users how often what they alone did surfaces for somebody else.

    Each did it over and over. What others did last is looked up for them, and, for strangers who
    support nothing, just what the few did.
    """
    return tuple(_surfaced(making, lesson, count) for count in users)


def _surfaced(making: Making, lesson: Lesson, count: int) -> Surfaced:
    common = _common(making)
    did = [window for n in range(count) for window in _flood(f"\x00canary {n}", common, making)]
    windows = in_order([*making.windows(lesson), *did], making.config.seed)
    pool = pooled(making, windows, (*making.log.users, *dict.fromkeys(w.user for w in did)))
    said = frozenset(id_ for id_, each in pool.patterns.items() if _says(each))
    alone = frozenset(_resting_on(pool, {window.user for window in did}))
    asks = everybody(lesson).part(_asked(lesson))
    names = [making.log.users[user] for user in asks.users.tolist()]
    last = _told(making, pool, zip(names, making.looked_up(asks), strict=True))
    same = _told(making, pool, ((None, vector) for vector in _vectors(making, did)))
    return Surfaced(
        users=count,
        patterns=len(alone),
        others=_share(last, alone),
        alike=_share(same, alone),
        words=len(said),
        words_others=_share(last, said),
        words_alike=_share(same, said),
    )


def _common(making: Making) -> str:
    """Return the category that most is had of; empty, where there is none."""
    counts: dict[str, int] = {}
    for item in making.log.of.tolist():
        for name in making.items[item].categories:
            counts[name] = counts.get(name, 0) + 1
    return max(counts, key=lambda name: (counts[name], name), default="")


def _flood(user: str, common: str, making: Making) -> Iterator[Window]:
    """Yield windows of one user: of the canary alone, beside what is common, and once in those."""
    began = from_micros(int(making.log.at[0]))
    rests = ((CANARY,), (common, CANARY), (common,)) if common else ((CANARY,),)
    for n in range(FLOOD):
        kinds = rests[n % len(rests)]
        last = (*kinds, CANARY) if CANARY not in kinds else kinds
        ids = tuple(f"{user}:{n}:{at}" for at in range(making.config.w))
        yield Window(
            user=user,
            interactions=ids,
            seen=tuple(
                Seen(
                    title=id_,
                    categories=last if id_ == ids[-1] else kinds,
                    action="rate",
                    rating=float(3 + n % 3),
                )
                for id_ in ids
            ),
            names=(*ids, user),
            began_at=began + timedelta(days=n),
            said_at=began + timedelta(days=n, hours=1),
        )


def _says(pattern: Standing) -> bool:
    text = "\n".join(pattern.said.words).casefold()
    return any(word in text for word in CANARY.casefold().split())


def _resting_on(pool: Pool, users: Collection[str]) -> Iterator[str]:
    """Yield the patterns that nobody else supports."""
    support = pool.graph.support
    few = np.array([user in users for user in pool.graph.users])
    rests_on_others = np.bincount(support.of[~few[support.by]], minlength=len(pool.patterns))
    yield from (pool.graph.note_names[n] for n in np.flatnonzero(rests_on_others == 0).tolist())


def _asked(lesson: Lesson) -> NDArray[np.int64]:
    """Return who is asked about, by hash, of those who did anything."""
    known = sorted(np.unique(lesson.by).tolist(), key=lambda user: number("canaries", user))
    return np.array(known[:ASKED], dtype=np.int64)


def _vectors(making: Making, windows: Sequence[Window]) -> list[NDArray[np.float32]]:
    said = making.stages(making.config).abstract(
        [replace(each, user="\x00somebody") for each in windows]
    )
    texts = [each.shown for each in said if isinstance(each, Abstraction)]
    return list(making.encoder.encode(texts)) if texts else []


def _told(making: Making, pool: Pool, lookups: Iterable[Lookup]) -> list[frozenset[str]]:
    """Return by lookup the patterns that are told."""
    config = making.config
    return [
        frozenset(
            each.id
            for each in retrieve(pool.graph, vector, config.k_mem, NEVER, user, LEAST, config)
        )
        for user, vector in lookups
        if vector is not None
    ]


def _share(told: Sequence[frozenset[str]], which: frozenset[str]) -> float:
    """Return the share of lookups that tell any of some patterns."""
    return sum(not which.isdisjoint(each) for each in told) / len(told) if told else 0.0
