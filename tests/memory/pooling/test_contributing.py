"""What each revision of a pattern took in, and whose it was; through both stores."""

import pytest

from lamina.errors import BadInput, NotFound
from lamina.testing.clock import NOON
from tests.memory.pooling.cinema import Cinema


@pytest.fixture
def shared(cinema: Cinema) -> Cinema:
    """Ann and Bo did the same, Cy something else."""
    for user, kind in (("ann", "Crime"), ("bo", "Crime"), ("cy", "Horror")):
        cinema.watched(user, kind, kind, kind)
    cinema.pool.refresh()
    return cinema


def test_every_pattern_is_named_and_each_part_with_whose_it_is(shared: Cinema) -> None:
    told = [
        [(each.revision, each.user, each.explanation) for each in shared.pool.contributions(id_)]
        for id_ in shared.pool.ids()
    ]

    assert sorted(sorted(user for _, user, _ in each) for each in told) == [["ann", "bo"], ["cy"]]
    assert all([number for number, _, _ in each] == [*range(1, len(each) + 1)] for each in told)
    assert {words for each in told for _, _, words in each} == {
        "Crime Crime Crime",
        "Horror Horror Horror",
    }


def test_a_part_that_was_taken_out_is_told_as_gone(shared: Cinema) -> None:
    [pair] = [id_ for id_ in shared.pool.ids() if len(shared.pool.contributions(id_)) == 2]
    last = shared.pool.contributions(pair)[-1]

    shared.pool.delete(last.part)

    assert [each.live for each in shared.pool.contributions(pair)] == [True, False]
    assert last.said_at >= NOON


def test_what_is_no_pattern_is_not_found(shared: Cinema) -> None:
    with pytest.raises(NotFound, match="no pattern here"):
        shared.pool.contributions("0" * 32)
    with pytest.raises(BadInput):
        shared.pool.contributions(7)  # type: ignore[arg-type]


def test_who_left_is_known_until_they_enter(shared: Cinema) -> None:
    shared.pool.leave("ann")
    assert (shared.pool.has_left("ann"), shared.pool.has_left("bo")) == (True, False)

    shared.pool.enter("ann")
    assert not shared.pool.has_left("ann")


def test_where_a_user_has_a_part_is_told(shared: Cinema) -> None:
    kinds = [scope.kind for scope in shared.memory.user("ann").parts()]

    assert sorted(kinds) == ["pool", "recommender"]
    assert shared.memory.user("nobody").parts() == []
