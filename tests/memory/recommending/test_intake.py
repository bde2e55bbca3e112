from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime

import numpy as np
import pytest

import lamina
from lamina.errors import BadInput, NotFound
from lamina.items import Interaction, Item
from lamina.memory import Memory
from lamina.memory.recommending import Recommender
from lamina.testing import FakeClock, WordEncoder

HEAT = Item(
    id="6",
    title="Heat",
    categories=("Crime", "Thriller"),
    tags=("heist",),
    attributes={"year": 1995, "area": "north"},
)
DEEP = json.loads("[" * 150 + "]" * 150)
NOON = datetime(2020, 5, 4, 12, tzinfo=UTC)


@pytest.fixture(params=["memory", "file"])
def memory(request: pytest.FixtureRequest, tmp_path: object) -> Iterator[Memory]:
    path = ":memory:" if request.param == "memory" else f"{tmp_path}/films.db"
    with lamina.open(path, encoder=WordEncoder(), clock=FakeClock()) as opened:
        yield opened


@pytest.fixture
def films(memory: Memory) -> Recommender:
    return memory.recommender("films")


def seen(item: object = "6", user: object = "alice", **given: object) -> dict[str, object]:
    return {"user": user, "item": item, "timestamp": NOON, "rating": 4.5, **given}


def test_an_item_comes_back_as_it_was_given(films: Recommender) -> None:
    films.add_items([HEAT])
    assert films.item("6") == HEAT


def test_what_is_no_field_of_an_item_is_an_attribute(films: Recommender) -> None:
    films.add_items([{"id": 0, "title": "Zero", "price": "cheap", "brand": None}])
    assert films.item("0") == Item(id="0", title="Zero", attributes={"price": "cheap"})


def test_an_item_can_be_found_by_its_words_at_once(films: Recommender) -> None:
    films.add_items([HEAT, {"id": "7", "title": "Sabrina", "categories": "Romance"}])
    [hit] = films.search("heist", top_k=1)
    assert "Heat" in hit.text


def test_an_item_that_is_described_anew_is_told_as_it_is_now(films: Recommender) -> None:
    films.add_items([HEAT])
    assert films.add_items([HEAT]).new == 0
    assert films.add_items([{"id": "6", "title": "Heat, restored"}]).new == 1
    assert films.item("6").title == "Heat, restored"
    assert films.add_items([HEAT]).new == 1
    assert films.item("6") == HEAT


def test_an_item_is_not_known_before_it_is(films: Recommender) -> None:
    films.add_items([{"id": "6", "title": "Heat", "known_since": "2000-01-01"}])
    assert films.item("6", as_of="2000-01-02").title == "Heat"
    with pytest.raises(NotFound, match="no item here"):
        films.item("6", as_of="2000-01-01")


def test_an_interaction_comes_back_as_it_was_given(films: Recommender) -> None:
    films.add_interactions([seen(text="Great {cast}!", device="tv"), seen("7", rating=None)])
    first, second = films.interactions("alice")
    assert (first.item, first.rating, first.text) == ("6", 4.5, "Great {cast}!")
    assert (first.at, first.action, first.metadata) == (NOON, "rate", {"device": "tv"})
    assert (second.rating, second.text, second.action) == (None, "", "click")


def test_the_same_interaction_is_one(films: Recommender) -> None:
    assert films.add_interactions([seen(), seen()]).new == 1
    assert films.add_interactions([seen()]).new == 0
    assert films.add_interactions([seen(rating=3)]).new == 1
    assert [done.rating for done in films.interactions("alice")] == [4.5, 3]


def test_users_and_items_of_one_name_are_told_apart(films: Recommender) -> None:
    films.add_items([{"id": "1", "title": "One"}])
    films.add_interactions([seen("1", user="1"), seen("1", user="items")])
    assert [done.user for done in films.interactions("1")] == ["1"]
    assert [done.user for done in films.interactions("items")] == ["items"]
    assert films.item("1").title == "One"


def test_times_may_be_seconds_and_numbers_of_any_library(films: Recommender) -> None:
    films.add_interactions(
        [{"user": np.int64(5), "item": 6, "timestamp": 1_000_000_000, "rating": np.float32(3.5)}]
    )
    [done] = films.interactions("5")
    assert (done.at.year, done.rating, done.item) == (2001, 3.5, "6")


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (seen(user=""), "user must be a text that is not blank"),
        (seen(user=None), "user must be"),
        (seen(item=True), "item must be"),
        (seen(timestamp=None), "needs its time"),
        (seen(timestamp=float("nan")), "not a time"),
        (seen(timestamp=10**30), "not a time"),
        (seen(timestamp=datetime(2020, 1, 1)), "zone"),
        (seen(rating=float("inf")), "finite number"),
        (seen(rating=1e300), "within 1e\\+09"),
        (seen(metadata={"deep": DEEP}), "nested 151 deep"),
        (seen(rating="5"), "finite number"),
        (seen(action="describe"), "add_items"),
        (seen(text=5), "must be text"),
        (seen(metadata=[1]), "must be a mapping"),
        (seen(extra={1, 2}), "must be JSON"),
        ("alice", "is an Interaction or a mapping"),
    ],
)
def test_what_is_no_interaction_is_refused_and_nothing_stored(
    films: Recommender, given: object, reason: str
) -> None:
    with pytest.raises(BadInput, match=reason):
        films.add_interactions([seen("9"), given])  # type: ignore[list-item]
    assert films.interactions("alice") == []


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"title": "No id"}, "id must be"),
        ({"id": "1", "categories": [1]}, "categories must be texts"),
        ({"id": "1", "title": 5}, "title"),
        ({"id": "1", "attributes": [1]}, "mapping"),
        ({"id": "1", "size": float("nan")}, "JSON"),
        (5, "is an Item or a mapping"),
    ],
)
def test_what_is_no_item_is_refused(films: Recommender, given: object, reason: str) -> None:
    with pytest.raises(BadInput, match=reason):
        films.add_items([given])  # type: ignore[list-item]


def test_nothing_or_one_instead_of_many_is_refused(films: Recommender) -> None:
    with pytest.raises(BadInput, match="nothing to add"):
        films.add_items([])
    with pytest.raises(BadInput, match="pass a list"):
        films.add_items(seen())  # type: ignore[arg-type]


def test_an_import_in_parts_is_rolled_back_as_one(films: Recommender) -> None:
    films.add_items([HEAT], batch="set")
    added = films.add_interactions([seen()], batch="set")
    films.add_interactions([seen("7")], batch="set")
    assert added.operation is not None
    films.rollback(added.operation)
    assert films.interactions("alice") == []
    with pytest.raises(NotFound):
        films.item("6")


def test_what_waits_is_told(films: Recommender) -> None:
    films.add_items([HEAT])
    assert films.pending == 0
    films.add_interactions([seen(), seen("7")])
    assert films.pending == 2


def test_a_generator_is_read_in_parts(films: Recommender) -> None:
    told: list[int] = []
    rows = (Interaction(id="", user="u", item=str(n), at=NOON) for n in range(2_500))
    added = films.add_interactions(rows, progress=told.append)
    assert (added.new, told) == (2_500, [2_000, 2_500])


def test_what_is_added_again_after_a_rollback_names_the_rollback(films: Recommender) -> None:
    added = films.add_interactions([seen(), seen("7")])
    undone = films.rollback(str(added.operation))

    again = films.add_interactions([seen(), seen("8")])

    assert (again.new, again.hidden) == (1, 1)
    assert again.undone_by == (undone.operation.id,)
    films.rollback(undone.operation.id)
    assert films.add_interactions([seen()]).hidden == 0


def test_what_is_added_again_after_it_was_deleted_is_told_to_be_hidden(films: Recommender) -> None:
    [id_] = films.add_interactions([seen()]).ids
    films.delete(id_)

    again = films.add_interactions([seen()])

    assert (again.new, again.hidden, again.undone_by) == (0, 1, ())


def test_an_interaction_without_a_time_is_refused_by_the_name_of_the_key(
    films: Recommender,
) -> None:
    with pytest.raises(BadInput, match="`timestamp`"):
        films.add_interactions([{"user": "alice", "item": "6"}])
