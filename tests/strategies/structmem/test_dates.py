from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.strategies.structmem.dates import PartialDate, overlaps, starts, take_dates


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2023-05-07", PartialDate(year=2023, month=5, day=7)),
        ("2023-05", PartialDate(year=2023, month=5)),
        ("since 2016", PartialDate(year=2016)),
        ("7 May 2023", PartialDate(year=2023, month=5, day=7)),
        ("the 6th of April", PartialDate(month=4, day=6)),
        ("Sept 3rd, 2022", PartialDate(year=2022, month=9, day=3)),
        ("June 2023", PartialDate(year=2023, month=6)),
        ("2023年5月7日", PartialDate(year=2023, month=5, day=7)),
        ("5月7号", PartialDate(month=5, day=7)),
    ],
)
def test_dates_are_read_in_several_forms(text: str, date: PartialDate) -> None:
    assert take_dates(text)[0] == [date]


@pytest.mark.parametrize("text", ["I may go", "2,016 cats", "20230507", "10:30", "1.2024.3"])
def test_what_is_no_date_is_left_alone(text: str) -> None:
    assert take_dates(text) == ([], text)


@pytest.mark.parametrize("text", ["", "soon", "2023-02-30", "2023-13", "May", "2023 and 2024"])
def test_what_is_not_one_date_starts_at_no_time(text: str) -> None:
    assert starts(text, UTC) is None


def test_a_month_overlaps_the_weeks_that_reach_into_it() -> None:
    begins, ends = datetime(2023, 4, 28, tzinfo=UTC), datetime(2023, 5, 1, tzinfo=UTC)

    assert overlaps(PartialDate(year=2023, month=4), begins, ends)
    assert not overlaps(PartialDate(year=2023, month=5), begins, ends)
    assert not overlaps(PartialDate(month=2, day=30), begins, ends)


@given(st.text(alphabet="0123456789-年月日 May,.", max_size=40))
def test_nothing_that_looks_like_a_date_is_a_crash(text: str) -> None:
    take_dates(text)
    starts(text, UTC)
