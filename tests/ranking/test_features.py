from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lamina.items import Item
from lamina.ports import NEVER
from lamina.ranking.features import NAMES, SAYS, Asked, features
from tests.ranking.graphs import DAY, Act, asked, catalogue, column, found, graph

ITEMS = [f"i{n}" for n in range(6)]
act = st.tuples(
    st.sampled_from(["ann", "bo", "cy", "0"]), st.sampled_from(ITEMS), st.integers(0, 40)
)
acts = st.lists(act, max_size=25)


def test_every_feature_is_declared_with_what_it_is() -> None:
    assert tuple(SAYS) == NAMES
    assert all(says.endswith(".") for says in SAYS.values())


@settings(deadline=None, max_examples=60)
@given(before=acts, later=acts)
def test_nothing_done_at_the_moment_or_later_by_anybody_changes_a_score(
    before: list[Act], later: list[Act]
) -> None:
    t = 50
    whole = [*before, *((user, item, at + t) for user, item, at in later)]
    users = ["ann", "bo", "cy", "0"]
    stopped = found(graph(before, ITEMS, users=users), "ann", ITEMS, NEVER)
    looked_back = found(graph(whole, ITEMS, users=users), "ann", ITEMS, t)
    # Somebody new is ranked as of the moment itself, and "now" is then that of the last act.
    if not looked_back.cold:
        np.testing.assert_allclose(looked_back.values, stopped.values, atol=1e-12)
    assert looked_back.cold == stopped.cold


@settings(deadline=None, max_examples=40)
@given(before=acts, t=st.integers(0, 45))
def test_a_moment_sees_what_a_store_that_stopped_then_sees(before: list[Act], t: int) -> None:
    users = ["ann", "bo", "cy", "0"]
    earlier = [each for each in before if each[2] < t]
    np.testing.assert_allclose(
        found(graph(before, ITEMS, users=users), "ann", ITEMS, t).values,
        found(graph(earlier, ITEMS, users=users), "ann", ITEMS, t).values,
        atol=1e-12,
    )


@settings(deadline=None, max_examples=40)
@given(before=acts, order=st.permutations(ITEMS))
def test_a_candidate_scores_alike_whatever_stands_beside_it(
    before: list[Act], order: list[str]
) -> None:
    known = graph(before, ITEMS)
    together = found(known, "ann", ITEMS).values
    apart = [found(known, "ann", [id_]).values[0] for id_ in order]
    np.testing.assert_allclose([together[ITEMS.index(id_)] for id_ in order], apart, atol=1e-6)


@settings(deadline=None, max_examples=40)
@given(before=acts)
def test_all_numbers_are_finite_and_within_one(before: list[Act]) -> None:
    values = found(graph(before, ITEMS), "ann", ITEMS).values
    assert np.isfinite(values).all()
    assert np.abs(values).max() <= 1 + 1e-6


def test_what_was_withdrawn_counts_until_it_went() -> None:
    known = graph([("ann", "i0", 1), ("bo", "i0", 2), ("bo", "i1", 3)], ITEMS, gone={2: 10})
    assert column(found(known, "ann", ["i1"], 10), "together") == [1.0]
    assert column(found(known, "ann", ["i1"], 11), "together") == [0.0]
    assert column(found(known, "ann", ["i1"], NEVER), "together") == [0.0]


def test_what_others_did_with_the_same_items_counts_and_what_the_user_did_does_not() -> None:
    known = graph([("ann", "i0", 1), ("ann", "i2", 2), ("bo", "i0", 3), ("bo", "i1", 4)], ITEMS)
    assert column(found(known, "ann", ["i0", "i1", "i2"]), "together")[1] == 1.0
    assert column(found(known, "ann", ["i2"]), "together") == [0.0]


def test_what_followed_is_told_from_what_came_before() -> None:
    known = graph([("bo", "i1", 1), ("bo", "i0", 2), ("bo", "i2", 3), ("ann", "i0", 4)], ITEMS)
    told = found(known, "ann", ["i1", "i2"])
    assert column(told, "following") == [0.0, 1.0]
    assert column(told, "near") == [1.0, 1.0]


def test_doing_the_same_again_makes_no_item_more_popular() -> None:
    known = graph(
        [("bo", "i0", at) for at in range(9)] + [("cy", "i1", 3), ("bo", "i1", 99)], ITEMS
    )
    first, second = column(found(known, "ann", ["i0", "i1"]), "popularity")
    assert first < second


def test_what_was_chosen_about_when_the_user_was_here_is_in_season() -> None:
    known = graph(
        [("ann", "i0", 1000 * DAY), ("bo", "i1", 1001 * DAY), ("bo", "i2", 9 * DAY)], ITEMS
    )
    near, far = column(found(known, "ann", ["i1", "i2"]), "season")
    assert near == 1.0
    assert far == 0.0


def test_links_lead_to_items_and_only_those_known_by_then() -> None:
    known = graph(
        [("ann", "i0", 1), ("bo", "i1", 2), ("cy", "i2", 3)],
        ITEMS,
        links=[(1, 0), (2, 1)],
        links_known_from=5,
    )
    one, two = column(found(known, "ann", ["i1", "i2"]), "linked")
    assert one == 1.0
    assert 0 < two < one
    assert column(found(known, "ann", ["i1"], 5), "linked") == [0.0]
    assert column(found(known, "ann", ["i1"], 6), "linked") == [1.0]


@pytest.mark.parametrize(("hops", "reached"), [(0, 0), (1, 1), (2, 2), (3, 3)])
def test_links_are_followed_as_far_as_is_wanted(hops: int, reached: int) -> None:
    acts = [(user, f"i{n}", n + 1) for n, user in enumerate(("ann", "bo", "cy", "di"))]
    known = graph(acts, ITEMS, links=[(1, 0), (2, 1), (3, 2)])

    wanted = replace(asked(known, "ann", ["i1", "i2", "i3"]), hops=hops)

    assert [value > 0 for value in column(features(wanted), "linked")] == [
        n < reached for n in range(3)
    ]


def test_items_of_the_same_kind_and_close_in_number_are_preferred() -> None:
    known = graph([("ann", "a", 1)], ["a", "b", "c"])
    items = {
        "a": Item(id="a", title="Heat", categories=("Crime",), attributes={"year": 1995}),
        "b": Item(id="b", title="Casino", categories=("Crime",), attributes={"year": 1996}),
        "c": Item(id="c", title="Alien", categories=("Horror",), attributes={"year": 1979}),
    }
    told = features(
        Asked(
            graph=known,
            catalogue=catalogue(known, items),
            user="ann",
            t=NEVER,
            candidates=np.array([1, 2]),
        )
    )
    for name in ("kinds", "numbers", "words_last"):
        alike, other = column(told, name)
        assert alike > other


def test_well_rated_items_are_esteemed() -> None:
    known = graph([("bo", "i0", 1), ("bo", "i1", 2)], ITEMS, ratings={0: 5.0, 1: 1.0})
    good, bad, unrated = column(found(known, "ann", ["i0", "i1", "i2"]), "esteem")
    assert good > unrated == 0.0 > bad


def test_only_those_who_may_serve_serve() -> None:
    known = graph(
        [("ann", "i0", 1), ("bo", "i0", 2), ("bo", "i1", 3), ("cy", "i0", 4), ("cy", "i2", 5)],
        ITEMS,
        links=[(2, 0), (4, 0)],
    )
    wanted = asked(known, "ann", ["i1", "i2"])
    serving = np.array([user == "cy" for user in known.users])
    told = features(
        Asked(
            graph=wanted.graph,
            catalogue=wanted.catalogue,
            user="ann",
            t=NEVER,
            candidates=wanted.candidates,
            serving=serving,
        )
    )
    for name in ("together", "near", "neighbours", "popularity", "season", "linked"):
        assert column(told, name)[0] == 0.0, name
    assert column(told, "together")[1] > 0
    assert not told.cold


@pytest.mark.parametrize("user", ["ann", "0", "somebody new"])
def test_an_empty_store_tells_nothing(user: str) -> None:
    told = found(graph([], ["0"]), user, ["0"])
    assert told.cold
    assert not told.values.any()
