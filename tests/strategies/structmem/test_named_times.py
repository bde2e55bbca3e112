from datetime import UTC, datetime

import pytest

from lamina.strategies.structmem.named_times import begins_on, named_time

NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("I moved to Rome last week.", "2026-03-02"),
        ("Yesterday I went to see Tom.", "2026-03-09"),
        ("I was born on 4 May 1990.", "1990-05-04"),
        ("I was at the beach on 4 February.", "2026-02-04"),
        ("In December I move to Rome.", "2026-12-01"),
        ("From May I work at Acme.", "2026-05-01"),
        ("Since 2019 I live in Oslo.", "2019-01-01"),
        ("Starting next Monday I work from home.", "2026-03-16"),
        ("I start my new job next Monday.", "2026-03-16"),
        ("Tom starts at Acme on 4 May.", "2026-05-04"),
        ("I'll be a manager next year.", "2027-01-01"),
        ("我十二月搬到北京", "2026-12-01"),
        ("从明年起我住在上海", "2027-01-01"),
        ("我是昨天到的", "2026-03-09"),
    ],
)
def test_it_holds_from_when_the_words_say_it_began_or_will(words: str, day: str) -> None:
    found = named_time(words, NOW)

    assert found is not None
    assert found.date().isoformat() == day


@pytest.mark.parametrize(
    "words",
    [
        "Tom's birthday is on 4 May.",
        "Tom's birthday is on 4 February.",
        "4 May is Tom's birthday.",
        "Deadline: 3 June.",
        "The deadline is the 3rd of June.",
        "The deadline moved to 3 June.",
        "The report is due on 3 June.",
        "I have an exam on 4 May.",
        "I'm flying to Rome on 4 May.",
        "My passport expires on 3 June 2026.",
        "I lived in Rome until 2019.",
        "The film lasts in all 3 hours.",
        "汤姆的生日是5月4日",
        "会议改到5月4日",
        "截止日期是6月3日",
    ],
)
def test_a_date_that_is_what_is_told_is_not_when_it_begins_to_hold(words: str) -> None:
    assert named_time(words, NOW) is None


def test_a_date_that_was_worked_out_is_judged_by_the_words_around_it() -> None:
    assert begins_on(
        "Ann moved to Oslo yesterday (2026-03-09).", NOW, datetime(2026, 3, 9, tzinfo=UTC)
    )
    assert not begins_on("Ann's exam is on 4 May.", NOW, datetime(2026, 5, 4, tzinfo=UTC))
    assert not begins_on("Ann's exam is soon.", NOW, datetime(2026, 5, 4, tzinfo=UTC))
    assert begins_on("Ann moves to Oslo soon.", NOW, datetime(2026, 5, 4, tzinfo=UTC))
