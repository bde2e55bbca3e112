import numpy as np
import pytest

from lamina.evaluation.rec.logs import Row, ordered
from lamina.evaluation.rec.splits import Split, leave_last_out, replay
from tests.evaluation.rec.made import catalogue, log


def test_the_last_is_asked_for_and_the_one_before_validates() -> None:
    one = log()

    split = leave_last_out(one)

    (test,), (validation,) = split.test, split.validation
    for user in range(len(one.users)):
        rows = np.flatnonzero(one.by == user)
        assert rows[-1] in test.rows
        assert rows[-2] in validation.rows
    assert not set(test.learnt) & set(test.rows)
    assert not set(validation.learnt) & (set(test.rows) | set(validation.rows))
    assert (np.diff(test.asks.starts) == 7).all()


def test_a_target_that_was_had_before_is_no_question() -> None:
    rows = [Row(user="a", item=item, at=n) for n, item in enumerate(["1", "2", "3", "1"])]

    split = leave_last_out(ordered(rows, catalogue(4)))

    assert split.left_out == 1
    assert not len(split.test[0].rows)


@pytest.mark.parametrize("most", [None, 5])
def test_a_replay_knows_only_what_was_strictly_before(most: int | None) -> None:
    one = log(users=20, items=40, each=10)

    split = replay(one, share=0.2, checkpoints=3, most=most)

    assert 1 <= len(split.test) <= 3
    for fold in (*split.validation, *split.test):
        assert one.at[fold.learnt].max() < one.at[fold.rows].min()
        for n, row in enumerate(fold.rows.tolist()):
            before = (one.by == one.by[row]) & (one.at < one.at[row])
            assert fold.asks.history(n).tolist() == one.of[before].tolist()
            assert fold.asks.at[n] == one.at[row]


def test_the_validation_of_a_replay_is_over_before_its_test() -> None:
    split = replay(log(users=20, items=40, each=10), share=0.2)

    assert max(fold.rows.max() for fold in split.validation) < min(
        fold.rows.min() for fold in split.test
    )


def test_what_happened_at_once_is_not_known_at_that_moment() -> None:
    rows = [Row(user="a", item=str(n), at=0 if n < 4 else 1) for n in range(10)]
    rows += [Row(user="b", item=str(n), at=1) for n in range(10)]

    split = replay(ordered(rows, catalogue(10)), share=0.4, checkpoints=1)

    asked: dict[int, set[int]] = {0: set(), 1: set()}
    for n, user in enumerate(split.test[0].asks.users.tolist()):
        asked[user].add(len(split.test[0].asks.history(n)))
    assert asked == {0: {4}, 1: {0}}
    assert (split.test[0].learnt < 4).all()


def _asked(split: Split) -> list[tuple[int, int]]:
    return [
        (int(u), int(t)) for f in split.test for u, t in zip(f.asks.users, f.targets, strict=True)
    ]


def test_users_are_chosen_by_hash() -> None:
    one = log(users=20, items=40)

    first, again, other = (leave_last_out(one, most=6, seed=seed) for seed in (0, 0, 1))

    assert len(_asked(first)) == 6
    assert _asked(first) == _asked(again)
    assert {u for u, _ in _asked(first)} != {u for u, _ in _asked(other)}


@pytest.mark.parametrize("kept", [1, 3])
def test_of_those_who_are_asked_about_only_the_last_are_known(kept: int) -> None:
    one = log(users=30, items=40, each=8)

    split = leave_last_out(one, kept=kept)

    for part, hidden in ((split.test, 1), (split.validation, 2)):
        for fold in part:
            for user in np.unique(one.by[fold.rows]):
                own = np.flatnonzero(one.by == user)
                known = own[-hidden - kept : -hidden].tolist()
                assert fold.learnt[one.by[fold.learnt] == user].tolist() == known
                place = fold.asks.users.tolist().index(user)
                assert fold.asks.history(place).tolist() == one.of[known].tolist()


def test_with_cut_histories_all_are_asked_once_beside_others_with_whole_ones() -> None:
    one = log(users=30, items=40, each=8)

    whole, cut = leave_last_out(one), leave_last_out(one, kept=2)

    assert len(cut.test) == len(cut.validation) == 3
    assert sorted(r for f in cut.test for r in f.rows) == sorted(whole.test[0].rows)
    for fold in cut.test:
        others = np.setdiff1d(one.by, one.by[fold.rows])
        known = np.bincount(one.by[fold.learnt], minlength=30)
        assert (known[others] == 7).all()
