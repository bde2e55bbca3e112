"""What is known of a user in all, and what of a taste lasts."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.strategies.atomrec import profiles
from lamina.strategies.atomrec.config import AtomRecConfig
from lamina.testing.clock import NOON
from tests.strategies.atomrec.shown import card

DEFAULTS = AtomRecConfig()


@pytest.mark.parametrize(
    ("days", "lasts"),
    [
        ([], False),
        ([0], False),
        ([0, 400], False),
        ([0, 10, 29], False),
        ([0, 0.1, 0.2, 0.3], False),
        ([0, 0.1, 30], False),
        ([0, 10, 30], True),
        ([30, 0, 10], True),
        ([0, 1, 2, 3, 200], True),
    ],
)
def test_what_lasts_is_shown_on_several_days_far_apart(days: list[float], lasts: bool) -> None:
    assert profiles.lasting([NOON + timedelta(days=d) for d in days], DEFAULTS) == lasts


def test_how_long_is_lasting_can_be_set() -> None:
    times = [NOON, NOON + timedelta(days=7)]

    assert profiles.lasting(times, AtomRecConfig(lasting_days=2, lasting_span_days=7))
    assert not profiles.lasting(times, AtomRecConfig(lasting_days=2, lasting_span_days=8))
    assert not profiles.lasting([], AtomRecConfig(lasting_days=0, lasting_span_days=0))


@given(st.lists(st.integers(0, 2000), max_size=12), st.integers(0, 2000))
def test_more_support_never_makes_a_lasting_taste_pass(days: list[int], more: int) -> None:
    times = [NOON + timedelta(days=d) for d in days]

    if profiles.lasting(times, DEFAULTS):
        assert profiles.lasting([*times, NOON + timedelta(days=more)], DEFAULTS)


def test_a_facet_is_dated_by_the_users_own_notes() -> None:
    support = [card("a", day=3), card("b", day=1), card("c", side="other", day=90), card("a")]
    told = profiles.facet("heists", 0.5, support, DEFAULTS)

    assert (told.first_at, told.last_at) == (NOON, NOON + timedelta(days=3))
    assert told.supporting_notes == ("a", "b", "c")
    assert not told.lasting
    assert profiles.facet("x", 0.1, [card(side="other")], DEFAULTS).first_at is None


def test_a_word_counts_once_a_note_whatever_its_case() -> None:
    cards = [
        card("a", tags=("Crime", "crime"), keywords=("CRIME", "heist")),
        card("b", tags=("crime",), keywords=(), day=1),
    ]
    sides = profiles.sides(cards)

    assert [(side.word, len(side.cards)) for side in sides] == [("Crime", 2), ("heist", 1)]


def test_sides_do_not_depend_on_the_order_of_notes() -> None:
    cards = [card(f"n{i}", tags=(f"t{i % 3}",), keywords=(), day=i) for i in range(9)]

    assert profiles.sides(cards) == profiles.sides(cards[::-1])
    assert profiles.told(cards) == profiles.told(cards[::-1])


def test_what_is_rated_below_the_mean_is_not_liked() -> None:
    cards = [card("a", rating=5.0), card("b", rating=1.0), card("c", rating=None)]

    assert [each.id for each in profiles.liked(cards)] == ["a", "c"]
    assert profiles.liked([]) == []


def test_a_profile_tells_how_often_when_and_how_rated() -> None:
    cards = [
        card("a", tags=("Crime",), keywords=(), rating=4.0),
        card("b", tags=("Crime",), keywords=(), rating=3.0, day=2),
        card("c", tags=("Nature",), keywords=(), rating=None),
    ]

    assert profiles.told(cards) == (
        "Crime ×2 (2026-03-04 – 2026-03-06, ⌀ 3.5); Nature ×1 (2026-03-04)"
    )
    assert profiles.told([]) == ""
