"""Behaviour 11: whatever a model does, the message is kept and a later run completes the work."""

import json

import pytest

from lamina.ports import Failure, Reply
from lamina.testing import ScriptedLLM
from tests.acceptance.silent import SILENT
from tests.conftest import Open

GOOD = json.dumps(
    {"facts": [{"source_id": 1, "fact": "Ann is allergic to walnuts."}], "relations": []}
)
BAD = [
    "I am sorry, I can't help with that.",
    "```json\n{not json}\n```",
    GOOD[: len(GOOD) // 2],
    "null",
    "[]",
    "",
    '{"facts": "none"}',
    '{"facts": [{"source_id": "one", "fact": 5}], "relations": [7]}',
    Reply(text=GOOD[:20], model="m", truncated=True),
    *SILENT,
]


@pytest.mark.parametrize("bad", BAD, ids=range(len(BAD)))
def test_the_message_is_kept_the_outcome_is_told_and_a_later_run_completes_it(
    open_memory: Open, bad: str | Reply | Failure
) -> None:
    llm = ScriptedLLM(bad, bad)
    memory = open_memory(llm)
    user = memory.user("ann")
    user.add("I am allergic to walnuts.", timestamp="2026-01-01T10:00:00Z")

    outcome = memory.process()

    assert len(outcome.failed) == 1
    assert memory.stats().troubles != ()
    assert user.list() == []
    assert user.search("walnuts")[0].text == "I am allergic to walnuts."
    assert user.messages()[0].progress in ("pending", "unextracted")
    assert memory.check() == []

    mended = open_memory(ScriptedLLM(always=GOOD))
    assert mended.process().failed == ()
    assert [note.text for note in mended.user("ann").list()] == ["Ann is allergic to walnuts."]
    assert mended.user("ann").messages()[0].progress == "bound"
    assert mended.stats().troubles == ()


@pytest.fixture
def path(tmp_path: object) -> str:
    """A file: to complete the work later, a store must outlive the one that began it."""
    return f"{tmp_path}/memory.db"


@pytest.mark.parametrize("wrong", [0, 2, 99, -1, "1x", None, True, 1.5])
def test_ids_that_were_not_shown_are_dropped(open_memory: Open, wrong: object) -> None:
    reply = {
        "facts": [
            {"source_id": wrong, "fact": "Ann owns a castle."},
            {"source_id": 1, "fact": "Ann is allergic to walnuts."},
        ],
        "relations": [],
    }
    memory = open_memory(ScriptedLLM(always=json.dumps(reply)))
    user = memory.user("ann")
    user.add("I am allergic to walnuts.", timestamp="2026-01-01T10:00:00Z", wait=True)

    assert "Ann owns a castle." not in [note.text for note in user.list()]


def test_a_reply_in_a_fence_or_amid_prose_is_read(open_memory: Open) -> None:
    memory = open_memory(ScriptedLLM(f"Here you are:\n```json\n{GOOD}\n```\nAnything else?"))
    user = memory.user("ann")
    user.add("I am allergic to walnuts.", timestamp="2026-01-01T10:00:00Z", wait=True)

    assert [note.text for note in user.list()] == ["Ann is allergic to walnuts."]


def test_nothing_is_paid_twice(open_memory: Open) -> None:
    user = open_memory(ScriptedLLM(GOOD)).user("ann")
    user.add("I am allergic to walnuts.", timestamp="2026-01-01T10:00:00Z", wait=True)

    assert user.stats().usage.calls == 1
    assert user.process().done == 0
