"""A pool that a model forms: what is asked, what it costs, and what a rerun pays."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

import lamina
from lamina.ports import Failure, Reply, Request
from lamina.strategies.amem4rec.config import AMEM4RecConfig
from lamina.testing import FakeClock, ScriptedLLM, WordEncoder
from lamina.testing.clock import NOON
from tests.memory.pooling.cinema import exported

GENRES = ("Crime", "Horror", "Comedy")


def answer(request: Request) -> str:
    """Say the same of every window, and link all that is shown."""
    shown = [json.loads(line) for line in request.prompt.splitlines() if line.startswith("[")]
    told = {
        "behavior_explanation": "Likes dark tales",
        "pattern_description": "One after another",
        "keywords": ["Crime"],
    }
    if request.schema and "windows" in request.schema["required"]:
        ids = [line[1] for line in shown if line[0] == "window"]
        return json.dumps({"windows": [{"id": id_, **told} for id_ in ids]})
    ids = [line[1] for line in shown if line[0] in ("pattern", "candidate")]
    return json.dumps({"linked": [{"id": id_, "reason": "both dark", **told} for id_ in ids]})


@pytest.fixture
def open_films(path: str) -> Iterator[Callable[[ScriptedLLM], lamina.Memory]]:
    opened: list[lamina.Memory] = []

    def open_(llm: ScriptedLLM) -> lamina.Memory:
        where = path if path == ":memory:" else f"{path}{len(opened)}"
        clock = FakeClock(NOON + timedelta(days=9))
        memory = lamina.open(where, encoder=WordEncoder(), clock=clock, llm=llm)
        opened.append(memory)
        films = memory.recommender("films")
        films.add_items(
            {"id": f"i{i}", "title": f"Quux {i}", "categories": [GENRES[i % 3]]} for i in range(9)
        )
        films.add_interactions(
            {"user": f"u{u}", "item": f"i{(u + i) % 9}", "timestamp": NOON + timedelta(minutes=i)}
            for u in range(6)
            for i in range(5)
        )
        return memory

    yield open_
    for memory in opened:
        memory.close()


def test_calls_and_tokens_are_told_and_few(
    open_films: Callable[[ScriptedLLM], lamina.Memory],
) -> None:
    llm = ScriptedLLM(always=answer)
    films = open_films(llm).recommender("films")

    done = films.refresh(workers=2)

    assert (done.windows, done.new, done.taken_in, done.failed) == (18, 18, 18, 0)
    assert done.calls == len(llm.requests) <= 18 * (1 + 1 / 8) + 1
    assert done.input_tokens == llm.input_tokens
    assert done.output_tokens > 0
    assert films.refresh().calls == 0


def test_every_part_is_on_record_with_what_it_asked(
    open_films: Callable[[ScriptedLLM], lamina.Memory],
) -> None:
    memory = open_films(ScriptedLLM(always=answer))
    films = memory.recommender("films")
    films.refresh()

    written = films.pool.operations(kinds=["write"], limit=999)[::-1]
    store = films._engine.store
    usage = [store.usage(films.pool.scope, operation=each.id) for each in written]
    asked = [each.calls + each.cached for each in usage]
    assert asked[0] == 0
    assert max(asked) == 1
    assert [each.model for each in written] == [
        "scripted" if calls else None for calls in asked
    ]  # fmt: skip
    added = films.pool.operations(kinds=["add"])
    assert sum(store.usage(films.pool.scope, operation=each.id).calls for each in added) == 3
    assert all(each.prompt_digest for each in added)


def test_threads_change_nothing(open_films: Callable[[ScriptedLLM], lamina.Memory]) -> None:
    pools = []
    for workers in (1, 4):
        films = open_films(ScriptedLLM(always=answer)).recommender("films")
        films.refresh(workers=workers)
        pools.append(exported(films.pool))

    assert pools[0] == pools[1]


def test_a_limit_that_is_reached_costs_nothing_twice(
    open_films: Callable[[ScriptedLLM], lamina.Memory],
) -> None:
    def limited(request: Request) -> str | Reply | Failure:
        if len(llm.requests) > 4:
            return Failure(reason="rate_limit", detail="too many requests")
        return answer(request)

    llm = ScriptedLLM(always=limited)
    films = open_films(llm).recommender("films")
    films._engine = replace(films._engine, amem4rec=AMEM4RecConfig(at_once=2))

    first = films.refresh(workers=1)
    assert (first.new, first.failed, first.waiting) == (12, 6, 11)  # what is alike is asked once
    assert first.troubles == ("rate_limit: too many requests",)
    llm._always = answer
    asked = len(llm.requests)
    second = films.refresh()

    assert (second.new, second.failed, second.waiting, second.taken_in) == (6, 0, 0, 17)
    assert len(llm.requests) - asked <= 3 + 17
    assert films.refresh().calls == 0
