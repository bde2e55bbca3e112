"""Rolling back, against both stores, and by property against the one in memory."""

import tempfile
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import lamina
from lamina.errors import BadInput, Conflict, LaminaError, NotFound
from lamina.memory import edit
from lamina.memory.values import Plan
from lamina.model import Gone
from lamina.ports import Operation, Writing
from lamina.testing import FakeClock, WordEncoder

TALK = (
    "I live in Bergen.",
    "My cat is called Miso.",
    "My sister Mia lives in Oslo with her dog.",
    "I adopted the cat from a shelter in Bergen.",
)


@pytest.fixture
def user(memory: lamina.Memory) -> lamina.Handle:
    user = memory.user("ann")
    for minute, text in enumerate(TALK):
        user.add(text, session_id="s1", timestamp=f"2026-01-01T10:{minute:02}:00Z")
    user.close_session("s1")
    memory.process()
    return user


def last(user: lamina.Handle, kind: str) -> Operation:
    return user.operations(kinds=[kind])[0]


def told(user: lamina.Handle) -> list[Any]:
    """What every read tells of the scope as it is."""
    return [
        user.list(superseded=True),
        user.messages(),
        user.search("Where does Ann live?"),
        user.sessions(),
        [(r.text, r.withdrawn) for n in user.list(superseded=True) for r in user.history(n.id)],
    ]


def test_a_rolled_back_extraction_takes_what_was_built_on_it(
    memory: lamina.Memory, user: lamina.Handle
) -> None:
    [old] = user.list(kind="summary")
    back = user.rollback(last(user, "bind").id)

    assert user.list() == []
    assert len(user.messages()) == 4
    assert (back.operation.kind, back.plan.target.kind) == ("rollback", "bind")
    assert back.operation.cause == f"operation {back.plan.target.id}"

    memory.process()
    assert all(not set(n.parents) & set(old.parents) for n in user.list())
    assert user.list(as_of="2026-01-02T00:00:00Z") == user.list()
    assert memory.check() == []


def test_a_rollback_of_the_rollback_restores(memory: lamina.Memory, user: lamina.Handle) -> None:
    before = told(user)
    back = user.rollback(last(user, "bind").id)
    memory.process()

    again = user.rollback(back.operation.id)

    assert told(user) == before
    assert {change.why for change in again.plan.changes} >= {"restored"}
    memory.process()
    assert told(user) == before
    assert memory.check() == []


def test_a_diff_tells_what_a_rollback_does_and_changes_nothing(user: lamina.Handle) -> None:
    before = told(user)
    target = last(user, "bind")
    plan = user.diff(target.id)

    assert told(user) == before
    assert user.rollback(target.id).plan == plan
    assert {c.why for c in plan.changes if c.kind == "fact"} == {"made by it"}
    assert {c.why for c in plan.changes if c.kind == "summary"} == {"rests on it"}
    assert [step["kind"] for step in plan.to_dict()["steps"]] == ["consolidate"]


def test_a_rolled_back_addition_hides_what_was_said_and_what_rests_on_it(
    memory: lamina.Memory, user: lamina.Handle
) -> None:
    added = user.add("My locker code is 4711.", session_id="s2", wait=True)
    assert [note.text for note in user.list() if "4711" in note.text]
    assert added.operation

    user.rollback(added.operation)
    memory.process()

    assert "4711" not in str([note.text for note in user.list()])
    assert "4711" not in str([message.text for message in user.messages()])
    assert [m.text for m in user.messages(as_of="2030-01-01T00:00:00Z")] == list(TALK)
    assert memory.check() == []


def test_one_extraction_among_several_goes_alone(
    memory: lamina.Memory, user: lamina.Handle
) -> None:
    before = user.list()
    user.add("I play the cello.", session_id="s2", wait=True)

    user.rollback(last(user, "bind").id)
    memory.process()

    assert user.list() == before


def test_what_a_person_wrote_stays_when_an_extraction_is_rolled_back(user: lamina.Handle) -> None:
    fact = next(note for note in user.list(kind="fact") if "Miso" in note.text)
    bound = last(user, "bind")
    user.update(fact.id, "Ann's cat is called Miso the Great.")

    user.rollback(bound.id)

    assert [note.text for note in user.list()] == ["Ann's cat is called Miso the Great."]


def test_a_rolled_back_edit_gives_the_old_words_and_what_was_formed_from_them(
    memory: lamina.Memory, user: lamina.Handle
) -> None:
    before = told(user)
    [summary] = user.list(kind="summary")
    user.update(summary.parents[0], "Something else altogether.")
    memory.process()

    user.rollback(last(user, "update").id)

    assert told(user)[:3] == before[:3]
    memory.process()
    assert memory.check() == []


def test_a_twin_of_what_is_rolled_back_is_told_again(memory: lamina.Memory) -> None:
    user = memory.user("bo")
    user.add("Bread is good.", session_id="a", timestamp="2026-01-01T10:00:00Z", wait=True)
    first = last(user, "bind")
    user.add("Good bread!", session_id="b", timestamp="2026-01-02T10:00:00Z", wait=True)
    [twin, kept] = user.list(kind="fact")
    merge(user, kept, twin)
    assert [note.id for note in user.list(kind="fact")] == [kept.id]

    back = user.rollback(first.id)
    memory.process()
    assert [note.id for note in user.list(kind="fact")] == [twin.id]

    user.rollback(back.operation.id)
    memory.process()
    assert [note.id for note in user.list(kind="fact")] == [kept.id]
    assert memory.check() == []


def test_a_twin_stays_away_if_what_it_rests_on_is_deleted(memory: lamina.Memory) -> None:
    user = memory.user("bo")
    user.add("Bread is good.", session_id="a", timestamp="2026-01-01T10:00:00Z", wait=True)
    user.add("Good bread!", session_id="b", timestamp="2026-01-02T10:00:00Z", wait=True)
    [twin, kept] = user.list(kind="fact")
    merge(user, kept, twin)

    user.delete(twin.sources[0])

    [left] = user.list(kind="fact")
    assert (left.id, left.sources) == (kept.id, kept.sources)


def merge(user: lamina.Handle, kept: lamina.Note, twin: lamina.Note) -> None:
    """Let one note stand for another that says the same."""
    now = user._engine.clock.now()
    made = Operation(id="merge1", kind="merge", known_at=now, recorded_at=now)
    note = replace(
        kept,
        revision=kept.revision + 1,
        sources=(*kept.sources, *twin.sources),
        parents=(twin.id,),
        operation=made.id,
        known_at=now,
        recorded_at=now,
    )
    gone = (Gone(what="note", id=twin.id, always=False),)
    user._engine.store.apply(user.scope, Writing(operation=made, notes=(note,), gone=gone), now=now)


def test_what_was_superseded_holds_again_when_its_successor_is_rolled_back(
    memory: lamina.Memory,
) -> None:
    user = memory.user("bo")
    user.add("I live in Paris now.", session_id="a", timestamp="2026-03-01T10:00:00Z", wait=True)
    user.add("I live in Rome now.", session_id="b", timestamp="2026-06-01T10:00:00Z", wait=True)
    assert [note.text for note in user.list(kind="fact")] == ["I live in Rome now."]

    back = user.rollback(last(user, "bind").id)
    memory.process()
    assert [note.text for note in user.list(kind="fact")] == ["I live in Paris now."]

    user.rollback(back.operation.id)
    memory.process()
    assert [note.text for note in user.list(kind="fact")] == ["I live in Rome now."]
    assert memory.check() == []


def test_what_is_restored_does_not_stand_on_what_has_gone_since(
    memory: lamina.Memory, user: lamina.Handle
) -> None:
    [summary] = user.list(kind="summary")
    deleted = user.delete(summary.parents[0])
    user.rollback(last(user, "bind").id)

    user.rollback(deleted.id)

    assert user.list() == []
    memory.process()
    assert memory.check() == []


def test_what_is_undone_already_or_cannot_be_is_refused(user: lamina.Handle) -> None:
    target = last(user, "bind")
    back = user.rollback(target.id)

    for verb in (user.rollback, user.diff):
        with pytest.raises(BadInput, match=back.operation.id):
            verb(target.id)
        with pytest.raises(BadInput, match="'index'"):
            verb(last(user, "index").id)


def test_an_operation_of_another_scope_is_not_found(
    memory: lamina.Memory, user: lamina.Handle
) -> None:
    other = memory.user("an")
    other.add("I live elsewhere.")

    for id_ in (last(user, "bind").id, "no such", "", "%"):
        for verb in (other.rollback, other.diff):
            with pytest.raises(NotFound):
                verb(id_)
    assert last(user, "bind").undone_by is None


def test_a_change_between_plan_and_rollback_is_taken_in(
    user: lamina.Handle, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, seen = lamina.memory.rollback._plan, list[int]()

    def interrupted(*given: Any) -> Plan:
        if not seen:
            user.add("Somebody came between.", session_id="s9", wait=True)
        seen.append(1)
        return plan(*given)

    monkeypatch.setattr("lamina.memory.rollback._plan", interrupted)
    user.rollback(last(user, "bind").id)
    assert len(seen) == 2

    monkeypatch.setattr(edit, "TRIES", 0)
    with pytest.raises(Conflict):
        user.rollback(last(user, "consolidate").id)


# Whatever was done.

SAID = (
    "I live in Paris now.", "I live in Rome now.", "My dog is called Rex.", "I eat meat.",
    "I no longer eat meat.", "我住在北京。", "我搬到上海了。",
)  # fmt: skip
numbers = st.integers(0, 9)
adds = st.tuples(st.just("add"), numbers, st.integers(0, 2))
others = st.tuples(
    st.sampled_from(["close", "update", "delete", "delete message", "quarantine", "rollback"]),
    numbers,
    numbers,
)


def do(user: lamina.Handle, clock: FakeClock, step: tuple[str, int, int]) -> None:
    """Do one thing; what cannot be done is left."""
    verb, one, other = step
    now = clock.advance(hours=1)
    notes, messages = user.list(superseded=True), user.messages()
    log = [op for op in user.operations() if op.kind != "index" and not op.undone_by]
    try:
        if verb == "add":
            user.add(SAID[one % len(SAID)], session_id=f"s{other}", timestamp=now)
        elif verb == "close":
            user.close_session(f"s{one % 3}")
        elif verb == "delete message" and messages:
            user.delete(messages[one % len(messages)].id)
        elif verb == "rollback" and log:
            user.rollback(log[one % len(log)].id)
        elif verb == "update" and notes:
            user.update(notes[one % len(notes)].id, SAID[other % len(SAID)])
        elif verb in ("delete", "quarantine") and notes:
            getattr(user, verb)(notes[one % len(notes)].id)
    except LaminaError:
        pass
    assert user.process().failed == ()


def texts(user: lamina.Handle) -> dict[str, str]:
    """What every note and message says now."""
    notes = {note.id: note.text for note in user.list(superseded=True, limit=1000)}
    return notes | {message.id: message.text for message in user.messages(limit=1000)}


many = st.lists(adds | adds | others, min_size=3, max_size=12)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(steps=many, which=numbers)
def test_whatever_was_done_a_rollback_does_what_its_diff_says_and_can_be_taken_back(
    steps: list[tuple[str, int, int]], which: int
) -> None:
    check_that_it_can_be_taken_back(":memory:", steps, which)


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(steps=many, which=numbers)
def test_so_it_is_in_a_file(steps: list[tuple[str, int, int]], which: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        check_that_it_can_be_taken_back(f"{folder}/memory.db", steps, which)


def check_that_it_can_be_taken_back(
    path: str, steps: list[tuple[str, int, int]], which: int
) -> None:
    clock = FakeClock()
    with lamina.open(path, encoder=WordEncoder(), clock=clock) as memory:
        user = memory.user("ann")
        for step in steps:
            do(user, clock, step)
        log = [op for op in user.operations() if op.kind != "index" and not op.undone_by]
        if not log:
            return
        before, buffer = told(user), user._engine.store.buffer(user.scope)
        said = texts(user)
        plan = user.diff(log[which % len(log)].id)
        clock.advance(hours=1)

        back = user.rollback(plan.target.id)

        assert back.plan == plan
        after = texts(user)
        differing = {i for i in {*said, *after} if said.get(i) != after.get(i)}
        planned = {c.id: c for c in plan.changes if c.before != c.after}
        assert set(planned) == differing
        assert all((c.before, c.after) == (said.get(i), after.get(i)) for i, c in planned.items())

        user.rollback(back.operation.id)
        assert told(user) == before
        assert user._engine.store.buffer(user.scope) == buffer
        assert memory.check() == []


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(steps=many, which=numbers)
def test_no_summary_rests_on_the_notes_of_an_extraction_that_was_rolled_back(
    steps: list[tuple[str, int, int]], which: int
) -> None:
    clock = FakeClock()
    with lamina.open(":memory:", encoder=WordEncoder(), clock=clock) as memory:
        user = memory.user("ann")
        for step in steps:
            do(user, clock, step)
        log = [op for op in user.operations(kinds=["bind"]) if not op.undone_by]
        if not log:
            return
        target = log[which % len(log)]
        others = {n.id: n for n in user.list(kind="relation") if n.operation != target.id}

        user.rollback(target.id)
        user.process()

        written = {n.id for n in user._engine.store.written_by(user.scope, target.id)}
        live = user.list(superseded=True, limit=1000)
        assert all(n.operation != target.id for n in live)
        summaries = [n for n in live if n.kind == "summary" and not n.by_person]
        gone = written - {n.id for n in live}  # what a person rewrote stays
        assert all(not gone & set(n.parents) for n in summaries)
        assert others.items() <= {n.id: n for n in live}.items()
        assert memory.check() == []
