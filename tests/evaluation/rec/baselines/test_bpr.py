import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from lamina.evaluation.rec.baselines.bpr import Training, bpr
from lamina.evaluation.rec.logs import Log, Row, ordered
from lamina.evaluation.rec.splits import Asks
from lamina.ports import NEVER
from tests.evaluation.rec.made import asks, catalogue, had, lesson

QUICK = Training(factors=16, epochs=30, batch=256)


@pytest.fixture(scope="module")
def tastes() -> tuple[Log, NDArray[np.bool_]]:
    """Users of four tastes, who had some of what they like; and what of it they did not have."""
    chance, items, rows = np.random.default_rng(3), 80, []
    liked = np.zeros((100, items), dtype=bool)
    for user in range(100):
        own = np.flatnonzero(np.arange(items) % 4 == user % 4)
        for n, item in enumerate(chance.choice(own, size=10, replace=False).tolist()):
            rows.append(Row(user=str(user), item=str(item), at=n * 100 + user))
        liked[user, own] = True
    one = ordered(rows, catalogue(items))
    users = [int(user) for user in one.users]
    order = [int(item) for item in one.catalogue.items]
    return one, liked[users][:, order] & (had(one) == 0)


def area(scores: NDArray[np.floating], hidden: NDArray[np.bool_], one: Log) -> float:
    """How often something liked but not had scores above something neither liked nor had."""
    other = ~hidden & (had(one) == 0)
    wins = [
        (scores[u][hidden[u]][:, None] > scores[u][other[u]][None]).mean()
        for u in range(len(scores))
    ]
    return float(np.mean(wins))


def test_bpr_ranks_as_well_as_another_implementation(
    tastes: tuple[Log, NDArray[np.bool_]],
) -> None:
    from implicit.bpr import BayesianPersonalizedRanking

    one, hidden = tastes
    other = BayesianPersonalizedRanking(
        factors=16, iterations=200, learning_rate=0.05, num_threads=1, random_state=0
    )
    other.fit(csr_matrix(had(one).astype(np.float32)), show_progress=False)
    theirs = area(other.user_factors @ other.item_factors.T, hidden, one)

    ours = area(bpr(lesson(one), QUICK)(asks(one)), hidden, one)

    assert ours > 0.9
    assert ours > theirs - 0.05


def test_the_same_seed_learns_the_same(tastes: tuple[Log, NDArray[np.bool_]]) -> None:
    one, _ = tastes
    short = Training(factors=4, epochs=2)

    first, again, other = (bpr(lesson(one, seed), short)(asks(one)) for seed in (0, 0, 1))

    np.testing.assert_array_equal(first, again)
    assert (first != other).any()


def test_who_came_after_learning_is_folded_in(tastes: tuple[Log, NDArray[np.bool_]]) -> None:
    one, _ = tastes
    known = len(one.users)
    taught = lesson(one)
    more = type(taught)(
        users=known + 1, catalogue=taught.catalogue, by=taught.by, of=taught.of, at=taught.at,
        ratings=taught.ratings,
    )  # fmt: skip
    kinds = np.array([int(item) % 4 for item in one.catalogue.items])
    history = np.flatnonzero(kinds == 2)[:6].astype(np.int32)
    newcomer = Asks(
        users=np.array([known], dtype=np.int32), at=np.array([NEVER]), starts=np.array([0, 6]),
        items=history, ratings=np.zeros(6, dtype=np.float32),
    )  # fmt: skip

    scores = bpr(more, QUICK)(newcomer)[0]

    rest = np.setdiff1d(np.arange(80), history)
    best = rest[np.argsort(-scores[rest])[:10]]
    assert (kinds[best] == 2).mean() >= 0.8
