"""A whole pool in memory: windows taken in one after another, without a store."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from lamina.identity import digest
from lamina.ports import Failure
from lamina.strategies.amem4rec.config import AMEM4RecConfig, Taus
from lamina.strategies.amem4rec.decision import meaning_much
from lamina.strategies.amem4rec.forming import Formed, Part, form
from lamina.strategies.amem4rec.measures import Measures, Pair, measure
from lamina.strategies.amem4rec.patterns import Patterns
from lamina.strategies.amem4rec.stages import Forming, Linked, Standing, Window

Encode = Callable[[Sequence[str]], NDArray[np.float32]]
"""Texts to their vectors, shape (n, dim), unit rows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A part that a pattern rests on."""

    part: Part
    at: datetime
    """When the last of what it tells was done."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Built:
    """A pool that was made in memory."""

    patterns: tuple[Standing, ...]
    """In the order in which they were first stored; p of them."""
    vectors: NDArray[np.float32]
    """Shape (p, dim), unit rows."""
    support: tuple[tuple[Taken, ...], ...]
    """p times, in the order in which parts were taken in; the first founded it."""
    links: tuple[tuple[str, str], ...]
    """Ids of a pattern and of an earlier one that it hangs together with."""
    waiting: tuple[str, ...]
    """Ids of parts of which no outcome is known: a model failed in a way that may pass."""
    passes: tuple[Measures, ...]
    """What each pass came to."""


def build(
    windows: Sequence[Window],
    stages: Forming,
    encode: Encode,
    config: AMEM4RecConfig,
    taus: Taus,
    passes: int = 1,
) -> Built:
    """Return the pool that windows make, one after another, in the order given.

    In a second pass every part is held against the whole pool again, but for the patterns that it
    supports already: it may evolve others, and is not stored again. A pattern that nobody else's
    part was taken into goes, if its own part only evolves others by then. So what came early meets
    what came late.

    Args:
        windows: As `windows.in_order` gives them; one that is told again counts once.
        stages: What abstracts, judges and merges.
        encode: Asked in batches; each text once.
        config: How the method works.
        taus: The thresholds.
        passes: At least 1.
    """
    pool = _Pool(stages, encode, config, taus)
    told = pool.abstracted(windows)
    measured = tuple(pool.go_through(told) for _ in range(passes))
    return pool.built(measured)


def part_id(interactions: Sequence[str]) -> str:
    """Return the id of the part that some interactions make, by their ids."""
    return digest("window", *interactions)


def pattern_id(part: str) -> str:
    """Return the id of the pattern that a part founds."""
    return digest("pattern", part)


class _Pool:
    """A pool in the making."""

    def __init__(self, stages: Forming, encode: Encode, config: AMEM4RecConfig, taus: Taus) -> None:
        self._stages, self._encode, self._config, self._taus = stages, encode, config, taus
        self._vectors: dict[str, NDArray[np.float32]] = {}
        self._patterns = Patterns.empty(0)
        self._support: dict[str, list[Taken]] = {}
        self._supported: dict[str, list[str]] = {}
        self._links: dict[tuple[str, str], None] = {}
        self._waiting: dict[str, None] = {}

    def abstracted(self, windows: Sequence[Window]) -> list[tuple[Part, datetime]]:
        """Return what windows tell, each with when the last of it was done; all encoded."""
        new = list({each.interactions: each for each in windows}.values())
        found = []
        for start in range(0, len(new), self._config.at_once):
            batch = new[start : start + self._config.at_once]
            for window, said in zip(batch, self._stages.abstract(batch), strict=True):
                id_ = part_id(window.interactions)
                if isinstance(said, Failure):
                    self._waiting[id_] = None
                elif said is not None:
                    part = Part(id=id_, user=window.user, said=said, names=window.names)
                    found.append((part, window.said_at))
        self._prepare([part.said.shown for part, _ in found])
        if found:
            self._patterns = Patterns.empty(len(self._vectors[found[0][0].said.shown]))
        return found

    def go_through(self, told: Sequence[tuple[Part, datetime]]) -> Measures:
        """Hold all parts against the pool, and return what it came to."""
        pairs: list[Pair] = []
        taken = 0
        for part, at in told:
            formed = self._formed(part)
            if formed.failure is not None:
                self._waiting[part.id] = None
                continue
            self._waiting.pop(part.id, None)
            pairs += _pairs(formed)
            taken += 1
            self._take(Taken(part=part, at=at), formed)
        much = meaning_much(self._taus)
        return measure(taken, pairs, self._array(), much)

    def built(self, measured: tuple[Measures, ...]) -> Built:
        """Return the pool as it is."""
        ids = tuple(self._support)
        return Built(
            patterns=tuple(self._patterns.standing(ids)),
            vectors=self._array(),
            support=tuple(map(tuple, self._support.values())),
            links=tuple(ends for ends in self._links if ends[0] in self._support),
            waiting=tuple(self._waiting),
            passes=measured,
        )

    def _formed(self, part: Part) -> Formed:
        vector = self._vectors[part.said.shown]
        before = self._supported.get(part.id, ())
        return form(part, vector, self._patterns, self._stages, self._config, self._taus, before)

    def _take(self, taken: Taken, formed: Formed) -> None:
        first = taken.part.id not in self._supported
        if formed.evolves:
            self._evolve(taken, formed.linked)
        if first and formed.stores:
            self._store(taken, formed.linked)
        elif not first and not formed.stores:
            self._leave(taken.part.id)

    def _store(self, taken: Taken, linked: Sequence[Linked]) -> None:
        part, id_ = taken.part, pattern_id(taken.part.id)
        standing = Standing(id=id_, said=part.said, evolution_count=0)
        self._patterns.add(standing, self._vectors[part.said.shown])
        self._rest(id_, taken)
        self._links.update(((id_, each.id), None) for each in linked)

    def _evolve(self, taken: Taken, linked: Sequence[Linked]) -> None:
        self._prepare([each.merged.shown for each in linked if each.merged])
        for each in linked:
            vector = self._vectors[each.merged.shown] if each.merged else None
            self._patterns.take(each.id, each.merged, vector)
            self._rest(each.id, taken)

    def _leave(self, part: str) -> None:
        """Drop the pattern that a part founded, if nothing else was taken into it."""
        id_ = pattern_id(part)
        if [each.part.id for each in self._support.get(id_, ())] == [part]:
            self._patterns.drop(id_)
            del self._support[id_]

    def _rest(self, id_: str, taken: Taken) -> None:
        self._support.setdefault(id_, []).append(taken)
        self._supported.setdefault(taken.part.id, []).append(id_)

    def _prepare(self, texts: Sequence[str]) -> None:
        """Encode what was not yet, in one go."""
        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if new:
            self._vectors.update(zip(new, self._encode(new), strict=True))

    def _array(self) -> NDArray[np.float32]:
        rows = [self._patterns.vector(id_) for id_ in self._support]
        return np.array(rows, dtype=np.float32).reshape(len(rows), self._patterns.dim)


def _pairs(formed: Formed) -> list[Pair]:
    """Return what was retrieved: the most similar passed the gate, as many as were judged."""
    passed = len(formed.linked) + formed.refused
    agreed = {each.id for each in formed.linked}
    return [
        Pair(cosine, passed=place < passed, linked=id_ in agreed)
        for place, (id_, cosine) in enumerate(formed.near)
    ]
