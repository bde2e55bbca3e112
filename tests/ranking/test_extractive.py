from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lamina.items import Item
from lamina.ranking import weights
from lamina.ranking.extractive import score
from lamina.ranking.features import FITTED, NAMES
from lamina.ranking.shared import CONTENT
from lamina.ranking.shared import NAMES as PATTERNS
from tests.ranking.graphs import DAY, asked, catalogue, graph

ITEMS = [f"i{n}" for n in range(40)]
DONE = [
    (user, f"i{(3 * n + offset) % 40}", DAY * (n + offset))
    for offset, user in enumerate(["ann", "bo", "cy", "dee"])
    for n in range(9)
]


def ranked(ids: list[str], user: str = "ann") -> list[str]:
    return [
        ids[at] for at in score(asked(graph(DONE, ITEMS), user, ids), "catalogue").order(ids, user)
    ]


@settings(deadline=None, max_examples=30)
@given(st.permutations(ITEMS))
def test_the_order_in_which_candidates_are_given_changes_nothing(ids: list[str]) -> None:
    assert ranked(ids) == ranked(ITEMS)


@settings(deadline=None, max_examples=30)
@given(st.sets(st.sampled_from(ITEMS), min_size=1))
def test_a_few_are_in_the_order_that_they_have_among_all(some: set[str]) -> None:
    every = ranked(ITEMS)
    assert ranked(sorted(some)) == [id_ for id_ in every if id_ in some]


def test_items_of_which_nothing_is_known_are_in_another_order_for_everybody() -> None:
    unknown = ["i36", "i37", "i38", "i39"]
    orders = {tuple(ranked(unknown, f"somebody new {n}")) for n in range(12)}
    assert len(orders) > 6


def test_the_shares_add_up_to_the_score() -> None:
    found = score(asked(graph(DONE, ITEMS), "ann", ITEMS), "shortlist")
    for place in range(len(ITEMS)):
        assert sum(found.signals(place).values()) == pytest.approx(found.scores[place])


def test_what_is_asked_for_counts_more_than_all_else_so_that_scores_tell_the_order() -> None:
    items = {
        "both": Item(id="both", tags=("quiet",), attributes={"price": "cheap"}),
        "one": Item(id="one", tags=("busy",), attributes={"price": "cheap"}),
        "silent": Item(id="silent", title="quiet quiet cheap cheap"),
        "broken": Item(id="broken", tags=("quiet",), attributes={"price": "expensive"}),
    }
    known = graph([*DONE, ("ann", "silent", 1), ("bo", "broken", 2)], list(items))
    wanted = replace(asked(known, "ann", list(items)), catalogue=catalogue(known, items))
    found = score(wanted, "shortlist", instruction="cheap and quiet")
    assert [list(items)[at] for at in found.order(list(items), "ann")] == list(items)
    assert sorted(found.scores.tolist(), reverse=True) == found.scores.tolist()


@pytest.mark.parametrize("kind", ["catalogue", "shortlist", "personal"])
def test_no_habit_outweighs_what_is_asked_for(kind: weights.Kind) -> None:
    each = np.abs(weights.of(kind))
    may_speak_against = np.isin(NAMES, ["alike_last", "esteem", "asked_for", "chat"])
    assert each.sum() + each[may_speak_against].sum() < weights.FITS


def test_somebody_new_is_ranked_by_the_weights_of_the_catalogue() -> None:
    found = score(asked(graph(DONE, ITEMS), "somebody new", ITEMS), "personal")
    assert found.cold
    np.testing.assert_array_equal(found.weights, weights.of("catalogue"))


@pytest.mark.parametrize("kind", ["catalogue", "shortlist", "personal"])
def test_every_weight_is_of_a_feature(kind: weights.Kind) -> None:
    assert set(weights.WEIGHTS[kind]) <= set(FITTED)
    assert set(weights.ASKED) == set(NAMES) - set(FITTED)
    assert (weights.of(kind) >= 0)[np.array(NAMES) != "popularity"].all()


def test_without_patterns_the_weights_are_what_they_were_however_little_is_known() -> None:
    for had in (1, 2, 100):
        np.testing.assert_array_equal(weights.of("shortlist", had=had), weights.of("shortlist"))


def test_beside_patterns_those_of_whom_little_is_known_have_weights_of_their_own() -> None:
    names = (*NAMES, *PATTERNS)
    few, many = (weights.of("shortlist", had=had, names=names) for had in (1, 100))

    assert (few != many).any()
    np.testing.assert_array_equal(
        weights.of("shortlist", had=0, names=names), weights.of("catalogue", names=names)
    )


def test_alone_only_what_patterns_say_and_what_is_asked_for_has_weight() -> None:
    names = (*NAMES, *PATTERNS)
    told = dict(zip(names, weights.of("shortlist", names=names, alone=True), strict=True))

    assert {name for name, weight in told.items() if weight} == {*CONTENT, *weights.ASKED}
