"""Windows and patterns without a model: categories, order, ratings and actions, never titles."""

from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lamina.ports import Encoder
from lamina.strategies.amem4rec.config import PAPER, TAUS, AMEM4RecConfig
from lamina.strategies.amem4rec.extractive import Extractive, agree, evolved
from lamina.strategies.amem4rec.stages import MOST_KEYWORDS, Abstraction, Linked, Seen
from tests.strategies.amem4rec.shown_windows import candidate, judging, said, seen, window

KINDS = ("Comedy", "Crime", "Drama", "Horror", "Science and Magic", "科幻", "悬疑")
categories = st.lists(st.sampled_from(KINDS), max_size=4).map("|".join)
interactions = st.lists(
    st.builds(
        seen,
        categories,
        st.none() | st.floats(0.5, 5.0),
        title=st.sampled_from(("", "Heat", "Zürn")),
        action=st.sampled_from(("rate", "buy")),
    ),
    min_size=2,
    max_size=6,
)


def told(*each: Seen) -> Abstraction:
    [found] = Extractive().abstract([window(*each)])
    assert isinstance(found, Abstraction)
    return found


@pytest.mark.parametrize(
    ("steps", "description"),
    [
        (("Crime|Drama", "Crime|Drama", "Drama|Crime"), "Repeats Crime and Drama."),
        (("Crime", "Crime|War", "Crime|Drama"), "Broadens from Crime."),
        (("Crime|Drama", "Crime|War", "Crime"), "Narrows to Crime."),
        (("Crime|Drama", "Crime|War", "Crime|Horror"), "Stays with Crime."),
        (("Crime", "Comedy", "Crime"), "Alternates Crime and Comedy."),
        (("Crime", "Crime", "Comedy"), "Moves from Crime to Comedy."),
        (("Comedy", "Crime", "Crime"), "Moves from Comedy to Crime."),
        (("Comedy", "Crime", "War"), "Moves from Comedy to War."),
        (("科幻|悬疑", "科幻", "家庭"), "由科幻转到家庭。"),
        (("科幻", "科幻", "科幻"), "重复科幻。"),
    ],
)
def test_the_order_of_categories_is_told(steps: Sequence[str], description: str) -> None:
    assert told(*map(seen, steps)).description == description


@pytest.mark.parametrize(
    ("ratings", "explanation"),
    [
        ((4.0, 3.5, 4.0), "Likes Crime."),
        ((1.0, 2.0, 2.5), "Dislikes Crime."),
        ((3.0, 3.0, 3.0), "Goes for Crime."),
        ((None, None, None), "Goes for Crime."),
        ((8.0, 7.0, 9.0), "Likes Crime."),
        ((6.0, 4.0, 4.0), "Dislikes Crime."),
        ((80.0, 90.0, None), "Likes Crime."),
    ],
)
def test_ratings_say_what_is_liked(ratings: Sequence[float | None], explanation: str) -> None:
    assert told(*(seen("Crime", rating) for rating in ratings)).explanation == explanation


def test_the_ratings_of_what_is_kept_to_count_and_not_those_of_an_exception() -> None:
    found = told(seen("Crime", 5.0), seen("Comedy", 0.5), seen("Crime", 4.5))

    assert found.explanation == "Likes Crime."


@pytest.mark.parametrize(
    ("first", "last", "drift"),
    [(2.0, 4.5, "; warmer in the end."), (4.5, 2.0, "; cooler in the end."), (3.0, 4.0, ".")],
)
def test_ratings_that_rise_or_fall_are_told(first: float, last: float, drift: str) -> None:
    found = told(seen("Crime", first), seen("Crime", 3.0), seen("Crime", last))

    assert found.description == f"Repeats Crime{drift}"


def test_actions_are_told_where_they_change() -> None:
    viewed, bought = seen("Tea", action="view"), seen("Tea", action="buy")

    assert told(viewed, viewed, bought).description == "Repeats Tea; view, then buy."
    assert told(bought, bought, bought).description == "Repeats Tea."


@pytest.mark.parametrize("few", [(seen("Crime"), seen(), seen()), (seen(), seen())])
def test_where_fewer_than_two_have_categories_nothing_is_said(few: Sequence[Seen]) -> None:
    assert Extractive().abstract([window(*few)]) == [None]


def test_somebody_who_did_one_thing_is_served_by_it() -> None:
    assert (
        told(seen("Crime|Drama", 5.0)).shown
        == "Likes Crime and Drama.\nStays with Crime and Drama."
    )


def test_the_same_behaviour_reads_the_same_whatever_the_things_and_the_order_of_categories() -> (
    None
):
    texts = {
        told(*(seen("|".join(names), 4.0, title=f"Film {n}") for n in range(3))).shown
        for names in permutations(("Crime", "Drama", "War"))
    }

    assert texts == {"Likes Crime, Drama and War.\nRepeats Crime and Drama."}


def test_keywords_are_the_categories_strongest_first() -> None:
    found = told(seen("War|Crime"), seen("Crime|Drama"), seen("crime|Drama|Art"))

    assert found.keywords == ("Crime", "Drama", "Art", "War")


@given(interactions)
def test_it_says_nothing_but_categories_and_its_own_words(each: list[Seen]) -> None:
    [found] = Extractive().abstract([window(*each)])
    plain = [
        Seen(title="", categories=e.categories, action=e.action, rating=e.rating) for e in each
    ]

    assert [found] == Extractive().abstract([window(*plain)])
    if isinstance(found, Abstraction):
        assert "Heat" not in found.shown
        assert 1 <= len(found.keywords) <= MOST_KEYWORDS
        assert len(found.shown) < 200
        assert agree(found, found) or "variety" in found.shown


@pytest.mark.parametrize(
    ("one", "other", "agrees"),
    [
        (("Likes Crime.", "Repeats Crime.", "Crime"), ("Likes Crime.", "Stays.", "Crime"), True),
        (("Likes Crime.", "R.", "Crime", "War"), ("Likes War.", "R.", "War", "Crime"), True),
        (("Likes Crime.", "R.", "Crime", "War"), ("Likes Tea.", "R.", "Tea", "War"), False),
        (("Likes Crime.", "R.", "Crime"), ("Dislikes Crime.", "R.", "Crime"), False),
        (("Likes Crime.", "R.", "Crime"), ("Goes for Crime.", "R.", "crime"), True),
        (("喜欢科幻。", "R。", "科幻"), ("不喜欢科幻。", "R。", "科幻"), False),
        (
            ("Likes A.", "Moves from A to B.", "A", "B"),
            ("Likes A.", "Moves from B to A.", "A", "B"),
            False,
        ),
        (("Likes crime.", "R."), ("Likes crime.", "R."), False),
    ],
)
def test_two_agree_by_their_profiles_and_not_against_each_other(
    one: tuple[str, ...], other: tuple[str, ...], agrees: bool
) -> None:
    assert agree(said(*one), said(*other)) is agrees
    assert agree(said(*other), said(*one)) is agrees


def test_what_agrees_is_linked_and_keeps_to_what_both_keep_to() -> None:
    new = said("Likes Crime and Drama.", "Moves from War to Crime.", "Crime", "Drama", "War")
    old = said("Likes Crime and War.", "Stays with Crime.", "Crime", "War", "Drama")
    other = said("Likes Comedy.", "Stays with Comedy.", "Comedy")
    asked = judging(new, candidate("p1", old), candidate("p2", other))

    [linked] = Extractive().judge(asked)
    assert linked == Linked(
        id="p1",
        reason="both Crime, War and Drama",
        merged=said("Likes Crime.", "Stays with Crime.", "Crime", "War", "Drama"),
    )


def test_settled_words_stay_and_are_linked_all_the_same() -> None:
    told = said("Likes Crime.", "Stays with Crime.", "Crime")
    [linked] = Extractive().judge(judging(told, candidate("p1", told, weight=0.0)))

    assert linked.merged is None


def test_what_says_nothing_new_changes_no_words() -> None:
    told = said("Likes Crime.", "Stays with Crime.", "Crime")
    [linked] = Extractive().judge(judging(told, candidate("p1", told)))

    assert linked.merged is None


def test_without_the_gate_of_meaning_all_are_linked() -> None:
    new = said("Likes Crime.", "Stays with Crime.", "Crime")
    other = said("Likes Comedy.", "Stays with Comedy.", "Comedy")
    asked = judging(new, candidate("p1", other), candidate("p2", new))

    open_ = Extractive(AMEM4RecConfig(semantic_gate=False)).judge(asked)
    assert [each.id for each in open_] == ["p1", "p2"]
    assert [each.id for each in Extractive().judge(asked)] == ["p2"]


@settings(max_examples=40)
@given(st.lists(interactions, min_size=2, max_size=6), st.floats(0.01, 1.0))
def test_however_much_is_merged_texts_come_to_rest_and_never_grow(
    many: list[list[Seen]], weight: float
) -> None:
    said_by = Extractive().abstract([window(*each) for each in many])
    parts = [each for each in said_by if isinstance(each, Abstraction)]
    if not parts:
        return
    pattern, explained = parts[0], {parts[0].explanation}
    for part in parts * 2:
        merged = evolved(pattern, part, weight)
        assert merged.description == pattern.description
        assert len(merged.keywords) <= MOST_KEYWORDS
        explained.add(merged.explanation)
        pattern = merged
    assert len(explained) <= 1 + 3 + 1
    assert evolved(pattern, parts[-1], weight).explanation == pattern.explanation


def test_what_a_model_said_is_merged_by_sentences() -> None:
    old = said("Crime films, mostly grim.", "Stays with them.", "Crime")
    new = said("Likes Crime.", "Repeats Crime.", "Crime")

    assert evolved(old, new, 0.2).shown == old.shown


def test_the_thresholds_of_the_packaged_encoder_are_known(encoder: Encoder) -> None:
    assert AMEM4RecConfig().taus(encoder.space.id) == TAUS[encoder.space.id]


def test_what_a_model_writes_goes_by_the_papers_thresholds(encoder: Encoder) -> None:
    assert AMEM4RecConfig().taus(encoder.space.id, written=True) == PAPER
