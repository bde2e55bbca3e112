"""Keywords, and what words tell."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.recall.analysis import terms
from lamina.strategies.atomrec.catalogue import Catalogue
from lamina.strategies.atomrec.words import LONGEST_KEYWORD, joined, keywords


def catalogue(*texts: str) -> Catalogue:
    found = Catalogue()
    for time, text in enumerate(texts):
        found.add(terms(text), time)
    return found


FILMS = catalogue("a heist film", "a space film", "a heist in space film", "a dog film")


def test_the_words_that_tell_most_come_first() -> None:
    assert keywords("A film of a dog, a heist and a robot.", FILMS, 9, 3) == (
        "robot", "dog", "heist",
    )  # fmt: skip


def test_what_is_said_often_weighs_more() -> None:
    assert keywords("robot dogs dog", FILMS, 9, 1) == ("dogs",)


def test_what_most_descriptions_have_and_numbers_are_none() -> None:
    assert keywords("film films 1995 2nd", FILMS, 9, 5) == ()


def test_only_what_was_known_by_then_counts() -> None:
    assert FILMS.size(by=1) == 2
    assert FILMS.weight("heist", by=0) < FILMS.weight("heist", by=1)
    assert FILMS.weight("dog", by=2) > FILMS.weight("dog", by=3)


def test_descriptions_may_come_out_of_order() -> None:
    late = Catalogue()
    late.add(["dog"], 5)
    late.add(["dog"], 2)

    assert [late.size(by) for by in (1, 2, 4, 5)] == [0, 1, 1, 2]


def test_chinese_words_stay_chinese() -> None:
    found = keywords("流浪地球讲述太空", Catalogue(), 0, 8)

    assert "地球" in found
    assert all(len(word) >= 2 for word in found)


def test_without_a_catalogue_words_count_as_they_come() -> None:
    assert keywords("Red dogs bark", Catalogue(), 0, 2) == ("red", "dogs")


def test_words_are_joined_once_whatever_their_case() -> None:
    assert joined(("Noir", " "), ("noir", "Crime", "War"), most=2) == ("Noir", "Crime")


@given(st.text(max_size=300), st.integers(0, 6))
def test_any_text_has_bounded_keywords(text: str, most: int) -> None:
    found = keywords(text, FILMS, 9, most)

    assert len(found) == len(set(found)) <= most
    assert all(0 < len(word) <= LONGEST_KEYWORD for word in found)


@pytest.mark.parametrize("text", ["a" * 100_000, "中" * 100_000, "é-" * 50_000])
def test_a_long_text_is_no_trouble(text: str) -> None:
    assert len(keywords(text, FILMS, 9, 8)) <= 8
