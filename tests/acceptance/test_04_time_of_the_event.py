"""Behaviour 4: things happened when they happened, not when they were stored or told."""

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest

import lamina
from lamina.errors import BadInput, NaiveDatetime


def told(memory: lamina.Memory, text: str, timestamp: str) -> lamina.Note:
    """Add one message, form memory, and return the fact that came of it."""
    user = memory.user("ann")
    user.add(text, timestamp=timestamp, wait=True)
    [fact] = user.list(kind="fact")
    return fact


@pytest.mark.parametrize(
    ("text", "timestamp", "day"),
    [
        ("Yesterday I went to a pottery class.", "2023-05-08T13:56:00Z", date(2023, 5, 7)),
        ("我昨天去上了陶艺课。", "2023-05-08T13:56:00+08:00", date(2023, 5, 7)),
        ("Three days ago I quit my job.", "2024-03-01T09:00:00Z", date(2024, 2, 27)),
        # Half past midnight in Shanghai is still the 7th in London: the speaker's day counts.
        ("Yesterday I went to a pottery class.", "2023-05-08T00:30:00+08:00", date(2023, 5, 7)),
    ],
)
def test_a_relative_day_is_resolved_against_the_message(
    memory: lamina.Memory, text: str, timestamp: str, day: date
) -> None:
    fact = told(memory, text, timestamp)
    [message] = memory.user("ann").messages()

    assert fact.valid_at is not None
    assert fact.valid_at.astimezone(message.said_at.tzinfo).date() == day


def test_a_plan_holds_in_the_future(memory: lamina.Memory) -> None:
    fact = told(memory, "I move to Rome next month.", "2026-11-20T10:00:00Z")

    assert fact.valid_at is not None
    assert fact.valid_at.date() == date(2026, 12, 1)


def test_what_happened_on_a_day_is_found_by_that_day(memory: lamina.Memory) -> None:
    user = memory.user("ann")
    user.add("Yesterday I went to a concert downtown.", timestamp="2023-05-08T12:00:00Z")
    user.add("Yesterday I went to a concert by the sea.", timestamp="2023-09-20T12:00:00Z")
    user.add("Yesterday I went to a concert in a barn.", timestamp="2024-01-20T12:00:00Z")

    asked = "Which concert was on 19 September 2023?"
    assert user.search(asked)[0].text == "Yesterday I went to a concert by the sea."
    assert user.search("Which concert in May 2023?")[0].said_at.month == 5


def test_messages_may_arrive_out_of_order(memory: lamina.Memory) -> None:
    user = memory.user("ann")
    for day in (9, 7, 8):
        user.add(f"Practice number {day} of the choir.", timestamp=f"2024-02-0{day}T18:00:00Z")

    assert [m.said_at.day for m in user.messages()] == [7, 8, 9]
    assert [m.said_at.day for m in user.timeline("choir practice")] == [7, 8, 9]


def test_the_time_of_saying_and_of_storing_are_kept_apart(memory: lamina.Memory) -> None:
    user = memory.user("ann")
    user.add("I like rain.", timestamp="2020-01-01T00:00:00+01:00")
    [message] = user.messages()

    assert message.said_at == datetime(2019, 12, 31, 23, tzinfo=UTC)
    assert message.said_at.isoformat() == "2020-01-01T00:00:00+01:00"
    assert message.recorded_at > datetime(2026, 1, 1, tzinfo=UTC)


def test_a_time_without_a_zone_is_refused_if_a_datetime_and_utc_if_a_text(
    memory: lamina.Memory,
) -> None:
    user = memory.user("ann")
    with pytest.raises(NaiveDatetime, match="tzinfo"):
        user.add("Hello there.", timestamp=datetime(2024, 1, 1))

    user.add("Hello there.", timestamp="2024-01-01T12:00:00")
    assert user.messages()[0].said_at == datetime(2024, 1, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    "timestamp",
    [
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-12:00",
        datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=1))),
        "2016-12-31T23:59:60Z",
        b"2026-01-01",
        1_700_000_000,
    ],
    ids=str,
)
def test_a_time_that_cannot_be_told_is_refused(memory: lamina.Memory, timestamp: Any) -> None:
    user = memory.user("ann")
    with pytest.raises(BadInput, match=r"not a time|out of reach"):
        user.add("Hello there.", timestamp=timestamp)

    assert user.messages() == []


@pytest.mark.parametrize(
    "timestamp",
    [
        "0001-01-01T00:00:00Z",
        "9999-12-31T23:59:59Z",
        "1900-01-01T00:00:00-23:59:59",
        "1900-01-01T00:00:00+00:19:32",
    ],
)
def test_the_farthest_times_and_offsets_are_told_as_they_came(
    memory: lamina.Memory, timestamp: str
) -> None:
    user = memory.user("ann")
    user.add("Yesterday I sang; next year I dance.", timestamp=timestamp, wait=True)

    assert user.messages()[0].said_at == datetime.fromisoformat(timestamp)
    assert user.search("Who sang yesterday?", asked_at=timestamp)
