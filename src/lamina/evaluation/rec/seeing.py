"""What each stage may see, told and enforced."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lamina.errors import Leak
from lamina.evaluation.rec.baselines.learning import Lesson
from lamina.evaluation.rec.splits import Asks
from lamina.items import Ranking

STAGES: tuple[tuple[str, str, str], ...] = (
    ("construction, linking, evolution", "what was known before t, of all users", "notes, links"),
    ("retrieval, synthesis", "notes and links known before t", "nothing"),
    ("Stage-R", "the user's memory and evidence before t", "nothing"),
    ("ranking", "the same, and the metadata of the candidates, all alike", "nothing"),
    ("baselines", "interactions before their checkpoint; the user's own before t", "nothing"),
    ("weights", "questions and targets of the validation", "weights"),
    ("metrics", "targets of the test, once, after all scores are in", "the report"),
)  # fmt: skip
"""By stage: what it sees, what it writes. The label of a test question reaches only the metrics."""


def checked(lesson: Lesson, until: int) -> Lesson:
    """Return a lesson that shows nothing from `until` on, microseconds.

    Raises:
        Leak: It does.
    """
    if len(lesson.at) and int(lesson.at.max()) >= until:
        raise Leak("a method was to learn from what was not known yet at its checkpoint")
    return lesson


@dataclass(frozen=True, slots=True, kw_only=True)
class Audited:
    """Answers that are given twice: from all there is, and from what was known before alone.

    Whoever reads beyond the moment of a question answers otherwise where that is cut off.
    """

    answer: Callable[[Asks], NDArray[np.float32]]
    """From everything."""
    cut_off: Callable[[int], Callable[[Asks], NDArray[np.float32]]]
    """By moment: from a memory in which nothing from then on exists."""
    every: int = 50
    """How many questions there are to one that is asked again."""

    def __call__(self, asks: Asks) -> NDArray[np.float32]:
        """Return the answers.

        Raises:
            Leak: One of them rests on what was known from its moment on.
        """
        found = self.answer(asks)
        for row in range(len(asks)):
            if (int(asks.at[row]) // 1_000_000 + int(asks.users[row])) % self.every == 0:
                one = asks.part(np.array([row]))
                again = self.cut_off(int(asks.at[row]))(one)
                if not np.allclose(again[0], found[row], rtol=1e-4, atol=1e-5):
                    raise Leak("an answer changes when what was known later is taken away")
        return found


class Unwritten:
    """Says whether memory is as it was: an evaluation writes nothing into it."""

    def __init__(self, state: Callable[[], object]) -> None:
        self._state = state
        self._before = state()

    def check(self) -> None:
        """Compare memory with what it was.

        Raises:
            Leak: Something was written.
        """
        if self._state() != self._before:
            raise Leak("memory changed while it was evaluated: a ranker wrote into it")


class Sealed:
    """A recommender's memory as a ranker under evaluation gets it: the past alone, to read."""

    def __init__(self, recommender: Any, moment: datetime) -> None:
        self._recommender = recommender
        self.moment = moment

    def rank(
        self, user: str, candidates: Sequence[str], *, as_of: datetime | None = None
    ) -> Ranking:
        """See `Recommender.rank`; without a moment, that of the question.

        Raises:
            Leak: The moment lies after the question's.
        """
        if as_of is not None and as_of > self.moment:
            raise Leak(f"a ranker looked at {as_of}, after the question's {self.moment}")
        ranking: Ranking = self._recommender.rank(user, candidates, as_of=as_of or self.moment)
        return ranking

    def __getattr__(self, name: str) -> object:
        """Refuse all else.

        Raises:
            Leak: Always.
        """
        raise Leak(f"a ranker under evaluation may only rank: {name!r} is sealed")
