"""Synthesis, facets and scores without a model: only what notes say, and why."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.items import Item
from lamina.strategies.atomrec import extractive_reading as extractive
from lamina.strategies.atomrec.config import AtomRecConfig
from lamina.strategies.atomrec.stages import Candidate, Reading, Taste
from tests.strategies.atomrec import shown
from tests.strategies.atomrec.shown import card

EMPTY = Reading(instruction="", profile="", own=())


def test_a_summary_consists_of_notes_and_what_links_from_them_lead_to() -> None:
    found = extractive.synthesise(shown.reading())

    assert found.summary.splitlines() == [
        "The user rated Heat 4.0.; the same heist: The user rated Heat 4.0.",
        "The user rated Heat 4.0.",
    ]
    assert found.evidence_paths == (("a", "c"), ("b",))
    assert found.facet_hints[0] in ("Crime", "heist")


def test_a_summary_is_bounded_whatever_the_notes() -> None:
    own = tuple(card(f"n{i}", "long " * 5000) for i in range(40))

    assert len(extractive.synthesise(shown.reading(own=own)).summary) < 1200


def test_facets_are_what_most_of_the_users_liked_notes_bear_out() -> None:
    own = (
        card("a", tags=("Crime",), keywords=()),
        card("b", tags=("Crime",), keywords=(), day=20),
        card("c", tags=("Crime", "War"), keywords=(), day=40),
        card("d", tags=("Musical",), keywords=(), rating=1.0),
    )
    first, second = extractive.taste(shown.reading(own=own), None).facets

    assert (first.facet, first.supporting_notes, first.lasting) == ("Crime", ("a", "b", "c"), True)
    assert first.confidence == pytest.approx(1 - 0.7**3)
    assert (second.facet, second.lasting) == ("War", False)


def test_a_side_is_disliked_whose_mean_rating_is_below_the_users() -> None:
    own = (
        card("a", tags=("Comedy",), keywords=(), rating=5.0),
        card("b", tags=("Comedy",), keywords=(), rating=1.0),
        card("c", tags=("Comedy",), keywords=(), rating=1.0),
        card("d", tags=("Crime",), keywords=(), rating=5.0),
    )
    found = {each.facet: each for each in extractive.leanings(own, AtomRecConfig())}

    assert (found["Crime"].leaning, found["Comedy"].leaning) == ("likes", "dislikes")
    assert sorted(found["Comedy"].supporting_notes) == ["b", "c"]
    assert [each.facet for each in extractive.taste(shown.reading(own=own)).facets] == ["Crime"]


def test_words_of_one_title_and_words_that_say_nothing_are_no_sides_of_a_taste() -> None:
    taxi: dict[str, Any] = {"content": "Taxi Driver (1976) — rated 4", "tags": ()}
    own = (
        card("a", item="1", keywords=("taxi", "mrs", "很喜", "veteran"), **taxi),
        card("b", item="2", keywords=("driver", "mrs", "很喜"), **taxi),
        card("c", item="3", keywords=("driver",), **taxi),
    )

    assert {each.facet for each in extractive.leanings(own, AtomRecConfig())} == {
        "driver",
        "veteran",
    }


def test_facets_come_from_no_note_but_the_users_own() -> None:
    other = replace(card("c", side="other", tags=("Opera",)), after="a", similarity=0.4)
    found = extractive.taste(shown.reading(linked=(other,)))

    assert "Opera" not in {facet.facet for facet in found.facets}
    assert found.support_edges == (("c", "a", 0.4),)


def test_no_more_facets_are_told_than_asked_for() -> None:
    own = (card("a", tags=tuple(f"t{i}" for i in range(20))),)

    assert len(extractive.taste(shown.reading(own=own)).facets) == 7
    few = AtomRecConfig(facets=2)
    assert len(extractive.taste(shown.reading(own=own), None, few).facets) == 2


def test_nothing_known_is_nothing_told() -> None:
    assert extractive.synthesise(EMPTY).summary == ""
    assert extractive.taste(EMPTY) == Taste()
    [(_, score, why)] = extractive.score(EMPTY, None, None, [shown.candidate("x")]).scores
    assert (score, why) == (0.0, "")


def test_a_candidate_is_scored_by_what_is_wanted_and_says_why() -> None:
    reading = shown.reading(own=(card("a", tags=("Crime",), keywords=("heist",)),))
    candidates = [
        shown.candidate("plain"),
        shown.candidate("both", categories=("Crime",), memory="A heist."),
        shown.candidate("one", categories=("Crime",)),
    ]
    found = extractive.score(reading, None, extractive.taste(reading), candidates)

    assert [id_ for id_, _, _ in found.scores] == ["both", "one", "plain"]
    assert [round(score, 6) for _, score, _ in found.scores] == [1.0, 0.5, 0.0]
    assert {*found.scores[0][2].split(", ")} == {"Crime", "heist"}


def test_what_is_asked_for_counts_where_attributes_tell_it() -> None:
    item = Item(id="x", title="Inn", attributes={"area": "north", "price": "cheap"})
    reading = shown.reading(own=(), linked=(), instruction="cheap, in the north")
    candidates = [shown.candidate("y"), Candidate(item=item, memory="")]

    [(first, score, _), _] = extractive.score(reading, None, None, candidates).scores
    assert (first, score) == ("x", 1.0)


@given(st.lists(st.sampled_from(["a", "b", "c", "0", ""]), max_size=8))
def test_each_candidate_is_scored_once_in_an_order_of_its_own(ids: list[str]) -> None:
    candidates = [shown.candidate(id_) for id_ in ids]
    found = extractive.score(shown.reading(), None, None, candidates)
    again = extractive.score(shown.reading(), None, None, candidates[::-1])

    assert found == again
    assert sorted(id_ for id_, _, _ in found.scores) == sorted(set(ids))
    assert all(0.0 <= score <= 1.0 for _, score, _ in found.scores)
