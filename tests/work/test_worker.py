import threading

import pytest

import lamina
from lamina.errors import BadInput
from lamina.ports import Failure, Request
from lamina.testing import FakeClock, ScriptedLLM
from tests.conftest import Open

EMPTY = '{"facts": [], "relations": []}'
ONE_FACT = '{"facts": [{"source_id": 1, "fact": "Ann has a tandem."}], "relations": []}'


def say(user: lamina.Handle, *texts: str, session: str = "s1") -> None:
    for minute, text in enumerate(texts):
        user.add(text, session_id=session, timestamp=f"2026-01-01T10:{minute:02}:00Z")


def test_nothing_runs_unasked(memory: lamina.Memory) -> None:
    say(memory.user("ann"), "I bought a tandem.", "It is blue.")

    assert memory.user("ann").list() == []
    assert memory.stats().waiting == {"index": 1, "bind": 1}


def test_process_does_all_that_waits_and_tells_how_far_it_is(memory: lamina.Memory) -> None:
    say(memory.user("ann"), "I bought a tandem.")
    say(memory.user("bo"), "I sold a tandem.")
    told: list[tuple[int, int]] = []

    processed = memory.process(progress=lambda done, known: told.append((done, known)))

    assert processed.failed == ()
    assert memory.stats().waiting == {}
    assert told[0] == (0, 4)
    assert told[-1] == (processed.done, processed.done)
    assert memory.process().done == 0


def test_process_of_a_handle_leaves_others_alone(memory: lamina.Memory) -> None:
    say(memory.user("ann"), "I bought a tandem.")
    say(memory.user("bo"), "I sold a tandem.")

    memory.user("ann").process()

    assert memory.user("ann").stats().waiting == {}
    assert memory.user("bo").stats().waiting == {"index": 1, "bind": 1}


def test_what_fails_is_tried_again_later_and_later(open_memory: Open) -> None:
    clock, llm = FakeClock(), ScriptedLLM(always=Failure(reason="timeout", detail="slow"))
    memory = open_memory(llm, clock=clock)
    user = memory.user("ann")
    say(user, "I bought a tandem.")

    assert len(memory.process().failed) == 1
    assert len(memory.process().failed) == 1  # asked for: tried at once
    assert user.stats().troubles != ()
    with memory.worker(every=0.01, idle_after=None):  # not asked for: not due yet
        asked = len(llm.requests)
        threading.Event().wait(0.1)
        assert len(llm.requests) == asked


def test_a_worker_does_due_work_until_it_is_stopped(open_memory: Open) -> None:
    done = threading.Event()

    def answer(_: Request) -> str:
        done.set()
        return EMPTY

    memory = open_memory(ScriptedLLM(always=answer))
    worker = memory.worker(every=0.01).start()
    say(memory.user("ann"), "I bought a tandem.")

    assert done.wait(30)
    worker.stop()
    worker.stop()


def test_a_step_that_takes_longer_than_its_lease_is_done_all_the_same(open_memory: Open) -> None:
    clock = FakeClock()

    def slow(_: Request) -> str:
        clock.advance(hours=1)
        return EMPTY

    memory = open_memory(ScriptedLLM(always=slow), clock=clock)
    say(memory.user("ann"), "I bought a tandem.")

    assert memory.process().failed == ()
    assert memory.stats().waiting == {}


def test_who_was_overtaken_says_that_another_does_the_work(open_memory: Open) -> None:
    clock, overtaken = FakeClock(), threading.Event()

    def slow(_: Request) -> str:
        if not overtaken.is_set():
            overtaken.set()
            clock.advance(hours=1)
            assert memory.process().failed == ()
        return ONE_FACT

    memory = open_memory(ScriptedLLM(always=slow), clock=clock)
    say(memory.user("ann"), "I bought a tandem.")

    assert memory.process().busy == 1
    assert [note.text for note in memory.user("ann").list(kind="fact")] == ["Ann has a tandem."]


def test_closing_the_memory_stops_its_workers(open_memory: Open) -> None:
    memory = open_memory()
    memory.worker(every=0.01).start()
    memory.close()

    assert "lamina-worker" not in {thread.name for thread in threading.enumerate()}


def test_idle_sessions_are_closed_and_consolidated(open_memory: Open) -> None:
    clock = FakeClock()
    memory = open_memory(clock=clock)
    user = memory.user("ann")
    user.add(["I bought a tandem.", "It is blue and heavy."])
    memory.process(idle_after=600)
    assert [s.closed for s in user.sessions()] == [False]
    assert user.list(kind="summary") == []

    clock.advance(minutes=11)
    memory.process(idle_after=600)

    assert [s.closed for s in user.sessions()] == [True]
    assert len(user.list(kind="summary")) == 1


def test_a_message_opens_a_closed_session_again(memory: lamina.Memory) -> None:
    user = memory.user("ann")
    say(user, "I bought a tandem.")
    user.close_session("s1")
    user.add("And a bell.", session_id="s1", timestamp="2026-01-01T11:00:00Z")

    assert [s.closed for s in user.sessions()] == [False]


def test_a_strategy_that_breaks_stops_nothing_else(open_memory: Open) -> None:
    def breaks(request: Request) -> str:
        if "tandem" in request.prompt:
            raise RuntimeError("I bought a tandem: a person's words")
        return EMPTY

    memory = open_memory(ScriptedLLM(always=breaks))
    say(memory.user("ann"), "I bought a tandem.")
    say(memory.user("bo"), "I sold a boat.")

    failed = memory.process().failed

    assert failed == ("RuntimeError",)  # its words may hold a person's text, so they are not kept
    assert memory.user("bo").messages()[0].progress == "bound"
    assert memory.user("ann").messages()[0].progress == "pending"


def test_an_exchange_follows_when_a_message_comes_in_between(memory: lamina.Memory) -> None:
    pair = memory.conversation("ann-and-bo")
    pair.add({"speaker": "Bo", "content": "Blue."}, timestamp="2026-01-01T10:02:00Z")
    pair.add({"speaker": "Ann", "content": "Coffee or tea?"}, timestamp="2026-01-01T10:00:00Z")
    memory.process()
    question = {"speaker": "Ann", "content": "Which colour has the zeppelin?"}
    pair.add(question, timestamp="2026-01-01T10:01:00Z")
    memory.process()

    best = pair.search("What is the zeppelin's colour?", top_k=3, explain=True)
    answer = next(hit for hit in best if hit.text == "Blue.")
    assert answer.signals["exchange_lexical"] > 0
    assert memory.check() == []


@pytest.mark.parametrize("blank", ["", " "])
def test_a_session_without_a_name_cannot_be_closed(memory: lamina.Memory, blank: str) -> None:
    with pytest.raises(BadInput):
        memory.user("ann").close_session(blank)
