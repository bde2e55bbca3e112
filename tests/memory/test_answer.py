import json

import pytest

import lamina
from lamina.errors import BudgetExceeded, MalformedReply, ModelUnavailable, NoModel
from lamina.ports import Failure, Request
from lamina.testing import ScriptedLLM
from tests.conftest import Open


def reply(answer: str, cited: list[object], search: str | None = None) -> str:
    return json.dumps({"answer": answer, "cited": cited, "search": search})


def told(memory: lamina.Memory) -> lamina.Handle:
    user = memory.user("ann")
    user.add("I adopted a cat, Miso.", timestamp="2026-01-05T09:00:00Z")
    user.add("My sister Mia lives in Bergen.", timestamp="2026-01-06T09:00:00Z")
    return user


def test_an_answer_cites_what_it_rests_on(open_memory: Open) -> None:
    def answer(request: Request) -> str:
        lines = [line for line in request.prompt.splitlines() if "Miso" in line]
        return reply("Miso", [int(lines[0][1 : lines[0].index("]")])])

    answered = told(open_memory(ScriptedLLM(answer))).ask("What is the cat called?")

    assert answered.text == "Miso"
    assert [hit.text for hit in answered.cited] == ["I adopted a cat, Miso."]
    assert answered.queries == ("What is the cat called?",)


def test_it_may_search_once_more_and_no_more(open_memory: Open) -> None:
    llm = ScriptedLLM(reply("?", [], "sister Bergen"), reply("In Bergen", [1], "again"))
    answered = told(open_memory(llm)).ask("What is the cat called?", max_tokens=60)

    assert answered.text == "In Bergen"
    assert answered.queries == ("What is the cat called?", "sister Bergen")
    assert [hit.text for hit in answered.cited] == ["My sister Mia lives in Bergen."]
    assert "also searched for: sister Bergen" in llm.prompts[1]
    assert len(llm.requests) == 2


def test_a_second_search_that_finds_nothing_else_is_not_paid_for(open_memory: Open) -> None:
    llm = ScriptedLLM(reply("I do not know.", [], "sister Bergen"))
    answered = told(open_memory(llm)).ask("Where does Mia work?")

    assert answered.text == "I do not know."
    assert len(llm.requests) == 1


def test_numbers_that_were_not_shown_are_dropped(open_memory: Open) -> None:
    llm = ScriptedLLM(reply("Miso", [99, 0, -1, True, "2"]))

    assert told(open_memory(llm)).ask("What is the cat called?").cited == ()


def test_without_a_model_it_says_so(memory: lamina.Memory) -> None:
    with pytest.raises(NoModel, match="LAMINA_MODEL"):
        told(memory).ask("What is the cat called?")


def test_nonsense_twice_is_an_error(open_memory: Open) -> None:
    with pytest.raises(MalformedReply):
        told(open_memory(ScriptedLLM("no", "no"))).ask("What is the cat called?")


@pytest.mark.parametrize(
    ("failure", "error"),
    [
        (Failure(reason="timeout", detail="slow"), ModelUnavailable),
        (Failure(reason="budget", detail="the budget of 1 calls is used up"), BudgetExceeded),
    ],
)
def test_a_failure_is_an_error_of_its_kind(
    open_memory: Open, failure: Failure, error: type[Exception]
) -> None:
    with pytest.raises(error):
        told(open_memory(ScriptedLLM(failure))).ask("What is the cat called?")


def test_its_calls_are_on_record(open_memory: Open) -> None:
    user = told(open_memory(ScriptedLLM(reply("Miso", [1]))))
    user.ask("What is the cat called?")

    usage = user.stats().usage
    assert usage.calls == 1
    assert usage.input_tokens > 100
