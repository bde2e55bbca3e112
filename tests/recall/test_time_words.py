from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.recall.time_words import TimeRange, asks_when, resolve

WEDNESDAY = datetime(2023, 7, 12, 13, 56, tzinfo=UTC)
DAY = timedelta(days=1)


def days(found: TimeRange) -> tuple[date, int]:
    """Return the first day in UTC and how many days the range has."""
    first = datetime.fromtimestamp(found.start / 1e6, UTC).date()
    return first, (found.end - found.start) // (DAY // timedelta(microseconds=1))


def only(text: str, *, prefer_past: bool = False) -> tuple[str, int]:
    [found] = resolve(text, WEDNESDAY, prefer_past=prefer_past)
    first, count = days(found)
    return first.isoformat(), count


@pytest.mark.parametrize(
    ("text", "first", "count"),
    [
        ("Yesterday I went to a pottery class.", "2023-07-11", 1),
        ("the day before yesterday", "2023-07-10", 1),
        ("Last night was fun!", "2023-07-11", 1),
        ("see you tomorrow", "2023-07-13", 1),
        ("tonight", "2023-07-12", 1),
        ("Three days ago I quit.", "2023-07-09", 1),
        ("a couple of days ago", "2023-07-10", 1),
        ("two weeks ago", "2023-06-26", 7),
        ("10 years ago", "2013-01-01", 365),
        ("in 3 months", "2023-10-01", 31),
        ("two weeks from now", "2023-07-24", 7),
        ("last Friday", "2023-07-07", 1),
        ("last Wednesday", "2023-07-05", 1),
        ("this Friday", "2023-07-14", 1),
        ("next Friday", "2023-07-21", 1),
        ("last week", "2023-07-03", 7),
        ("last weekend", "2023-07-08", 2),
        ("this coming weekend", "2023-07-15", 2),
        ("last month", "2023-06-01", 30),
        ("last year's trip", "2022-01-01", 365),
        ("I move to Rome next month.", "2023-08-01", 31),
        ("last March", "2023-03-01", 31),
        ("last August", "2022-08-01", 31),
        ("next May", "2024-05-01", 31),
        ("last summer", "2022-06-01", 92),
        ("last fall", "2022-09-01", 91),
        ("this winter", "2023-12-01", 91),
        ("the summer of 2022", "2022-06-01", 92),
        ("the past two weeks", "2023-06-26", 17),
        ("8 May, 2023", "2023-05-08", 1),
        ("May 8th, 2023", "2023-05-08", 1),
        ("the 4th of July", "2023-07-04", 1),
        ("Sept. 5", "2023-09-05", 1),
        ("May 2023", "2023-05-01", 31),
        ("early August, 2022", "2022-08-01", 31),
        ("Mid-July", "2023-07-01", 31),
        ("In May", "2023-05-01", 31),
        ("back in march", "2023-03-01", 31),
        ("since 2016", "2016-01-01", 366),
        ("2023-05-08", "2023-05-08", 1),
        ("the week before 8 May 2023", "2023-05-01", 7),
        ("the weekend before 15 July 2023", "2023-07-08", 2),
        ("the weekend after July 13", "2023-07-15", 2),
        ("the Sunday before 25 May 2023", "2023-05-21", 1),
        ("two days after 5 June 2023", "2023-06-07", 1),
        ("the week before last", "2023-06-26", 7),
        ("the day after yesterday", "2023-07-12", 1),
    ],
)
def test_english_phrases(text: str, first: str, count: int) -> None:
    assert only(text) == (first, count)


@pytest.mark.parametrize(
    ("text", "first", "count"),
    [
        ("我昨天去上了陶艺课。", "2023-07-11", 1),
        ("大前天", "2023-07-09", 1),
        ("前天晚上", "2023-07-10", 1),
        ("明天见", "2023-07-13", 1),
        ("后天", "2023-07-14", 1),
        ("三天前", "2023-07-09", 1),
        ("十二天前", "2023-06-30", 1),
        ("两周前", "2023-06-26", 7),
        ("两个月后", "2023-09-01", 30),
        ("十年前", "2013-01-01", 365),
        ("我上个月搬到了杭州", "2023-06-01", 30),
        ("上周末", "2023-07-08", 2),
        ("上星期五", "2023-07-07", 1),
        ("下周三", "2023-07-19", 1),
        ("这个月", "2023-07-01", 31),
        ("去年三月", "2022-03-01", 31),
        ("去年", "2022-01-01", 365),
        ("明年春天", "2024-03-01", 92),
        ("今年8月5日", "2023-08-05", 1),
        ("2023年5月8日", "2023-05-08", 1),
        ("2019年", "2019-01-01", 365),
        ("五月八号", "2023-05-08", 1),
        ("十二月二十五日", "2023-12-25", 1),
        ("下个月五号", "2023-08-05", 1),
        ("昨日は", "2023-07-11", 1),
        ("先週", "2023-07-03", 7),
        ("来月", "2023-08-01", 31),
    ],
)
def test_chinese_and_some_japanese_phrases(text: str, first: str, count: int) -> None:
    assert only(text) == (first, count)


@pytest.mark.parametrize(
    ("text", "first", "count"),
    [
        ("Avant-hier, il pleuvait.", "2023-07-10", 1),
        ("la semaine dernière", "2023-07-03", 7),
        ("il y a trois jours", "2023-07-09", 1),
        ("le 8 mai 2023", "2023-05-08", 1),
        ("en mars 2022", "2022-03-01", 31),
        ("ayer", "2023-07-11", 1),
        ("hace dos semanas", "2023-06-26", 7),
        ("el mes pasado", "2023-06-01", 30),
        ("el 8 de mayo de 2023", "2023-05-08", 1),
        ("Gestern war es heiß.", "2023-07-11", 1),
        ("vor zwei Wochen", "2023-06-26", 7),
        ("nächste Woche", "2023-07-17", 7),
        ("am 8. Mai 2023", "2023-05-08", 1),
    ],
)
def test_plain_phrases_in_french_spanish_and_german(text: str, first: str, count: int) -> None:
    assert only(text) == (first, count)


@pytest.mark.parametrize(
    "text",
    [
        "May I go? I may, and she may 2.",
        "They march 5 miles; we march on.",
        "June said hello to April and August.",
        "I fall in the spring and sat in the sun.",
        "Wait a second, on the second floor.",
        "This one, the last one, the next one.",
        "On Friday.",
        "It costs 2023.50 for 10:30.",
        "Hier wohne ich.",
        "no later than that, before and after",
        "五月天乐队",
        "一个月亮",
        "在这里上山下海",
        "",
    ],
)
def test_words_that_may_mean_something_else_name_no_time(text: str) -> None:
    assert resolve(text, WEDNESDAY) == []


def test_times_come_in_the_order_of_the_text_with_their_phrase() -> None:
    found = resolve("In May 2022 we met; last week we married.", WEDNESDAY)

    assert [r.phrase for r in found] == ["May 2022", "last week"]
    assert [r.grain for r in found] == ["month", "week"]


def test_days_begin_at_midnight_of_the_speaker() -> None:
    shanghai = timezone(timedelta(hours=8))
    [found] = resolve("yesterday", datetime(2023, 5, 8, 0, 30, tzinfo=shanghai))

    assert found.start == datetime(2023, 5, 7, tzinfo=shanghai).timestamp() * 1e6
    assert found.end == datetime(2023, 5, 8, tzinfo=shanghai).timestamp() * 1e6


@pytest.mark.parametrize(
    ("text", "told", "asked"),
    [
        ("in December", "2023-12-01", "2022-12-01"),
        ("in March", "2023-03-01", "2023-03-01"),
        ("on 8 October", "2023-10-08", "2022-10-08"),
        ("十月八日", "2023-10-08", "2022-10-08"),
    ],
)
def test_a_question_about_a_month_means_the_latest(text: str, told: str, asked: str) -> None:
    assert only(text)[0] == told
    assert only(text, prefer_past=True)[0] == asked


@pytest.mark.parametrize(
    ("query", "asks"),
    [
        ("When did Ann move?", True),
        ("What year did she start?", True),
        ("How long ago was it?", True),
        ("他什么时候搬家？", True),
        ("Quand part-elle ?", True),
        ("Where does Ann live?", False),
        ("Whenever it rains", False),
    ],
)
def test_a_question_for_a_time_is_recognised(query: str, asks: bool) -> None:
    assert asks_when(query) == asks


@pytest.mark.parametrize("year", [1, 9999])
def test_the_calendar_ends(year: int) -> None:
    edge = datetime(year, 1 if year == 1 else 12, 1 if year == 1 else 31, tzinfo=UTC)

    assert isinstance(
        resolve("999 years ago, last year, yesterday, tomorrow, in 9 years", edge), list
    )


WORDS = (
    "last next this week may May 8 30 2023 , of in before after ago two day 上 个 月 三 日 年 前"
)
PIECES = st.sampled_from(WORDS.split())


@given(st.lists(PIECES, max_size=12), st.sampled_from(["", " "]))
def test_ranges_are_never_empty_and_never_overlap_in_the_text(pieces: list[str], glue: str) -> None:
    text = glue.join(pieces)
    found = resolve(text, WEDNESDAY)

    assert all(r.start < r.end and r.phrase in text for r in found)
    assert sum(len(r.phrase) for r in found) <= len(text)


@given(st.text(st.characters(codec=None)))
def test_any_text_can_be_asked(text: str) -> None:
    assert isinstance(resolve(text, WEDNESDAY), list)


@pytest.mark.parametrize("piece", ["last week ", "1 ", "may ", "in ", "上", "一", " ", "3月"])
def test_a_hundred_thousand_of_anything_are_read(piece: str) -> None:
    assert isinstance(resolve(piece * (100_000 // len(piece)), WEDNESDAY), list)
