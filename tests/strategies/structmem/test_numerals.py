import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.strategies.structmem.numerals import numbers


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("no number", set()),
        ("3 cats", {3}),
        ("two hundred and six", {206}),
        ("twenty five", {25}),
        ("one two three", {1, 2, 3}),
        ("at 10:30", {10, 30}),
        ("5.5 or 5,5", {5.5}),
        ("1,234,567.5", {1234567.5}),
        ("a dozen", {12}),
        ("版本 1.2.3", {1, 2, 3}),
        ("三", {3}),
        ("二〇二四年", {2024}),
        ("一百零五", {105}),
        ("两万三千", {23000}),
        ("十五", {15}),
        ("１２個", {12}),
        ("१२", {12}),
    ],
)
def test_numbers_are_read_however_they_are_written(text: str, values: set[float]) -> None:
    assert numbers(text) == values


@given(st.text())
def test_any_text_has_numbers_or_none(text: str) -> None:
    assert all(isinstance(number, float) for number in numbers(text))


def test_a_row_of_large_words_has_a_value() -> None:
    assert numbers("one" + " million" * 500) == {1e15}
    assert len(numbers("9" * 5000 + " " + "亿" * 500)) == 2
