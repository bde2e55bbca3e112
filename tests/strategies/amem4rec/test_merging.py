"""What becomes of a pattern's words when another part is taken in."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lamina.strategies.amem4rec.config import AMEM4RecConfig
from lamina.strategies.amem4rec.merging import merge, weight
from lamina.strategies.amem4rec.stages import Abstraction
from tests.strategies.amem4rec.made_patterns import said

SENTENCES = st.lists(
    st.sampled_from(
        ["Likes crime.", "Moves to drama.", "Stays.", "喜欢剧情。", "Up 2.5 in the end!"]
    ),
    max_size=3,
)
TEXTS = SENTENCES.map(" ".join)
WORDS = st.lists(st.sampled_from(["Crime", "crime", "Drama", "War", "剧情"]), max_size=4)
SAID = st.builds(
    Abstraction, explanation=TEXTS, description=TEXTS, keywords=WORDS.map(lambda w: tuple(w))
)


@pytest.mark.parametrize(
    ("count", "expected"),
    [(0, 1.0), (1, 0.92), (5, 0.6), (9, 0.28), (10, 0.0), (80, 0.0)],
)
def test_a_new_text_weighs_less_the_more_a_pattern_evolved(count: int, expected: float) -> None:
    assert weight(count, AMEM4RecConfig()) == pytest.approx(expected)


def test_a_new_text_keeps_its_least_weight_until_the_words_are_settled() -> None:
    config = AMEM4RecConfig(rewrites=30)

    assert weight(10, config) == weight(29, config) == pytest.approx(0.2)
    assert weight(30, config) == 0.0
    assert weight(0, AMEM4RecConfig(rewrites=0)) == 0.0


def test_what_both_say_comes_first() -> None:
    old = said("Likes war. Likes crime.", "Stays.", keywords=("War", "Crime", "Epic"))
    new = said("Likes crime. Likes love.", "Moves.", keywords=("Crime", "Love", "war"))

    merged = merge(old, new, 1.0)

    assert merged.explanation == "Likes crime. Likes war."
    assert merged.description == "Stays. Moves."
    assert merged.keywords == ("War", "Crime", "Epic", "Love")


def test_a_new_text_that_weighs_little_adds_nothing_but_its_support() -> None:
    old, new = said("Likes war.", "Stays."), said("Likes love.", "Stays.")

    assert merge(old, new, 0.4) == old
    assert merge(old, new, 0.6).explanation == "Likes war. Likes love."


def test_sentences_of_chinese_stand_side_by_side() -> None:
    merged = merge(said("喜欢剧情。"), said("喜欢犯罪。"), 1.0)

    assert merged.explanation == "喜欢剧情。喜欢犯罪。"


def test_a_number_is_not_the_end_of_a_sentence() -> None:
    assert merge(said("Rates 3.5 of 5."), said("Rates 3.5 of 5."), 1.0) == said("Rates 3.5 of 5.")


@settings(deadline=None)
@given(SAID, SAID, st.sampled_from([0.0, 0.2, 0.5, 1.0]))
def test_nothing_is_made_up(old: Abstraction, new: Abstraction, much: float) -> None:
    merged = merge(old, new, much)

    for told, ours, theirs in (
        (merged.explanation, old.explanation, new.explanation),
        (merged.description, old.description, new.description),
    ):
        rest = told
        for sentence in ("Likes crime.", "Moves to drama.", "Stays.", "Up 2.5 in the end!"):
            if sentence in rest:
                assert sentence in ours + theirs
                rest = rest.replace(sentence, "")
        assert rest.replace("喜欢剧情。", "").strip() == ""
    assert set(merged.keywords) <= {*old.keywords, *new.keywords}


@settings(deadline=None)
@given(SAID, SAID, st.sampled_from([0.2, 0.5, 1.0]))
def test_merging_the_same_again_changes_nothing(
    old: Abstraction, new: Abstraction, much: float
) -> None:
    merged = merge(old, new, much)
    again = merge(merged, new, much)

    assert set(merge(again, new, much).keywords) == set(again.keywords)
    assert merge(again, new, much).shown == again.shown


@settings(deadline=None)
@given(SAID, SAID)
def test_settled_words_stay(old: Abstraction, new: Abstraction) -> None:
    assert merge(old, new, 0.0) is old
