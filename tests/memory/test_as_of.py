"""Whatever happened, a read as of a moment tells what was known by then, and nothing else."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import lamina
from lamina.errors import LaminaError
from lamina.testing import FakeClock, WordEncoder
from lamina.testing.clock import NOON

SAID = (
    "I live in Paris now.", "I live in Rome now.", "I live in Oslo now.", "My dog is called Rex.",
    "Actually, my dog is called Max.", "I no longer eat meat.", "I eat meat.", "我住在北京。",
    "我搬到上海了。", "The boat needs paint.",
)  # fmt: skip
QUERIES = ("Where do I live?", "the dog", "住在哪里", "boat paint meat")
Step = tuple[str, int, int]

texts, places = st.integers(0, len(SAID) - 1), st.integers(0, 7)
changes = st.tuples(st.sampled_from(["update", "delete"]), places, texts)
undoings = st.tuples(st.sampled_from(["rollback", "quarantine"]), places, texts)
said = st.tuples(st.just("say"), texts, st.integers(0, 2))
closed = st.tuples(st.just("close"), st.integers(0, 2), texts)
late = st.tuples(st.just("late"), texts, places)


def hour(place: int) -> datetime:
    return NOON + timedelta(hours=place)


@contextmanager
def opened(kind: str) -> Iterator[tuple[lamina.Handle, FakeClock]]:
    """A user of a new store, and the clock it goes by."""
    clock = FakeClock()
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "memory.db") if kind == "sqlite" else ":memory:"
        with lamina.open(path, encoder=WordEncoder(), clock=clock) as memory:
            yield memory.user("ann"), clock


def do(user: lamina.Handle, step: Step, at: datetime) -> None:
    """Do one thing and all the work it causes; what cannot be done is left."""
    verb, one, other = step
    try:
        if verb == "say":
            user.add(SAID[one], session_id=f"s{other}", timestamp=at)
        elif verb == "late":
            user.add(SAID[one], session_id="s0", timestamp=at - timedelta(hours=other, minutes=30))
        elif verb == "close":
            user.close_session(f"s{one}")
        elif verb == "rollback":
            log = user.operations(limit=50)
            user.rollback(log[one % len(log)].id if log else "none")
        else:
            notes = user.list(superseded=True)
            id_ = notes[one % len(notes)].id if notes else "none"
            user.update(id_, SAID[other]) if verb == "update" else getattr(user, verb)(id_)
    except LaminaError:
        pass
    assert user.process().failed == ()


def play(user: lamina.Handle, clock: FakeClock, steps: list[Step]) -> None:
    for place, step in enumerate(steps):
        do(user, step, hour(place))
        clock.advance(hours=1)


def told(user: lamina.Handle, at: datetime, **moment: Any) -> list[Any]:
    """What every read tells, but for how far messages have come."""
    notes = user.list(superseded=True, **moment)
    return [
        [(m.id, m.text) for m in user.messages(**moment)],
        [(n.id, n.text, n.superseded_by, n.invalid_at, n.sources, n.parents) for n in notes],
        [n.id for n in user.list(valid_on=at, **moment)],
        [
            [(h.id, h.superseded_by, h.disagrees_with) for h in found]
            for query in QUERIES
            for found in [user.search(query, asked_at=at, **moment)]
        ],
        [(m.text, m.until) for m in user.timeline("live", **moment)],
    ]


@pytest.mark.parametrize("kind", ["in_memory", "sqlite"])
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(steps=st.lists(said | said | closed | changes, min_size=2, max_size=10), cut=st.data())
def test_the_state_at_a_moment_is_that_of_a_store_that_stopped_then(
    kind: str, steps: list[Step], cut: st.DataObject
) -> None:
    stop = cut.draw(st.integers(1, len(steps) - 1))
    # What is closed later is consolidated later, of messages that were known before.
    steps = steps[:stop] + [step for step in steps[stop:] if step[0] != "close"]
    moment = hour(stop)
    with opened(kind) as (whole, clock), opened(kind) as (stopped, other_clock):
        play(whole, clock, steps)
        play(stopped, other_clock, steps[:stop])

        assert told(whole, moment, as_of=moment) == told(stopped, moment)
        assert told(whole, moment, recorded_as_of=moment) == told(stopped, moment)


@pytest.mark.parametrize("kind", ["in_memory", "sqlite"])
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    steps=st.lists(said | said | late | closed | changes | undoings, min_size=2, max_size=10),
    place=st.integers(0, 10),
)
def test_nothing_that_was_known_later_ever_shows(kind: str, steps: list[Step], place: int) -> None:
    moment = hour(place)
    with opened(kind) as (user, clock):
        play(user, clock, steps)

        assert all(m.said_at < moment for m in user.messages(as_of=moment))
        notes = user.list(superseded=True, as_of=moment)
        assert all(note.known_at < moment for note in notes)
        for query in QUERIES:
            for hit in user.search(query, as_of=moment, superseded=True):
                assert hit.said_at < moment
                assert all(note.known_at < moment for note in hit.event)
        # The audit of now tells what is told now.
        assert told(user, moment, recorded_as_of=clock.advance(hours=1)) == told(user, moment)
        assert told(user, moment, as_of=hour(99)) == told(user, moment)


@pytest.mark.parametrize("kind", ["in_memory", "sqlite"])
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(steps=st.lists(said | said | late | closed | changes, min_size=2, max_size=8), place=places)
def test_rolling_a_rollback_back_restores_what_was(
    kind: str, steps: list[Step], place: int
) -> None:
    with opened(kind) as (user, clock):
        play(user, clock, steps)
        log = [op for op in user.operations() if op.kind != "index" and op.undone_by is None]
        if not log:
            return
        now = clock.now()
        before = told(user, now)
        back = user.rollback(log[place % len(log)].id)
        user.process()
        user.rollback(back.operation.id)
        user.process()

        assert told(user, now) == before
