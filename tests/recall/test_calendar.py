from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.recall import calendar
from lamina.recall.calendar import Grain

DAYS = st.dates(date(1900, 1, 1), date(2100, 12, 31))


@given(DAYS, st.sampled_from(["day", "week", "month", "year"]))
def test_stretches_of_one_grain_follow_each_other_without_a_gap(anchor: date, grain: Grain) -> None:
    last, this, after = (calendar.unit(anchor, grain, offset) for offset in (-1, 0, 1))

    assert last is not None
    assert this is not None
    assert after is not None
    assert last.after == this.first
    assert this.after == after.first
    assert this.first <= anchor < this.after


@given(DAYS, st.integers(0, 6))
def test_a_weekday_before_or_after_is_within_a_week_and_never_the_day_itself(
    anchor: date, number: int
) -> None:
    before, after = calendar.weekday_before(anchor, number), calendar.weekday_after(anchor, number)

    assert before is not None
    assert after is not None
    assert before.first.weekday() == after.first.weekday() == number
    assert timedelta(days=1) <= anchor - before.first <= timedelta(days=7)
    assert timedelta(days=1) <= after.first - anchor <= timedelta(days=7)


@pytest.mark.parametrize(("offset", "year"), [(-1, 2022), (0, 2023), (1, 2024)])
def test_the_last_season_is_over_and_the_next_has_not_begun(offset: int, year: int) -> None:
    found = calendar.season(date(2023, 7, 12), "summer", offset)

    assert found is not None
    assert found.first == date(year, 6, 1)


def test_winter_goes_over_the_end_of_the_year() -> None:
    found = calendar.season_of(2022, "winter")

    assert found is not None
    assert (found.first, found.after) == (date(2022, 12, 1), date(2023, 3, 1))


def test_there_is_no_day_beyond_the_calendar() -> None:
    assert calendar.day(date.max, 1) is None
    assert calendar.year(date.min, -1) is None
    assert calendar.day_of(2023, 2, 29) is None
    assert calendar.month_of(2023, 13) is None
