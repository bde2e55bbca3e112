import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import lamina
from lamina.memory import Memory
from lamina.memory.recommending import Recommender, judging, ranking
from lamina.ports import Failure, Request
from lamina.testing import FakeClock, ScriptedLLM, WordEncoder
from tests.memory.recommending.test_ranking import DONE, ITEMS, did

TITLES = {str(item["title"]): str(item["id"]) for item in ITEMS}
Answer = Callable[[Request], str | Failure]


def numbers(request: Request) -> dict[str, int]:
    """The number under which each item was shown, by its id."""
    lines = re.findall(r'^\[(\d+), "(\w+)"', request.prompt, flags=re.MULTILINE)
    return {TITLES[title]: int(number) for number, title in lines if title in TITLES}


def asked_for(request: Request) -> str:
    assert request.schema is not None
    return str(next(iter(request.schema["required"])))


def scripted(score: Answer) -> ScriptedLLM:
    def answer(request: Request) -> str | Failure:
        if asked_for(request) == "scores":
            return score(request)
        return json.dumps({"summary": "crime", "facets": []})

    return ScriptedLLM(always=answer)


def scores(**given_: float) -> Answer:
    """Scores of items by id, such as `i3=0.9`."""

    def answer(request: Request) -> str:
        shown = numbers(request)
        told = [
            {"item_id": shown[name[1:]], "score": value, "rationale": f"because of {name}"}
            for name, value in given_.items()
        ]
        return json.dumps({"scores": told})

    return answer


def filled(llm: ScriptedLLM) -> tuple[Memory, Recommender]:
    memory = lamina.open(":memory:", encoder=WordEncoder(), clock=FakeClock(), llm=llm)
    films = memory.recommender("films")
    films.add_items(ITEMS)
    films.add_interactions(DONE)
    return memory, films


def test_the_order_is_the_models_and_its_reasons_are_told() -> None:
    memory, films = filled(scripted(scores(i1=0.2, i3=0.5, i4=0.9)))
    with memory:
        found = films.rank("ann", ["1", "3", "4"])
    assert found.ids == ("4", "3", "1")
    assert {each.by for each in found.items} == {"model"}
    assert found.items[0].rationale == "because of i4"
    assert (found.appended, found.invented, found.discarded, found.narrowed_from) == (
        0,
        0,
        False,
        0,
    )


def test_what_the_model_leaves_out_is_appended_in_the_extractive_order() -> None:
    memory, films = filled(scripted(scores(i4=0.1)))
    with memory:
        found = films.rank("ann", ["1", "3", "4", "0"])
    plain, without = filled(ScriptedLLM())
    with plain:
        without._engine = plain_engine(without)
        extractive = without.rank("ann", ["1", "3", "4", "0"]).ids
    assert found.ids == ("4", *(id_ for id_ in extractive if id_ != "4"))
    assert found.appended == 3
    assert [each.by for each in found.items] == ["model", "fallback", "fallback", "fallback"]


def plain_engine(films: Recommender) -> Any:
    """The engine of a recommender, with no model to ask."""
    from dataclasses import replace

    from lamina.work.engine import no_model

    return replace(films._engine, llm=no_model)


def test_a_failure_leaves_all_to_the_fallback() -> None:
    memory, films = filled(scripted(lambda _: Failure(reason="timeout", detail="")))
    with memory:
        found = films.rank("ann", ["1", "3", "4"])
    assert sorted(found.ids) == ["1", "3", "4"]
    assert found.discarded
    assert found.appended == 3
    assert {each.by for each in found.items} == {"fallback"}


@pytest.mark.parametrize(
    ("failure", "told"),
    [
        (
            Failure(reason="connection", detail="openai:m: no connection"),
            "the model gave no answer (connection): openai:m: no connection",
        ),
        (
            Failure(reason="rate_limit", detail="openai:m: too many requests (HTTP 429)"),
            "the model gave no answer (rate_limit): openai:m: too many requests (HTTP 429)",
        ),
        ("no JSON", "the model's reply was malformed, also when asked again"),
    ],
    ids=["connection", "too many", "malformed"],
)
def test_why_there_is_no_reply_to_use_is_told(failure: str | Failure, told: str) -> None:
    memory, films = filled(scripted(lambda _: failure))
    with memory:
        assert films.rank("ann", ["1", "3"]).failure == told
    memory, films = filled(scripted(scores(i1=0.2)))
    with memory:
        assert films.rank("ann", ["1", "3"]).failure == ""


def test_more_than_are_shown_are_narrowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "SHOWN", 2)
    seen: list[int] = []

    def answer(request: Request) -> str | Failure:
        seen.append(len(numbers(request)))
        return scores()(request)

    memory, films = filled(scripted(answer))
    with memory:
        found = films.rank("ann", ["0", "1", "2", "3", "4"])
    assert set(seen) == {2}
    assert found.narrowed_from == 5
    assert sorted(found.ids) == ["0", "1", "2", "3", "4"]


def test_what_breaks_a_constraint_stays_last_whatever_the_model_says() -> None:
    memory, films = filled(scripted(scores(i1=0.9, i3=0.5, i4=0.2)))
    with memory:
        assert films.rank("ann", ["1", "3", "4"], instruction="after 1990").ids == ("3", "4", "1")


def test_ranking_waits_for_nothing_that_is_pending() -> None:
    llm = scripted(scores(i1=0.9))
    memory, films = filled(llm)
    with memory:
        assert films.rank("ann", ["1"]).pending == len(DONE)
    assert all(asked_for(request) in ("scores", "facets", "summary") for request in llm.requests)


def test_nothing_later_is_shown_to_the_model() -> None:
    llm = scripted(scores())
    memory, films = filled(llm)
    with memory:
        films.rank("ann", ["1", "3"], as_of="2020-05-04T18:00:00Z")
        before = list(llm.prompts)
        films.add_interactions([did("ann", "4", 20, 5.0), did("bo", "3", 21)])
        llm.requests.clear()
        films.rank("ann", ["1", "3"], as_of="2020-05-04T18:00:00Z")
    assert llm.prompts == before


replies = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 9) | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["scores", "item_id", "score", "x"]), inner, max_size=3)
    ),
    max_leaves=12,
)


@settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    reply=st.builds(json.dumps, replies)
    | st.text(max_size=30)
    | st.lists(
        st.fixed_dictionaries({"item_id": st.integers(-1, 6), "score": st.floats(-1, 2)}),
        max_size=8,
    ).map(lambda told: json.dumps({"scores": told})),
    candidates=st.lists(st.sampled_from(["0", "1", "2", "3", "4", "x"]), max_size=8),
)
def test_any_reply_to_any_candidates_gives_a_permutation(reply: str, candidates: list[str]) -> None:
    memory, films = filled(scripted(lambda _: reply))
    with memory:
        found = films.rank("ann", candidates)
    assert sorted(found.ids) == sorted(set(candidates) & {"0", "1", "2", "3", "4"})


def test_what_is_left_out_keeps_the_order_given_if_that_is_the_fallback() -> None:
    memory, films = filled(scripted(scores(i4=0.1)))
    wanted = ranking.Wanted(user="ann", candidates=["0", "3", "1", "4"], fallback="given")
    with memory:
        found = ranking.rank(films._engine, films.scope, wanted)
    assert found.ids == ("4", "0", "3", "1")
