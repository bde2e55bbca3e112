"""Whose notes may serve whom."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lamina
from lamina.model import At
from lamina.ports import NOTE_KINDS, Graph
from lamina.testing import WordEncoder
from lamina.work import visibility

SILO, GROUP = {"privacy": "silo", "k": 2}, {"privacy": "group", "k": 2}
GROUPS = {"a": "east", "b": "east", "A": "west"}
DONE = (("a", "1"), ("b", "1"), ("ab", "2"), ("A", "2"), ("a", "3"))


@pytest.fixture
def graph() -> Graph:
    """Five things that four users did with three items, and the notes of them."""
    with lamina.open(":memory:", encoder=WordEncoder()) as memory:
        films = memory.recommender("films")
        films.add_items({"id": item, "title": f"Film {item}"} for item in "123")
        films.add_interactions(
            {"user": user, "item": item, "timestamp": 60 * i, "text": f"Seen by {user}."}
            for i, (user, item) in enumerate(DONE)
        )
        films.process()
        return films._engine.store.graph(films.scope)


def serving(graph: Graph, configuration: Mapping[str, Any], user: str) -> set[str]:
    mask = visibility.visible(graph, configuration, GROUPS, user)
    assert mask is not None
    return {name for name, seen in zip(graph.users, mask, strict=True) if seen}


def test_openly_everybody_serves_everybody(graph: Graph) -> None:
    assert visibility.visible(graph, {}, GROUPS, "a") is None
    assert visibility.rows(graph, {"privacy": "open"}, GROUPS, "a") is None


def test_in_a_silo_nobody_serves_another(graph: Graph) -> None:
    assert {user: serving(graph, SILO, user) for user in ("a", "ab", "nobody")} == {
        "a": {"a"}, "ab": {"ab"}, "nobody": set(),
    }  # fmt: skip


def test_those_of_a_group_serve_each_other(graph: Graph) -> None:
    assert serving(graph, GROUP, "a") == {"a", "b"}
    assert serving(graph, GROUP, "A") == {"A"}
    assert serving(graph, GROUP, "ab") == {"ab"}


def test_an_items_note_serves_others_once_k_users_support_it(graph: Graph) -> None:
    mask = visibility.rows(graph, SILO, {}, "a")
    assert mask is not None
    notes = graph.kinds == NOTE_KINDS.index("item_note")

    told = {graph.items[graph.about[n]]: bool(mask[n]) for n in np.flatnonzero(notes)}
    assert told == {"1": True, "2": True, "3": False}
    assert mask[graph.kinds == -1].all()
    early = visibility.rows(graph, SILO, {}, "a", t=60_000_000)
    assert early is not None
    assert not early[notes].any()


def test_an_items_note_holds_only_metadata_until_k_users_had_to_do_with_it(graph: Graph) -> None:
    item = graph.items.index("1")

    assert not visibility.metadata_only(graph, {}, item)
    assert visibility.metadata_only(graph, SILO, item, t=60_000_000)
    assert not visibility.metadata_only(graph, SILO, item)
    assert visibility.metadata_only(graph, {**SILO, "k": 3}, item)


@given(
    st.sampled_from(["silo", "group"]),
    st.dictionaries(st.sampled_from(["a", "ab", "A", "b"]), st.sampled_from(["x", "y"])),
)
def test_whom_somebody_serves_is_mutual_and_never_wider_than_the_group(
    privacy: str, groups: dict[str, str]
) -> None:
    configuration = {"privacy": privacy, "k": 2}
    users = ["a", "ab", "A", "b"]
    for one in users:
        for other in users:
            may = visibility.may_serve(configuration, groups, one, other)
            assert may == visibility.may_serve(configuration, groups, other, one)
            same = privacy == "group" and one in groups and groups[one] == groups.get(other)
            assert may == (one == other or same)


def test_a_group_is_what_its_member_says_and_said_last() -> None:
    with lamina.open(":memory:", encoder=WordEncoder()) as memory:
        films = memory.recommender("films")
        films.join("a", "east", timestamp="2026-01-01")
        films.join("a", "west", timestamp="2026-01-03")
        films.join("b", "east", timestamp="2026-01-01")
        films.join("b", "", timestamp="2026-01-02")
        store, scope = films._engine.store, films.scope

        assert visibility.groups_of(store, scope, {"privacy": "group"}) == {"a": "west"}
        then = At(as_of=datetime(2026, 1, 2, tzinfo=UTC))
        assert visibility.groups_of(store, scope, {"privacy": "group"}, then) == {
            "a": "east",
            "b": "east",
        }


def test_what_is_formed_goes_by_the_group_of_then_unless_it_was_left_since() -> None:
    with lamina.open(":memory:", encoder=WordEncoder()) as memory:
        films = memory.recommender("films")
        films.configure(privacy="group")
        for user, day in (("before", "2026-01-01"), ("at", "2026-02-01"), ("left", "2026-01-01")):
            films.join(user, "east", timestamp=day)
        films.join("left", "", timestamp="2026-03-01")
        store = films._engine.store
        groups = visibility.groups_by(
            store, films.scope, store.configuration(films.scope), datetime(2026, 2, 1, tzinfo=UTC)
        )
    assert groups == {"before": "east"}
