from datetime import UTC, datetime

import pytest

import lamina
from lamina.adapters.in_memory import InMemoryStore
from lamina.model import Scope
from lamina.ports import Encoder
from lamina.strategies.structmem.extractive import Extractive
from lamina.work.engine import Engine
from lamina.work.view import RecordingView

ANN = Scope("", "user", "ann")


def day(number: int) -> datetime:
    return datetime(2026, 1, number, tzinfo=UTC)


@pytest.fixture
def engine(encoder: Encoder) -> Engine:
    store = InMemoryStore()
    store.set_space(encoder.space)
    engine = Engine(store=store, encoder=encoder, strategy=Extractive())
    ann = lamina.Handle(engine, ANN)
    ann.add("I bought a tandem.", session_id="s1", timestamp=day(1))
    ann.add("My tandem has a flat tyre.", session_id="s2", timestamp=day(2))
    ann.add("Plum cake is best warm.", session_id="s2", timestamp=day(3))
    ann.process()
    return engine


def test_the_log_tells_the_latest_of_what_was_read(engine: Engine) -> None:
    view = RecordingView(engine, ANN, "op")
    assert view.known_at is None

    [first, second, third] = engine.store.latest(ANN, 10)
    view.events([first.id])
    assert view.known_at == day(1)
    view.preceding(third, 5)
    assert view.known_at == day(2)
    view.events([first.id])
    assert view.known_at == day(2)
    assert second.said_at == day(2)


def test_preceding_stays_in_the_session(engine: Engine) -> None:
    view = RecordingView(engine, ANN, "op")
    [first, _, third] = engine.store.latest(ANN, 10)

    assert [m.text for m in view.preceding(third, 5)] == ["My tandem has a flat tyre."]
    assert view.preceding(third, 0) == []
    assert view.preceding(first, 5) == []


def test_nearest_is_strictly_earlier_and_leaves_out_what_it_is_told_to(engine: Engine) -> None:
    view = RecordingView(engine, ANN, "op")
    [first, second, _] = engine.store.latest(ANN, 10)

    [found] = view.nearest(["tandem"], 5, before=day(3))
    assert [f.entry.id for f in found] == [f.entry.id for f in sorted(found, key=_order)]
    assert {f.entry.id for f in found} == {first.id, second.id}
    assert all(-1.0 <= f.similarity <= 1.0 for f in found)

    [found] = view.nearest(["tandem"], 5, before=day(3), exclude=[second.id])
    assert [f.entry.id for f in found] == [first.id]
    assert view.nearest(["tandem"], 5, before=day(1)) == [[]]
    assert view.nearest([], 5, before=day(3)) == []


def test_messages_can_be_the_query(engine: Engine) -> None:
    view = RecordingView(engine, ANN, "op")
    [first, second, third] = engine.store.latest(ANN, 10)

    found = view.near_to([third.id], 5, before=day(3))
    assert {f.entry.id for f in found} == {first.id, second.id}
    [nearest, *_] = view.near_to([second.id], 5, before=day(3))
    assert nearest.entry.id == first.id
    assert nearest.similarity > 0.5
    assert view.near_to([first.id], 5, before=day(1)) == []
    assert view.near_to(["no such"], 5, before=day(3)) == []


def test_an_unknown_event_is_left_out(engine: Engine) -> None:
    assert RecordingView(engine, ANN, "op").events(["no such"]) == []


def _order(found: object) -> tuple[float, str]:
    return (-found.similarity, found.entry.id)  # type: ignore[attr-defined]
