from dataclasses import replace
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from lamina.model import Event, NoteDraft
from lamina.strategies.structmem.config import StructMemConfig, Triggers
from lamina.strategies.structmem.triggers import entries, fires, portion
from tests.strategies.structmem.listed import NOON, message, note

OFF = Triggers(session_closed=False, entries=None, span_s=None)


def event(position: int = 1, notes: int = 1, minutes: float = 0) -> Event:
    said = message("text", position=position, said_at=NOON + timedelta(minutes=minutes))
    drafts = [
        NoteDraft(kind="fact", text=str(n), event=said.id, sources=(said.id,)) for n in range(notes)
    ]
    return Event(message=said, notes=tuple(note(draft, [said]) for draft in drafts))


def test_an_empty_buffer_never_fires() -> None:
    assert not fires([], closed=True, triggers=Triggers())


def test_a_closed_session_fires() -> None:
    assert fires([event()], closed=True, triggers=Triggers())
    assert not fires([event()], closed=False, triggers=Triggers())
    assert not fires([event()], closed=True, triggers=OFF)


def test_enough_entries_fire() -> None:
    triggers = replace(OFF, entries=4)

    assert not fires([event(1, notes=3)], closed=False, triggers=triggers)
    assert fires([event(1, notes=3), event(2)], closed=False, triggers=triggers)


def test_entries_that_span_long_enough_fire() -> None:
    triggers = replace(OFF, span_s=3600.0)

    assert not fires([event(), event(2, minutes=60)], closed=False, triggers=triggers)
    assert fires([event(), event(2, minutes=60.1)], closed=False, triggers=triggers)


def test_a_message_that_could_not_be_read_is_an_entry_itself() -> None:
    failed = Event(message=replace(message("text"), progress="unextracted"))

    assert entries([failed, Event(message=message("hi")), event(notes=2)]) == 3


def test_with_every_trigger_off_nothing_is_consolidated() -> None:
    assert not StructMemConfig(triggers=OFF).consolidates
    assert not StructMemConfig(variant="events").consolidates
    assert StructMemConfig().consolidates


@given(st.lists(st.integers(0, 50)), st.integers(1, 100))
def test_a_portion_is_the_most_that_fits_and_at_least_one(costs: list[int], limit: int) -> None:
    count = portion(costs, limit)

    assert count >= min(1, len(costs))
    assert sum(costs[:count]) <= limit or count == 1
    assert count == len(costs) or sum(costs[: count + 1]) > limit
