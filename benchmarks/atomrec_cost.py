"""What AtomRec asks a model for 1,000 interactions and 100 rankings: calls and tokens a stage.

`python -m benchmarks.atomrec_cost [INTERACTIONS]`; needs LAMINA_DATA. The model is scripted: it
writes notes of usual length, links three, evolves what it is asked to, and scores all candidates,
so that every stage is asked as often as it can be. Vectors are made of hashed words. It is done in
an empty store, and again in one that holds some interactions: what is asked must not grow with it.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import lamina
from benchmarks.atomrec_build import Hashed, of
from benchmarks.timing import verdict
from lamina.items import Interaction, Item
from lamina.memory.recommending import Recommender
from lamina.models.tokens import rough_input_tokens
from lamina.ports import Request
from lamina.testing import ScriptedLLM

BEFORE = 3_000
COUNT = 1_000
RANKINGS = 100
CANDIDATES = 20
STAGES = {
    "user_note": "write", "evolve": "evolve", "links": "link", "user": "reflect",
    "summary": "synthesise", "facets": "taste", "scores": "score",
}  # fmt: skip
"""By what of a reply alone has it, in this order: the stage that asks for it."""
WORDS = (
    "The user rated a film of this kind well above what is usual for them and comes back to such "
    "stories of people under pressure, told slowly and with care, more often than to others."
)


def main() -> None:
    """Count what is asked, in a small store and in a larger one."""
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    count = numbers[0] if numbers else COUNT
    done = sorted((act for act in of(Interaction) if act.action == "rate"), key=lambda a: a.at)
    for before in (0, BEFORE):
        print(f"\nin a store of {before} interactions, {count} more:")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "memory.db"
            with lamina.open(path, encoder=Hashed()) as memory:
                _taken_in(memory.recommender("films"), done[:before])
            _count(path, done[before : before + count])


def _taken_in(films: Recommender, done: Sequence[Interaction]) -> None:
    films.add_items(of(Item))
    if done:
        films.add_interactions(done, wait=True)


def _count(path: Path, done: Sequence[Interaction]) -> None:
    model = ScriptedLLM(always=_answer)
    with lamina.open(path, encoder=Hashed(), llm=model) as memory:
        films = memory.recommender("films")
        films.add_interactions(done, wait=True)
        writing, model.requests = model.requests, []
        users = list(dict.fromkeys(act.user for act in done))
        items = list(dict.fromkeys(act.item for act in done))
        for n in range(RANKINGS):
            start = n * CANDIDATES % max(1, len(items) - CANDIDATES)
            asked = f"something for evening {n}"  # or the same would be asked, and kept already
            films.rank(users[n % len(users)], items[start : start + CANDIDATES], instruction=asked)
    _tell("write side", writing, len(done))
    verdict("input tokens an interaction", _tokens(writing) / len(done), "at most 9,000")
    _tell("a ranking", model.requests, RANKINGS)


def _tell(side: str, asked: Sequence[Request], times: int) -> None:
    calls, tokens, most = Counter[str](), Counter[str](), Counter[str]()
    for request in asked:
        stage, size = _stage(request), rough_input_tokens(request)
        calls[stage] += 1
        tokens[stage] += size
        most[stage] = max(most[stage], size)
    print(f"{side:14}{'calls':>8}{'input tokens':>14}{'of a call':>12}{'at most':>10}")
    for stage in calls:
        mean = tokens[stage] / calls[stage]
        each = (calls[stage] / times, tokens[stage] / times)
        print(f"  {stage:12}{each[0]:8.2f}{each[1]:14.0f}{mean:12.0f}{most[stage]:10}")
    print(f"  {'in all':12}{calls.total() / times:8.2f}{tokens.total() / times:14.0f}")


def _tokens(asked: Sequence[Request]) -> int:
    return sum(map(rough_input_tokens, asked))


def _stage(request: Request) -> str:
    properties = (request.schema or {}).get("properties", {})
    if "user_note" not in properties and "item_note" in properties:
        return "write_item"
    return next(stage for name, stage in STAGES.items() if name in properties)


def _answer(request: Request) -> str:
    number = zlib.crc32(request.prompt.encode())  # or all notes, and what is asked, would be alike
    fields = {
        "content": f"{WORDS} No. {number}.",
        "keywords": ["pressure", "slow", "character study", f"heist {number}"],
        "tags": ["Crime", "Drama", "Thriller"],
        "context": f"{WORDS[:120]} {number}",
    }
    return json.dumps(_reply(_stage(request), _ids(request.prompt), fields))


def _ids(prompt: str) -> list[int]:
    """Return the ids that a prompt shows, in order."""
    return list(dict.fromkeys(int(id_) for id_ in re.findall(r"^\[(\d+), ", prompt, re.MULTILINE)))


def _reply(stage: str, ids: Sequence[int], fields: Mapping[str, Any]) -> dict[str, Any]:
    changed = {
        **{name: fields[name] for name in ("keywords", "tags", "context")},
        "links": [],
        "confidence": 0.8,
        "supporting_notes": ids[:1] or [1],
    }
    replies: dict[str, dict[str, Any]] = {
        "write": {"user_note": fields, "item_note": fields},
        "write_item": {"item_note": fields},
        "link": {"links": [{"id": id_, "relation": WORDS[:60]} for id_ in ids[1:4]]},
        "evolve": {"evolve": True, **changed},
        "reflect": {"user": fields, "item": None, "neighbours": []},
        "synthesise": {"summary": WORDS, "facet_hints": ["slow crime"], "evidence_paths": []},
        "taste": {
            "facets": [
                {"facet": "slow crime", "confidence": 0.6, "supporting_notes": list(ids[:1])}
            ],
            "support_edges": [],
        },
        "score": {
            "scores": [{"item_id": id_, "score": 0.5, "rationale": WORDS[:60]} for id_ in ids]
        },
    }
    return replies[stage]


if __name__ == "__main__":
    main()
