"""Behaviour 11, of pools: whatever a model does, nothing is lost, and a later run completes it."""

import json
from collections.abc import Callable

import pytest

from lamina.ports import Failure, Reply, Request
from lamina.testing import ScriptedLLM, WordEncoder
from tests.acceptance.silent import SILENT
from tests.acceptance.telling import answer, asks_to_judge
from tests.acceptance.walking import films, texts, walk
from tests.conftest import Open

WALKS = tuple(walk(user, "nnwm") for user in ("ann", "bob", "cid", "dee"))
SENSELESS = [
    "I am sorry, I can't help with that.",
    "```json\n{not json}\n```",
    '{"windows": [{"id": 1, "behavior_explanation": "A lik',
    "null",
    "[]",
    "",
    '{"windows": 5, "linked": "none"}',
    '{"windows": [{"id": 99}], "linked": [{"id": 99, "reason": "x"}]}',
    Reply(text='{"windows"', model="m", truncated=True),
    Failure(reason="refused", detail="it would not"),
]


@pytest.fixture
def path(tmp_path: object) -> str:
    """A file: to complete the work later, a store must outlive the one that began it."""
    return f"{tmp_path}/memory.db"


def judging(reply: str | Reply | Failure) -> Callable[[Request], str | Reply | Failure]:
    """Return a model that tells windows well, and judges badly."""
    return lambda request: reply if asks_to_judge(request) else answer(request)


@pytest.mark.parametrize("reply", SILENT, ids=lambda reply: reply.reason)
def test_where_a_model_is_silent_nothing_is_made_up_and_the_next_refresh_asks_again(
    open_memory: Open, reply: Failure
) -> None:
    memory = open_memory(ScriptedLLM(always=reply), encoder=WordEncoder())
    made = films(memory, *WALKS, share=False)

    done = made.pool.refresh()

    assert (done.new, done.failed, done.waiting) == (0, 8, 0)
    assert any(reply.detail in trouble for trouble in done.troubles)
    assert texts(made.pool, "ann") == []
    assert made.rank("ann", method="amem4rec").ids
    assert memory.check() == []

    mended = films(open_memory(ScriptedLLM(always=answer), encoder=WordEncoder()))
    assert mended.pool.refresh().new == 0
    assert max(pattern.contributors for pattern in mended.pool.patterns()) == 4


@pytest.mark.parametrize("reply", SENSELESS, ids=range(len(SENSELESS)))
def test_what_makes_no_sense_is_selected_and_told_anew_later(
    open_memory: Open, reply: str | Reply | Failure
) -> None:
    memory = open_memory(ScriptedLLM(always=reply), encoder=WordEncoder())
    made = films(memory, *WALKS, share=False)

    done = made.pool.refresh()

    assert (done.new, done.failed, done.waiting) == (8, 0, 0)
    assert all("Likes noir" in text for text in texts(made.pool, "ann")[:1])
    assert memory.check() == []

    later = open_memory(ScriptedLLM(always=answer), encoder=WordEncoder())
    mended = later.recommender("films")
    assert mended.pool.refresh().redone == 8
    assert max(pattern.contributors for pattern in mended.pool.patterns()) == 4
    assert all("A liking for noir." in pattern.explanation for pattern in mended.pool.patterns())
    assert mended.pool.refresh().redone == 0
    assert later.check() == []


@pytest.mark.parametrize("reply", SENSELESS, ids=range(len(SENSELESS)))
def test_a_part_that_is_judged_senselessly_is_stored(
    open_memory: Open, reply: str | Reply | Failure
) -> None:
    memory = open_memory(ScriptedLLM(always=judging(reply)), encoder=WordEncoder())
    made = films(memory, *WALKS, share=False)

    done = made.pool.refresh()

    assert (done.new, done.taken_in, done.waiting) == (8, 8, 0)
    assert made.pool.measure().parts == 8
    for user in ("ann", "bob", "cid", "dee"):
        assert any(pattern.yours for pattern in made.pool.patterns(user))
    assert memory.check() == []


@pytest.mark.parametrize("reply", SILENT, ids=lambda reply: reply.reason)
def test_parts_that_nobody_judges_wait_and_stay(open_memory: Open, reply: Failure) -> None:
    memory = open_memory(ScriptedLLM(always=judging(reply)), encoder=WordEncoder())
    made = films(memory, *WALKS, share=False)

    done = made.pool.refresh()

    assert done.new == 8
    assert done.waiting == made.pool.pending > 0
    assert done.troubles != ()
    assert memory.check() == []

    later = open_memory(ScriptedLLM(always=answer), encoder=WordEncoder())
    mended = later.recommender("films").pool
    refreshed = mended.refresh()
    assert (refreshed.new, refreshed.waiting) == (0, 0)
    assert max(pattern.contributors for pattern in mended.patterns()) == 4


def test_nothing_is_asked_twice_of_what_was_answered(open_memory: Open) -> None:
    first = ScriptedLLM(always=judging(Failure(reason="timeout", detail="60 s")))
    films(open_memory(first, encoder=WordEncoder()), *WALKS, share=False).pool.refresh()
    asked = {request.prompt for request in first.requests if not asks_to_judge(request)}

    second = ScriptedLLM(always=answer)
    pool = open_memory(second, encoder=WordEncoder()).recommender("films").pool
    pool.refresh()
    count = len(second.requests)
    pool.refresh()

    assert asked.isdisjoint(second.prompts)
    assert len(second.requests) == count


def test_links_to_what_was_not_shown_are_dropped(open_memory: Open) -> None:
    def forging(request: Request) -> str:
        if not asks_to_judge(request):
            return answer(request)
        [true, *_] = json.loads(answer(request))["linked"]
        forged = [{**true, "id": id_} for id_ in (0, -1, 99, "1x", None, True, 1.5)]
        return json.dumps({"linked": [*forged, true, true]})

    memory = open_memory(ScriptedLLM(always=forging), encoder=WordEncoder())
    made = films(memory, *WALKS)

    found = made.pool.measure()
    assert found.parts == 8
    for pattern in made.pool.patterns("ann"):
        sources = [s for each in made.pool.history(pattern.id) for s in each.sources]
        assert len(sources) == len(set(sources))
    assert memory.check() == []
