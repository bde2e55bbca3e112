"""Behaviour 2: what was erased is nowhere: not in an answer, not in a list, not in a file."""

import threading
from pathlib import Path

import pytest

import lamina
from lamina.errors import StaleEpoch
from lamina.ports import Reply, Request
from lamina.testing import ScriptedLLM
from tests.conftest import Open

CANARY = "zanzibarquokka"
SECRET = f"The word is {CANARY}, and my mother's maiden name is Quillfeather{CANARY}."
NOISE = 300
"""Messages of each of the others."""


def fill(user: lamina.Handle, *, secret: bool = False) -> None:
    """Let a user say many things, with all layers formed, edits and a rollback."""
    texts = [f"On day {i} I saw a heron at pond {i * 7}." for i in range(60 if secret else NOISE)]
    for place in range(0, len(texts), 20) if secret else ():
        texts[place] = f"{SECRET} That was on day {place}."
    user.add(texts, session_id="s1", timestamp="2026-01-01T10:00:00Z")
    user.close_session("s1")
    user.process()


@pytest.fixture
def erased(memory: lamina.Memory) -> lamina.Memory:
    """A store of some 1,000 messages in which a user with a canary was, and is erased."""
    for name in ("bo", "cy", "di"):
        fill(memory.user(name))
    ann = memory.user("ann")
    fill(ann, secret=True)
    facts = [note for note in ann.list(kind="fact") if CANARY in note.text]
    ann.update(facts[0].id, f"The word was {CANARY}.")
    ann.rollback(ann.operations(kinds=["update"])[0].id)
    ann.quarantine(facts[1].id)
    ann.delete(ann.messages(limit=60)[0].id)
    ann.search(CANARY)  # so that caches have seen it
    bo = memory.user("bo")
    bo.add("I know nothing of it.", timestamp="2026-02-01T10:00:00Z", wait=True)
    ann.forget()
    return memory


def told(memory: lamina.Memory) -> str:
    """Everything that any handle tells."""
    found: list[str] = []
    for handle in [memory.user("ann"), *memory.handles()]:
        found += [str(hit.to_dict()) for hit in handle.search(f"What is the word {CANARY}?")]
        found += [str(hit.to_dict()) for hit in handle.search("word", as_of="2026-01-20")]
        found += [str(hit.to_dict()) for hit in handle.search("word", recorded_as_of="2099-01-01")]
        found += [str(note.to_dict()) for note in handle.list(superseded=True, limit=1000)]
        found += [str(message.to_dict()) for message in handle.messages(limit=1000)]
        found += [str(operation.to_dict()) for operation in handle.operations()]
        found += [handle.context("the word"), *handle.export()]
    return "\n".join(found)


def test_it_is_nowhere_at_once_in_no_file_after_the_purge_and_comes_not_back(
    erased: lamina.Memory, path: str
) -> None:
    assert CANARY not in told(erased)

    erased.compact()
    assert erased.verify_erasure([SECRET, CANARY], user="ann").clean
    if path != ":memory:":
        for file in Path(path).parent.iterdir():
            assert CANARY.encode() not in file.read_bytes()
            assert b"quillfeather" not in file.read_bytes().lower()

    erased.process()
    assert CANARY not in told(erased)
    assert erased.user("ann").stats().counts["jobs"] == 0
    assert erased.check() == []


def test_the_receipt_tells_how_much_and_not_what(memory: lamina.Memory) -> None:
    ann = memory.user("ann")
    fill(ann, secret=True)
    receipt = ann.forget()

    assert receipt.messages == 60
    assert receipt.notes > 60
    assert receipt.stage == "physical"
    assert CANARY not in str(receipt.to_dict())


def test_the_logical_stage_hides_before_the_purge(memory: lamina.Memory) -> None:
    ann = memory.user("ann")
    fill(ann, secret=True)
    receipt = ann.forget(purge=False)

    assert receipt.stage == "logical"
    assert CANARY not in told(memory)
    assert memory.compact()
    assert memory.verify_erasure([CANARY]).clean


def test_what_is_still_there_is_found(memory: lamina.Memory, path: str) -> None:
    memory.user("ann").add(SECRET, wait=True)

    found = memory.verify_erasure([CANARY], user="ann")
    assert found.clean == (path == ":memory:")  # which has no files


def test_a_writer_in_flight_brings_nothing_back(open_memory: Open) -> None:
    asked, erased = threading.Event(), threading.Event()

    def slow(_: Request) -> str:
        asked.set()
        assert erased.wait(20)
        return (
            '{"facts": [{"source_id": 1, "fact": "The word is ' + CANARY + '."}], "relations": []}'
        )

    memory = open_memory(ScriptedLLM(always=slow))
    ann = memory.user("ann")
    ann.add(SECRET)
    worker = threading.Thread(target=ann.process)
    worker.start()
    assert asked.wait(20)
    ann.forget()
    erased.set()
    worker.join()

    memory.process()
    assert CANARY not in told(memory)
    assert ann.messages() == []
    assert memory.check() == []


def test_an_add_that_began_before_the_erasure_is_refused(open_memory: Open) -> None:
    memory = open_memory()
    ann = memory.user("ann")
    ann.add("Hello.")
    store, scope = ann._engine.store, ann.scope
    epoch = store.epoch(scope)
    ann.forget()

    with pytest.raises(StaleEpoch):
        store.append(scope, [], [], steps=[], now=ann._engine.clock.now(), epoch=epoch)


def test_a_reply_is_not_kept_for_whom_was_erased(open_memory: Open, path: str) -> None:
    said = Reply(text="{}", model="scripted", input_tokens=1, output_tokens=1)
    memory = open_memory(ScriptedLLM(always=said))
    ann = memory.user("ann")
    ann.add(SECRET)
    ann.process()
    ann.forget()
    memory.process()

    assert memory.check() == []
    assert memory.verify_erasure([CANARY]).clean
