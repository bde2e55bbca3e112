"""Behaviour 11, of recommenders: whatever a model does, nothing is lost, half done or dropped."""

import json

import pytest

from lamina.ports import Failure, Reply
from lamina.testing import ScriptedLLM, WordEncoder
from tests.acceptance.silent import SILENT
from tests.acceptance.watching import ITEMS, act
from tests.conftest import Open

NOTE = {
    "content": "The user saw Laura.",
    "keywords": ["detective"],
    "tags": ["noir"],
    "context": "",
}
GOOD = json.dumps(
    {
        "user_note": NOTE,
        "item_note": {**NOTE, "content": "Laura is a film."},
        "links": [],
        "evolve": False,
        "keywords": [],
        "tags": [],
        "context": "",
        "confidence": 0.0,
        "supporting_notes": [],
        "user": NOTE,
        "item": None,
        "neighbours": [],
        "facets": [],
        "support_edges": [],
        "summary": "Noir.",
        "facet_hints": [],
        "evidence_paths": [],
        "scores": [],
    }
)
"""What fits every stage."""
BAD = [
    "I am sorry, I can't help with that.",
    "```json\n{not json}\n```",
    GOOD[: len(GOOD) // 2],
    "null",
    "[]",
    "",
    '{"user_note": 5, "links": 3, "scores": "none"}',
    Reply(text=GOOD[:20], model="m", truncated=True),
    *SILENT,
]


@pytest.fixture
def path(tmp_path: object) -> str:
    """A file: to complete the work later, a store must outlive the one that began it."""
    return f"{tmp_path}/memory.db"


@pytest.mark.parametrize("bad", BAD, ids=range(len(BAD)))
def test_what_was_done_is_kept_and_ranked_and_a_later_run_completes_it(
    open_memory: Open, bad: str | Reply | Failure
) -> None:
    memory = open_memory(ScriptedLLM(always=bad), encoder=WordEncoder())
    made = memory.recommender("films")
    made.add_items(ITEMS)
    made.add_interactions([act("ann", "1", 1, "A dark one.")])
    made.process()

    assert made.list() == []
    assert made.pending == 1
    assert memory.stats().troubles != ()
    assert made.interactions("ann")[0].text == "A dark one."
    ranking = made.rank("ann", list("0123"))
    assert (sorted(ranking.ids), ranking.pending) == (list("0123"), 1)
    assert ranking.discarded
    assert memory.check() == []

    mended = open_memory(ScriptedLLM(always=GOOD), encoder=WordEncoder())
    films = mended.recommender("films")
    for _ in range(2):
        outcome = films.process()
    assert outcome.failed == ()
    assert [note.text for note in films.list(kind="user_note")] == ["The user saw Laura."]
    assert films.pending == 0
    assert mended.check() == []


@pytest.mark.parametrize(
    "scores",
    [
        [{"item_id": wrong, "score": 1.0, "rationale": "x"}]
        for wrong in (0, 99, -1, "1x", None, True, 1.5)
    ]
    + [[{"item_id": 1, "score": 0.9}] * 7, [{"item_id": 1, "score": float("inf")}], []],
    ids=range(10),
)
def test_a_ranking_is_a_permutation_whatever_the_model_says(
    open_memory: Open, scores: list[dict[str, object]]
) -> None:
    reply = json.dumps({**json.loads(GOOD), "scores": scores})
    memory = open_memory(ScriptedLLM(always=reply), encoder=WordEncoder())
    made = memory.recommender("films")
    made.add_items(ITEMS)
    made.add_interactions([act("ann", "1", 1)], wait=True)

    ranking = made.rank("ann", ["0", "1", "2", "3", "3", "unknown"])
    assert sorted(ranking.ids) == list("0123")
    assert (ranking.duplicates, ranking.unknown) == (1, ("unknown",))
