"""What the rules make of facts as they arrive, in whatever order."""

import random
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.model import CONTRADICTS, Changes, Note
from lamina.strategies.supersession.extractive import Extractive
from lamina.testing.clock import NOON
from tests.strategies.supersession.facts import FactView, fact

CHAIN = (
    fact("a", "I live in Paris.", day=0),
    fact("b", "I moved to Rome.", day=90),
    fact("c", "I live in Oslo now.", day=180),
    fact("d", "We moved back to Paris.", day=270),
    fact("e", "I live in Paris.", day=300),
    fact("f", "I still live in Paris.", day=330),
)


def digest(view: FactView, *facts: Note) -> Changes:
    changes = Extractive().digest(view.tell(*facts), view)
    view.apply(changes)
    return changes


def state(view: FactView) -> dict[str, tuple[object, ...]]:
    return {
        note.id: (note.superseded_by, note.invalid_at, set(note.sources), set(note.parents))
        for note in view.facts.values()
    }


def test_a_move_supersedes_from_when_it_was_said() -> None:
    view = FactView()
    digest(view, CHAIN[0])
    digest(view, CHAIN[1])

    paris = view.facts["a"]
    assert (paris.superseded_by, paris.invalid_at) == ("b", NOON + timedelta(days=90))
    assert paris.parents == ("b",)
    assert paris.sources == ("m-a",)
    assert view.facts["b"].superseded_by is None


def test_a_move_supersedes_from_the_time_that_it_names() -> None:
    moved = fact("b", "I moved to Rome last month.", day=90, valid_at=NOON + timedelta(days=60))
    view = FactView()
    digest(view, CHAIN[0])
    digest(view, moved)

    assert view.facts["a"].invalid_at == NOON + timedelta(days=60)


@given(order=st.permutations(CHAIN), cuts=st.sets(st.integers(1, 5)))
def test_the_end_is_the_same_in_whatever_order_facts_arrive(
    order: list[Note], cuts: set[int]
) -> None:
    view, places = FactView(), [0, *sorted(cuts), len(order)]
    for start, end in pairwise(places):
        digest(view, *order[start:end])

    ended = {id_: (by, sources) for id_, (by, _, sources, _) in state(view).items()}
    assert ended == {
        "a": ("b", {"m-a"}),
        "b": ("c", {"m-b"}),
        "c": ("d", {"m-c"}),
        "d": (None, {"m-d", "m-e", "m-f"}),
        "e": (None, {"m-e"}),
        "f": (None, {"m-f"}),
    }
    assert view.facts["b"].invalid_at == NOON + timedelta(days=180)


def test_seen_again_nothing_changes() -> None:
    view = FactView()
    digest(view, *CHAIN)

    assert digest(view, *view.facts.values()) == Changes()


def test_whoever_is_spoken_of_is_told_apart() -> None:
    view = FactView()
    digest(view, CHAIN[0])
    changes = digest(view, fact("bo", "I moved to Rome.", day=3, speaker="bo"))

    assert changes == Changes()


@pytest.mark.parametrize(
    "doubtful",
    [
        {"certainty": "hearsay"},
        {"certainty": "uncertain"},
        {"role": "assistant"},
        {"role": "tool"},
        {"supported": False},
    ],
)
def test_what_is_doubted_or_less_trusted_only_contradicts(doubtful: dict[str, Any]) -> None:
    view = FactView()
    digest(view, CHAIN[0])
    changes = digest(view, fact("b", "I moved to Rome.", day=3, **doubtful))

    assert changes.notes == ()
    [link] = changes.links
    assert (link.source, link.target, link.relation) == ("b", "a", CONTRADICTS)


def test_what_a_person_wrote_is_never_revised() -> None:
    view = FactView()
    digest(view, fact("a", "I live in Paris.", by_person=True))
    changes = digest(view, CHAIN[1])

    assert changes.notes == ()
    assert [(link.source, link.target) for link in changes.links] == [("b", "a")]


def test_what_was_on_record_stands_though_it_is_not_seen() -> None:
    since = NOON + timedelta(days=10)
    view = FactView([fact("a", "I live in Paris.", superseded_by="x", invalid_at=since)])
    digest(view, CHAIN[1])

    assert (view.facts["a"].superseded_by, view.facts["a"].invalid_at) == ("x", since)


@pytest.mark.parametrize(
    ("stated", "correction"),
    [
        ("The call is on Tuesday.", "Sorry, I meant Thursday."),
        ("The call is on Tuesday.", "Not Tuesday, Thursday."),
        ("I moved to Turin.", "I meant Trento, not Turin."),
        ("会议在周二。", "不对，是周四。"),
        ("会议在周二。", "口误，应该是周四。"),
    ],
)
@pytest.mark.parametrize("late", [False, True])
def test_a_correction_refers_to_what_was_said_before(
    stated: str, correction: str, late: bool
) -> None:
    view = FactView()
    facts = [fact("a", stated), fact("b", correction, day=0.001)]
    for each in reversed(facts) if late else facts:
        digest(view, each)

    assert view.facts["a"].superseded_by == "b"


def test_a_correction_of_another_speaker_or_kind_is_none() -> None:
    view = FactView()
    digest(view, fact("a", "The call is on Tuesday."))
    digest(view, fact("b", "Sorry, I meant Thursday.", day=0.001, speaker="bo"))
    digest(view, fact("c", "Sorry, I meant Bella.", day=0.002))

    assert view.facts["a"].superseded_by is None


def test_of_what_is_said_at_one_moment_the_order_told_counts() -> None:
    view = FactView()
    digest(view, fact("z", "I live in Paris."), fact("a", "Actually, I live in Rome."))

    assert view.facts["z"].superseded_by == "a"
    assert view.facts["a"].superseded_by is None


def test_facts_without_a_slot_are_not_looked_up() -> None:
    view = FactView()
    lines = [fact(str(n), f"What a lovely walk we had, number {n}!", day=n) for n in range(50)]

    assert digest(view, *lines) == Changes()
    assert view.looked_up == 0


def test_a_long_life_ends_the_same_when_told_at_once_or_bit_by_bit() -> None:
    cities = ("Paris", "Rome", "Oslo", "Lima", "Kyoto", "Cairo", "Quito")
    told = [fact(f"n{n:02}", f"I moved to {cities[n * 3 % 7]}.", day=n) for n in range(30)]
    at_once, bit_by_bit = FactView(), FactView()
    digest(at_once, *told)
    for each in random.Random(5).sample(told, len(told)):
        digest(bit_by_bit, each)

    assert state(at_once) == state(bit_by_bit)


def test_what_another_puts_in_somebodys_mouth_neither_supersedes_nor_confirms() -> None:
    view = FactView()
    view.written_by = {"m-a": "user:ann", "m-b": "user:bo", "m-e": "user:bo"}
    digest(view, CHAIN[0])
    changes = digest(view, CHAIN[1], CHAIN[4])

    assert view.facts["a"].superseded_by is None
    assert view.facts["a"].sources == ("m-a",)
    assert [(link.source, link.relation) for link in changes.links] == [("b", CONTRADICTS)]


def test_what_the_same_author_says_supersedes() -> None:
    view = FactView()
    view.written_by = {"m-a": "user:ann", "m-b": "user:ann"}
    digest(view, CHAIN[0], CHAIN[1])

    assert view.facts["a"].superseded_by == "b"


@pytest.mark.parametrize("author", ["user:ann", "user:bo"])
def test_a_repair_repairs_only_what_the_same_author_wrote(author: str) -> None:
    view = FactView()
    view.written_by = {"m-a": "user:ann", "m-b": author}
    digest(view, fact("a", "Shoe size 43"))
    digest(view, fact("b", "Scratch that, 42", day=0.001))

    assert view.facts["a"].superseded_by == ("b" if author == "user:ann" else None)


@pytest.mark.parametrize("author", ["user:ann", "user:bo"])
def test_a_bare_correction_corrects_only_what_the_same_author_wrote(author: str) -> None:
    view = FactView()
    view.written_by = {"m-a": "user:ann", "m-b": author}
    digest(view, fact("a", "My appointment is on Tuesday."))
    digest(view, fact("b", "Sorry, I meant Thursday.", day=0.001))

    assert view.facts["a"].superseded_by == ("b" if author == "user:ann" else None)


def test_nothing_ends_before_it_begins() -> None:
    ahead = fact("a", "My flight is on 4 May.", valid_at=NOON + timedelta(days=60))
    view = FactView()
    digest(view, ahead)
    digest(view, fact("b", "My flight was moved to 5 May.", day=3))

    assert view.facts["a"].superseded_by == "b"
    assert view.facts["a"].invalid_at == NOON + timedelta(days=60)
    assert digest(view, *view.facts.values()) == Changes()
