"""The strategy in a real memory: queue, view, store and face, with a scripted model."""

import hashlib
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

import lamina
from lamina.ports import EncoderSpace, Failure, Request
from lamina.testing import ScriptedLLM
from tests.strategies.structmem.test_estimate import reader

if TYPE_CHECKING:
    from lamina.model import Vectors

MARCH = "2024-03-09T18:00:00Z"
JUNE = "2024-06-09T18:00:00Z"


class WordEncoder:
    """A vector for each bag of words: texts that share words are near."""

    space = EncoderSpace(id="words", dim=64, max_tokens=512, languages=frozenset({"en"}))

    def encode(self, texts: Sequence[str]) -> "Vectors":
        vectors = np.full((len(texts), 64), 1e-3, dtype=np.float32)
        for row, text in enumerate(texts):
            for word in text.lower().split():
                vectors[row, hashlib.sha256(word.encode()).digest()[0] % 64] += 1.0
        lengths: Vectors = np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors / lengths

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [-(-len(text) // 4) for text in texts]


def boat(llm: ScriptedLLM | None) -> lamina.Memory:
    """Return a memory of two sessions about a boat, both closed and not yet processed."""
    memory = lamina.open(":memory:", encoder=WordEncoder(), llm=llm)
    pair = memory.conversation("ann-and-bo")
    pair.add(
        [
            {"speaker": "Ann", "content": "I am building a wooden boat with Cy."},
            {"speaker": "Bo", "content": "A wooden boat needs a lot of paint."},
        ],
        session_id="march",
        timestamp=MARCH,
    )
    pair.add(
        [
            {"speaker": "Ann", "content": "The wooden boat is finished and painted blue."},
            {"speaker": "Bo", "content": "Then the boat can sail in July."},
        ],
        session_id="june",
        timestamp=JUNE,
    )
    pair.close_session("march")
    pair.close_session("june")
    return memory


def test_sessions_are_bound_and_consolidated_with_links_to_the_history() -> None:
    llm = ScriptedLLM(always=reader)
    with boat(llm) as memory:
        assert memory.process().failed == ()
        pair = memory.conversation("ann-and-bo")
        summaries = pair.list(kind="summary")

        assert len(llm.requests) == 4
        assert {s.said_at.date().isoformat() for s in summaries} == {"2024-03-09", "2024-06-09"}
        assert {m.progress for m in pair.messages()} == {"bound"}
        assert all(m.consolidated for m in pair.messages())
        assert memory.check() == []
        [june] = [s for s in summaries if s.said_at.month == 6]
        assert june.began_at.month == 3


def test_a_summary_is_revised_and_its_first_state_is_kept() -> None:
    def answer(request: Request) -> str:
        if "summary" not in (request.schema or {})["properties"]:
            return reader(request)
        shown = [json.loads(x)[0] for x in request.prompt.splitlines() if '"summary"' in x]
        return json.dumps({"summary": "Ann has a wooden boat.", "revises": (*shown, None)[0]})

    with boat(ScriptedLLM(always=answer)) as memory:
        memory.process()
        pair = memory.conversation("ann-and-bo")
        [summary] = pair.list(kind="summary")

        assert [revision.number for revision in pair.history(summary.id)] == [1, 2]
        assert (summary.began_at.month, summary.said_at.month) == (3, 6)


def test_a_model_that_is_down_loses_nothing_and_the_work_is_completed_later() -> None:
    down = Failure(reason="connection", detail="dropped")
    answers = [down] * 4
    llm = ScriptedLLM(*answers, always=reader)
    with boat(llm) as memory:
        assert len(memory.process().failed) == 4
        pair = memory.conversation("ann-and-bo")
        assert {m.progress for m in pair.messages()} == {"unextracted"}
        assert pair.list() == []

        assert memory.process().failed == ()

        assert {m.progress for m in pair.messages()} == {"bound"}
        assert {note.kind for note in pair.list()} == {"fact", "relation", "summary"}


def test_without_a_model_the_same_layers_are_formed() -> None:
    with boat(None) as memory:
        assert memory.process().failed == ()
        pair = memory.conversation("ann-and-bo")

        assert {note.kind for note in pair.list()} == {"fact", "relation", "summary"}
        assert memory.check() == []
