from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.formats.recommending import Fault
from lamina.formats.recommending.statistics import Statistics, Tally
from lamina.items import Interaction, Item

BEGAN = datetime(2026, 3, 4, tzinfo=UTC)


def act(user: str, item: str, hours: float = 0, **more: Any) -> Interaction:
    at = BEGAN + timedelta(hours=hours)
    return Interaction(id="", user=user, item=item, at=at, **more)


def counted(*read: Interaction | Item | Fault) -> Statistics:
    tally = Tally()
    for each in read:
        tally.add(each)
    return tally.statistics()


def test_users_items_and_density_are_counted() -> None:
    found = counted(
        Item(id="a", title="Anchor"), Item(id="b"), act("ann", "a"), act("ann", "b", 1),
        act("bo", "c", 2, rating=3.0),
    )  # fmt: skip

    assert (found.users, found.items, found.interactions) == (2, 3, 3)
    assert found.density == pytest.approx(3 / 6)
    assert found.without_words == 2
    assert found.per_user is not None
    assert (found.per_user.least, found.per_user.median, found.per_user.most) == (1, 1.5, 2)
    assert (found.ratings, found.unrated) == ({"3": 1}, 2)
    assert (found.first_at, found.last_at) == (BEGAN, BEGAN + timedelta(hours=2))


def test_users_whose_last_two_tie_and_who_came_on_one_day_are_told() -> None:
    found = counted(
        act("ann", "b", 5), act("ann", "a", 0), act("ann", "c", 5), act("bo", "a", 0),
        act("bo", "b", 24), act("cy", "a", 0), act("cy", "b", 24.1), act("di", "a"),
    )  # fmt: skip

    assert found.last_two_tie == pytest.approx(1 / 3)
    assert found.within_one_day == pytest.approx(3 / 4)


def test_equal_rows_are_duplicates_and_other_rows_of_a_pair_are_repeated() -> None:
    found = counted(
        act("ann", "a", text="x"), act("ann", "a", text="x"), act("ann", "a", text="y"),
        act("bo", "a", text="x"),
    )  # fmt: skip

    assert (found.duplicates, found.repeated) == (1, 2)


def test_many_different_ratings_are_put_in_bins() -> None:
    found = counted(*(act("ann", str(n), n, rating=n / 4) for n in range(100)))

    assert len(found.ratings) == 10
    assert sum(found.ratings.values()) == 100


def test_lines_that_cannot_be_read_are_counted_and_the_first_are_named() -> None:
    found = counted(*(Fault(f"a.csv, line {n}", "odd") for n in range(30)))

    assert found.faults == 30
    assert found.faulty[0] == Fault("a.csv, line 0", "odd")
    assert len(found.faulty) < 30


def test_nothing_has_statistics_too() -> None:
    assert counted().to_dict()["per_user"] is None


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xyz"), st.integers(0, 3))))
def test_the_counts_agree_with_counting_one_by_one(rows: list[tuple[str, str, int]]) -> None:
    found = counted(*(act(user, item, hours) for user, item, hours in rows))

    times = {u: sorted(h for user, _, h in rows if user == u) for u in {row[0] for row in rows}}
    several = [t for t in times.values() if len(t) > 1]
    tied = sum(t[-1] == t[-2] for t in several) / len(several) if several else 0
    assert found.last_two_tie == pytest.approx(tied)
    assert found.duplicates == len(rows) - len(set(rows))
    assert found.repeated == len(rows) - len({row[:2] for row in rows})
