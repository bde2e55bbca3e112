from dataclasses import replace

import numpy as np
import pytest

from lamina.errors import Leak
from lamina.evaluation.rec.pools import within
from lamina.evaluation.rec.scoring import lesson
from lamina.evaluation.rec.splits import leave_last_out, replay
from lamina.ports.graph import NEVER
from lamina.strategies.amem4rec.config import AMEM4RecConfig
from lamina.strategies.amem4rec.retrieval import retrieve
from tests.evaluation.rec.made_pools import LOG, making

FOLD = leave_last_out(LOG).test[0]
SHOWN = lesson(LOG, FOLD, 0)


def test_a_pool_is_made_of_the_windows_of_what_a_lesson_shows() -> None:
    told = making().windows(SHOWN)

    shown = set(zip(SHOWN.by.tolist(), SHOWN.of.tolist(), SHOWN.at.tolist(), strict=True))
    done = {tuple(map(int, id_.split(":"))) for each in told for id_ in each.interactions}
    assert done == shown
    assert all(len(each.seen) == 3 for each in told)


def test_of_each_user_the_last_windows_are_taken_in() -> None:
    every, last = making().windows(SHOWN), making(most=2).windows(SHOWN)

    for user in {each.user for each in every}:
        own = [each for each in every if each.user == user]
        assert [each for each in last if each.user == user] == own[-2:]


def test_what_is_to_be_foretold_reaches_no_pool() -> None:
    hidden = {
        (int(LOG.by[row]), int(LOG.at[row]))
        for fold in (*leave_last_out(LOG).test, *leave_last_out(LOG).validation)
        for row in fold.rows.tolist()
    }
    shown = lesson(LOG, leave_last_out(LOG).validation[0], 0)

    support = making().pool(shown).graph.support

    assert not hidden & set(zip(support.by.tolist(), support.at.tolist(), strict=True))


def test_a_pool_of_what_comes_later_is_a_leak() -> None:
    early, late = (replay(LOG, share=0.2, checkpoints=2).test[n] for n in (0, 1))
    pool = making().pool(lesson(LOG, late, 0))

    with pytest.raises(Leak, match="not to be known"):
        within(pool, lesson(LOG, early, 0))


def test_of_cut_histories_nothing_older_is_in_anybodys_pool() -> None:
    for fold in leave_last_out(LOG, kept=3).test:
        support = making().pool(lesson(LOG, fold, 0)).graph.support
        for user in np.unique(LOG.by[fold.rows]):
            own = np.flatnonzero(LOG.by == user)[:-1]
            assert set(support.at[support.by == user]) <= {LOG.at[own[-1]]}


def test_a_pool_is_made_once_and_the_same_again() -> None:
    one = making()

    first = one.pool(SHOWN)

    assert one.pool(SHOWN) is first
    again = making().pool(SHOWN)
    assert again.patterns == first.patterns
    np.testing.assert_array_equal(again.graph.support.of, first.graph.support.of)


def test_every_revision_of_a_pattern_rests_on_one_part() -> None:
    support = making().pool(SHOWN).graph.support

    for of in np.unique(support.of):
        own = support.revisions[support.of == of]
        assert own.tolist() == list(range(1, len(own) + 1))


def test_recent_histories_find_what_they_contributed_to() -> None:
    one = making()
    pool, asks = one.pool(SHOWN), FOLD.asks

    vectors = one.looked_up(asks)

    assert len(vectors) == len(asks)
    for user, vector in zip(asks.users.tolist(), vectors, strict=True):
        assert vector is not None
        found = retrieve(pool.graph, vector, 5, NEVER, LOG.users[user], 3, one.config)
        assert found[0].similarity > 0.5


def test_a_user_with_less_than_a_window_is_looked_up_all_the_same() -> None:
    fold = leave_last_out(LOG, kept=1).test[0]

    vectors = making().looked_up(fold.asks)

    assert all(vector is not None for vector in vectors)


def test_of_who_did_nothing_nothing_is_looked_up() -> None:
    nobody = replace(
        FOLD.asks.part(np.array([0])),
        starts=np.zeros(2, dtype=np.int64),
        items=np.zeros(0, dtype=np.int32),
        ratings=np.zeros(0, dtype=np.float32),
    )

    assert making().looked_up(nobody) == [None]


def test_another_seed_goes_through_users_in_another_order() -> None:
    one, other = (making(config=AMEM4RecConfig(seed=seed)).windows(SHOWN) for seed in (0, 1))

    assert [each.user for each in one] != [each.user for each in other]
    assert sorted(each.interactions for each in one) == sorted(e.interactions for e in other)
