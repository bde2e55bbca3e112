"""What a pool can do without."""

from collections.abc import Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from lamina.strategies.amem4rec.upkeep import Held, surplus, twins
from lamina.times import DAY
from tests.strategies.amem4rec.made_patterns import unit

NOW = 100 * DAY


def held(*counts: int, days: Sequence[float] = ()) -> list[Held]:
    ages = days or [0.0] * len(counts)
    return [
        Held(id=f"p{i}", evolution_count=count, last_at=NOW - int(age * DAY))
        for i, (count, age) in enumerate(zip(counts, ages, strict=True))
    ]


def test_unless_it_is_asked_for_nothing_goes() -> None:
    assert surplus(held(0, 5, days=[900, 0]), NOW) == {}


def test_what_never_evolved_goes_once_everybodys_parts_are_in() -> None:
    assert surplus(held(0, 1, 0), NOW, lone=True) == {"p0": "never evolved", "p2": "never evolved"}


def test_what_nobody_supported_for_long_goes() -> None:
    patterns = held(9, 0, 9, days=[31, 29, 30])

    assert surplus(patterns, NOW, keep_days=30) == {"p0": "too old"}


def test_over_the_cap_the_least_evolved_go_first_and_of_those_the_oldest() -> None:
    patterns = held(2, 0, 0, 5, 0, days=[90, 1, 3, 50, 3])

    found = surplus(patterns, NOW, cap=3)

    assert found == {"p2": "over the cap", "p4": "over the cap"}


def test_what_goes_anyway_takes_no_place_under_the_cap() -> None:
    patterns = held(0, 1, 2, days=[0, 99, 0])

    found = surplus(patterns, NOW, lone=True, keep_days=30, cap=1)

    assert found == {"p0": "never evolved", "p1": "too old"}


def test_a_cap_of_none_leaves_none() -> None:
    assert surplus(held(3, 4), NOW, cap=0).keys() == {"p0", "p1"}


def test_a_twin_goes_into_the_one_that_evolved_more() -> None:
    rows = np.array([unit(1, 0.1), unit(1, 0), unit(0, 1)])

    (found,) = twins(held(1, 4, 0), rows)

    assert (found.heir, found.twin) == ("p1", "p0")
    assert found.cosine > 0.95


def test_what_is_near_enough_only_to_a_twin_stays() -> None:
    rows = np.array([unit(np.cos(a), np.sin(a)) for a in (0.0, 0.3, 0.6)])

    assert [(each.heir, each.twin) for each in twins(held(9, 5, 1), rows)] == [("p0", "p1")]


def test_many_of_the_same_go_into_the_one_whose_id_is_first() -> None:
    patterns = held(*[0] * 300)

    found = twins(patterns, np.array([unit(1, 2)] * 300))

    first = min(each.id for each in patterns)
    assert {each.heir for each in found} == {first}
    assert len(found) == 299


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 11)), max_size=40),
    st.permutations(range(40)),
)
def test_after_merging_none_has_a_twin_whatever_their_order(
    made: list[tuple[int, int]], order: list[int]
) -> None:
    angles = [0.2 * turn for _, turn in made]
    rows = np.array([unit(np.cos(a), np.sin(a)) for a in angles]).reshape(-1, 2)
    patterns = held(*[count for count, _ in made])

    found = twins(patterns, rows)

    gone = {each.twin for each in found}
    assert len(gone) == len(found)
    stay = [i for i, each in enumerate(patterns) if each.id not in gone]
    near = rows[stay] @ rows[stay].T - np.eye(len(stay)) if stay else np.zeros((1, 1))
    assert near.max() <= 0.95
    assert not gone & {each.heir for each in found}
    turned = [i for i in order if i < len(made)]
    again = twins([patterns[i] for i in turned], rows[turned])
    assert sorted(again) == sorted(found)
