"""Behaviours 4 and 6, of recommenders: the time of what was done, and doing it once."""

import json
import threading

import pytest

import lamina
from lamina.errors import NotFound
from lamina.memory.recommending import Recommender
from lamina.testing import WordEncoder
from tests.acceptance.watching import ITEMS, act, films, told
from tests.conftest import Open

ACTS = tuple(
    act(user, item, 1 + 3 * i + j, f"{user} saw it on turn {j}.")
    for i, user in enumerate(("ann", "bob", "cyd"))
    for j, item in enumerate("123")
)


def ranked(made: Recommender, as_of: str | None = None) -> str:
    """What is ranked for everybody, but for what waits and from when it was asked."""
    found = [made.rank(user, explain=True, as_of=as_of).to_dict() for user in ("ann", "bob", "new")]
    for each in found:
        del each["pending"], each["as_of"]
        for evidence in (e for item in each["items"] for e in item["evidence"]):
            del evidence["id"]  # which tells the recommender's name
    return json.dumps(found, sort_keys=True)


@pytest.mark.parametrize("day", [4, 7])
def test_asked_as_of_a_day_it_ranks_as_if_nothing_had_come_after(
    open_memory: Open, day: int
) -> None:
    memory = open_memory(encoder=WordEncoder())
    moment = f"2026-01-{day:02}T00:00:00Z"
    whole = films(memory, *ACTS, name="whole")
    early = films(memory, *(a for a in ACTS if a["timestamp"] < moment), name="early")

    assert ranked(whole, as_of=moment) == ranked(early, as_of=moment)
    assert ranked(whole) != ranked(whole, as_of=moment)


def test_an_item_is_unknown_before_it_was_known(open_memory: Open) -> None:
    made = films(open_memory(encoder=WordEncoder()), *ACTS)
    made.add_items([{"id": "9", "title": "Later", "known_since": "2026-01-20T00:00:00Z"}])

    with pytest.raises(NotFound):
        made.item("9", as_of="2026-01-19T00:00:00Z")
    assert "9" not in made.rank("ann", as_of="2026-01-19T00:00:00Z").ids
    assert "9" in made.rank("ann").ids


def test_what_is_done_later_is_told_of_no_earlier_moment(open_memory: Open) -> None:
    made = films(open_memory(encoder=WordEncoder()), *ACTS)
    before = told(made, "ann", "bob", as_of="2026-01-10T00:00:00Z")
    made.add_interactions([act("ann", "0", 28, "A canary."), act("dee", "0", 29)], wait=True)

    assert told(made, "ann", "bob", as_of="2026-01-10T00:00:00Z") == before
    assert "canary" in told(made, "ann")


def test_the_same_three_times_or_by_eight_at_once_is_one(open_memory: Open) -> None:
    memory = open_memory(encoder=WordEncoder())
    made = films(memory, *ACTS)
    for _ in range(2):
        assert made.add_interactions(ACTS).new == 0
        assert made.add_items(ITEMS).new == 0
    added: list[lamina.Added] = []
    one = [act("eve", "1", 20, "Once.")]
    threads = [
        threading.Thread(target=lambda: added.append(made.add_interactions(one))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    made.process()

    assert sum(each.new for each in added) == 1
    assert len(made.interactions("eve")) == 1
    assert len([note for note in made.list(kind="user_note") if note.about == "eve"]) == 1
    assert memory.check() == []


def test_what_differs_in_its_item_or_its_day_stays_apart(open_memory: Open) -> None:
    made = films(open_memory(encoder=WordEncoder()))
    acts = [act("ann", item, day, "Fine.") for item in "123" for day in range(1, 8)]

    assert made.add_interactions(acts).new == 21
    made.process()
    assert len(made.list(kind="user_note")) == 21


def test_processing_again_writes_nothing(open_memory: Open) -> None:
    made = films(open_memory(encoder=WordEncoder()), *ACTS)
    before = told(made, "ann")

    assert made.process().done == 0
    assert told(made, "ann") == before
