from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from lamina.errors import Leak
from lamina.evaluation.rec.asking import FALLBACK, MISS, Asked, Ranker, ask, by_rank
from lamina.evaluation.rec.candidates import drawn
from lamina.evaluation.rec.scoring import Posed
from lamina.evaluation.rec.seeing import Sealed
from lamina.evaluation.rec.splits import replay
from lamina.items import Ranked, Ranking
from tests.evaluation.rec.made import log

ONE = log(users=20, items=40, each=10)
MOMENT = datetime(2024, 1, 1, tzinfo=UTC)


class Recommender:
    """Ranks as given; keeps what it was asked."""

    def __init__(self, discarded: bool = False) -> None:
        self.discarded = discarded
        self.asked: list[datetime] = []
        self.written: list[object] = []

    def rank(self, user: str, candidates: Sequence[str], *, as_of: datetime) -> Ranking:
        self.asked.append(as_of)
        items = tuple(Ranked(item=item, title="", score=0.0) for item in candidates)
        return Ranking(user=user, items=items, discarded=self.discarded)

    def add_interactions(self, interactions: object) -> None:
        self.written.append(interactions)


def asked(recommender: Recommender, ranker: Ranker = by_rank) -> Asked:
    folds = replay(ONE, share=0.2, checkpoints=1).test
    posed = [
        Posed(
            fold=fold,
            sets=(drawn(ONE, fold, size=5, sampling="uniform", part="test", seed=0),),
            parts=("test",),
        )
        for fold in folds
    ]
    return ask(ONE, posed, lambda _: Sealed(recommender, MOMENT), ranker)


def test_the_place_in_a_ranking_is_what_counts() -> None:
    found = asked(Recommender())

    metrics = found.metrics[FALLBACK, "uniform-5"]
    assert 0 < metrics["H@1"].mean() < 1
    assert (metrics["H@5"] == 1).all()
    assert found.rankings == len(metrics["MRR"])


def test_a_discarded_reply_counts_as_fallback_and_as_miss() -> None:
    found = asked(Recommender(discarded=True))

    assert found.discarded == found.rankings
    assert (found.metrics[FALLBACK, "uniform-5"]["H@5"] == 1).all()
    assert not any(values.any() for values in found.metrics[MISS, "uniform-5"].values())


def test_a_ranker_that_looks_ahead_fails() -> None:
    def ahead(memory: Sealed, user: str, candidates: Sequence[str]) -> Ranking:
        return memory.rank(user, candidates, as_of=MOMENT + timedelta(days=1))

    with pytest.raises(Leak, match="after the question's"):
        asked(Recommender(), ahead)


def test_a_ranker_that_writes_the_target_fails_and_nothing_is_written() -> None:
    def clicking(memory: Sealed, user: str, candidates: Sequence[str]) -> Ranking:
        ranking = memory.rank(user, candidates)
        memory.add_interactions([(user, ranking.ids[0])])  # type: ignore[operator]
        return ranking

    recommender = Recommender()

    with pytest.raises(Leak, match="sealed"):
        asked(recommender, clicking)
    assert not recommender.written


def test_what_a_ranker_lost_earns_nothing() -> None:
    def losing(memory: Sealed, user: str, candidates: Sequence[str]) -> Ranking:
        return replace(memory.rank(user, candidates), items=())

    metrics = asked(Recommender(), losing).metrics[FALLBACK, "uniform-5"]

    assert not any(values.any() for values in metrics.values())
