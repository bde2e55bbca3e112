from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from lamina.recall.near_duplicates import distinct, same
from tests.recall.shelf import bag

MONDAY = datetime(2023, 5, 8, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("Ann likes plum cake.", "Ann really likes plum cake!", True),
        ("I like rain.", "I like rain", True),
        ("Ann likes plum cake.", "Bea likes plum cake.", False),
        ("Ann likes plum cake.", "Ann and Bea like plum cake.", False),
        ("It costs 3 euros.", "It costs 4 euros.", False),
        ("I like rain.", "I do not like rain.", False),
        ("I like rain.", "I don't like rain.", False),
        ("I like red wine.", "I like white wine.", False),
        ("我喜欢下雨。", "我喜欢下雨", True),
        ("我喜欢下雨。", "我不喜欢下雨。", False),
        ("小明喜欢下雨。", "小红喜欢下雨。", False),
    ],
)
def test_what_differs_in_a_number_a_name_or_a_no_is_not_the_same(
    one: str, other: str, alike: bool
) -> None:
    assert same(one, other) == alike
    assert same(other, one) == alike


def kept(texts: list[str], limit: int = 10, days: int = 0) -> list[int]:
    said_at = [MONDAY + i * timedelta(days=days) for i in range(len(texts))]
    return distinct(texts, said_at, np.array([bag(text) for text in texts]), limit)


def test_the_first_of_near_duplicates_stays() -> None:
    assert kept(["I like rain.", "I like rain!", "I like snow."]) == [0, 2]


def test_looking_stops_at_the_limit() -> None:
    assert kept(["Plums.", "Pears.", "Figs."], limit=2) == [0, 1]


def test_twenty_that_differ_in_a_name_are_twenty() -> None:
    assert len(kept([f"{chr(65 + i)}va likes plum cake." for i in range(20)], limit=20)) == 20


def test_what_happened_again_on_another_day_is_told_again() -> None:
    assert kept(["Today I ran.", "Today I ran."], days=1) == [0, 1]
    assert kept(["Today I ran.", "Today I ran."]) == [0]
    assert kept(["I like rain.", "I like rain."], days=1) == [0]


def test_texts_whose_vectors_are_far_apart_are_not_compared() -> None:
    vectors = np.eye(2, dtype=np.float32)

    assert distinct(["Plums.", "Plums."], [MONDAY, MONDAY], vectors, 5) == [0, 1]
