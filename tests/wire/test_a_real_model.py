"""A real model behind a real server. It is far too small to be right; only the form is checked."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from lamina.adapters.in_memory import InMemoryStore
from lamina.adapters.llm import ProviderLLM, from_settings
from lamina.model import Scope
from lamina.models.accounted import for_work
from lamina.models.budget import within_budget
from lamina.models.replies import Parsed, Question, ask
from lamina.ports import Failure, Reply, Request
from lamina.settings import Price, Settings
from lamina.testing import FakeClock

pytest.importorskip("pydantic_ai", reason="needs: pip install 'lamina[models]'")
pytestmark = pytest.mark.wire

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "facts": {"type": "array", "items": {"type": "string", "maxLength": 20}, "maxItems": 2}
    },
    "required": ["facts"],
    "additionalProperties": False,
}
PROSE = Request(
    role="answer", system="Be brief.", prompt="I moved to Oslo. Where do I live?",
    max_output_tokens=16,
)  # fmt: skip
FACTS = replace(PROSE, role="memory", schema=SCHEMA, max_output_tokens=120)


@pytest.fixture
def llm(model_url: str) -> Iterator[ProviderLLM]:
    with ProviderLLM("openai:smollm2", base_url=model_url, price=Price(1.0, 2.0)) as llm:
        yield llm


def replied(answer: Reply | Failure) -> Reply:
    assert isinstance(answer, Reply), answer
    return answer


def test_it_chats_and_tells_what_it_took(llm: ProviderLLM) -> None:
    [answer] = llm.complete([PROSE])

    reply = replied(answer)
    assert reply.text.strip()
    assert 10 < reply.input_tokens < 60
    assert 0 < reply.output_tokens <= 16
    assert reply.cost_usd == (reply.input_tokens + 2 * reply.output_tokens) / 1e6


def test_at_temperature_0_it_says_the_same_again(llm: ProviderLLM) -> None:
    texts = [replied(answer).text for answer in llm.complete([PROSE, PROSE])]

    assert texts[0] == texts[1]


def test_the_server_enforces_the_schema(llm: ProviderLLM) -> None:
    def facts(value: Any) -> list[str]:
        return list(value["facts"])

    [answer] = ask(llm, [Question(request=FACTS, parse=facts)])

    assert isinstance(answer, Parsed)
    assert json.loads(answer.reply.text) == {"facts": answer.value}
    assert len(answer.value) <= 2


def test_a_reply_that_reaches_the_limit_is_known_to_be_cut_off(llm: ProviderLLM) -> None:
    [prose, facts] = llm.complete(
        [replace(PROSE, prompt="Count to a hundred.", max_output_tokens=5),
         replace(FACTS, max_output_tokens=3)]
    )  # fmt: skip

    assert replied(prose).truncated
    assert replied(prose).output_tokens == 5
    assert replied(facts).truncated


def test_a_reply_by_schema_that_is_cut_off_becomes_a_failure(llm: ProviderLLM) -> None:
    short = replace(FACTS, max_output_tokens=3)

    [answer] = ask(llm, [Question(request=short, parse=lambda value: value)])

    assert isinstance(answer, Failure)
    assert (answer.reason, "cut off" in answer.detail) == ("malformed", True)


def test_settings_choose_it_and_a_budget_holds(model_url: str) -> None:
    settings = Settings.read(
        {"LAMINA_MODEL": "openai:smollm2", "LAMINA_BASE_URL": model_url,
         "LAMINA_PRICE": "1,2", "LAMINA_BUDGET_CALLS": "1", "LAMINA_BUDGET_USD": "1"}
    )  # fmt: skip
    chosen = from_settings(settings.models)
    assert chosen is not None
    roles = within_budget(chosen, settings.budget)
    memory = roles.get("memory")
    assert memory is not None

    answers = memory.complete([PROSE, PROSE])
    chosen.close()

    assert replied(answers[0]).text
    assert answers[1] == Failure(
        reason="budget", detail="the budget of 1 call(s) leaves too little for this call"
    )


def test_its_calls_are_on_record_and_nothing_is_paid_twice(llm: ProviderLLM) -> None:
    store, ann = InMemoryStore(), Scope("", "user", "ann")
    question = Question(request=FACTS, parse=lambda value: value["facts"])

    def asked(operation: str) -> Parsed[Any] | Failure:
        work = for_work(llm, accounts=store, scope=ann, operation=operation, clock=FakeClock())
        return ask(work, [question])[0]

    first, second = asked("op1"), asked("op2")

    assert isinstance(first, Parsed)
    assert isinstance(second, Parsed)
    assert first.value == second.value
    assert second.reply.cached
    paid, free = store.usage(ann, operation="op1"), store.usage(ann, operation="op2")
    assert (paid.calls, paid.cached, paid.input_tokens) == (1, 0, first.reply.input_tokens)
    assert paid.cost_usd == first.reply.cost_usd
    assert (free.calls, free.cached, free.input_tokens, free.cost_usd) == (0, 1, 0, 0.0)
