import pytest

from lamina.evaluation.rec.canaries import CANARY, USERS, Surfaced, contamination
from lamina.evaluation.rec.scoring import lesson
from lamina.evaluation.rec.sharing import LEAST
from lamina.evaluation.rec.splits import leave_last_out
from tests.evaluation.rec.made_pools import LOG, items, making

SHOWN = lesson(LOG, leave_last_out(LOG).test[0], 0)


@pytest.fixture(scope="module")
def found() -> tuple[Surfaced, ...]:
    return contamination(making(), SHOWN)


def test_what_fewer_than_k_users_did_never_surfaces_for_others(
    found: tuple[Surfaced, ...],
) -> None:
    few = [one for one in found if one.users < LEAST]

    assert [one.users for one in few] == [1, 2]
    for one in few:
        assert one.patterns > 0
        assert one.alike == 0.0
        assert one.others == 0.0


def test_what_k_users_did_surfaces_for_those_who_do_the_same(
    found: tuple[Surfaced, ...],
) -> None:
    many = [one for one in found if one.users >= LEAST]

    assert [one.users for one in many] == [users for users in USERS if users >= LEAST]
    assert all(one.patterns > 0 and one.alike > 0.0 for one in many)


def test_words_that_one_user_brought_into_patterns_of_many_are_told_apart(
    found: tuple[Surfaced, ...],
) -> None:
    alone = next(one for one in found if one.users == 1)

    assert alone.words > 0
    assert 0.0 < alone.words_alike <= 1.0


def test_no_item_is_of_the_kind_that_is_looked_for() -> None:
    assert not any(CANARY in item.categories for item in items())
