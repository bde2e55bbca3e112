"""What is not to be kept is not stored, and what is too old goes."""

from datetime import timedelta
from typing import Any

import pytest

import lamina
from lamina.errors import BadInput
from lamina.memory.recommending import Recommender
from lamina.testing import FakeClock, WordEncoder

DONE: dict[str, Any] = {
    "user": "ann",
    "item": "1",
    "timestamp": "2026-01-01T10:00:00Z",
    "rating": 4,
    "text": "A haunting canary.",
    "device": "phone",
    "place": "home",
}


@pytest.fixture
def films(memory: lamina.Memory) -> Recommender:
    return memory.recommender("films")


def test_a_review_that_is_not_to_be_kept_is_nowhere(films: Recommender) -> None:
    films.configure(keep_text=False)
    films.add_interactions([DONE], wait=True)

    [done] = films.interactions("ann")
    assert (done.text, done.rating) == ("", 4)
    assert "canary" not in str([note.to_dict() for note in films.list()])
    assert all("canary" not in hit.text for hit in films.search("canary"))


def test_only_the_fields_that_are_named_are_kept(films: Recommender) -> None:
    films.configure(keep_fields=["device"])
    films.add_interactions([DONE])

    assert films.interactions("ann")[0].metadata == {"device": "phone"}
    assert films.configuration.keep_fields == ("device",)
    films.configure(k=3)
    assert films.configuration.keep_fields == ("device",)


@pytest.mark.parametrize("odd", ["device", 3, [1]])
def test_fields_are_names(films: Recommender, odd: Any) -> None:
    with pytest.raises(BadInput):
        films.configure(keep_fields=odd)


def test_what_is_older_than_it_is_to_be_kept_goes_when_asked() -> None:
    clock = FakeClock()
    with lamina.open(":memory:", encoder=WordEncoder(), clock=clock) as memory:
        films = memory.recommender("films")
        films.add_items([{"id": "1", "title": "Heat"}, {"id": "2", "title": "Ran"}])
        old, new = clock.now() - timedelta(days=40), clock.now() - timedelta(days=3)
        films.add_interactions(
            [{**DONE, "timestamp": old}, {**DONE, "item": "2", "timestamp": new}], wait=True
        )
        assert films.expire() is None

        films.configure(keep_days=30)
        expired = films.expire()

        assert expired is not None
        assert [done.item for done in films.interactions("ann")] == ["2"]
        assert [done.item for done in films.interactions("ann", as_of=new)] == []
        assert films.item("1").title == "Heat"
        assert all(note.item != "1" for note in films.list(kind="user_note"))
        assert films.expire() is None
        films.rollback(expired.id)
        assert len(films.interactions("ann")) == 2
        assert memory.check() == []
