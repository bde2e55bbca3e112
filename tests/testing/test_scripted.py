import pytest

from lamina.ports import Failure, Reply, Request
from lamina.testing.scripted import ScriptedLLM

ASK = Request(role="memory", system="Be brief.", prompt="Who lives in Oslo?")


def test_it_answers_in_order_with_texts_replies_failures_and_what_functions_say() -> None:
    reply, failure = Reply(text="b", model="m"), Failure(reason="timeout", detail="")
    llm = ScriptedLLM("a", reply, failure, lambda request: request.system)

    answers = llm.complete([ASK] * 4)

    assert answers[1:3] == [reply, failure]
    assert [a.text for a in answers if isinstance(a, Reply)] == ["a", "b", "Be brief."]


def test_it_keeps_what_it_was_asked_and_counts_tokens() -> None:
    llm = ScriptedLLM(always="Ann.")

    [reply] = llm.complete([ASK])

    assert llm.requests == [ASK]
    assert llm.prompts == ["Who lives in Oslo?"]
    assert isinstance(reply, Reply)
    assert (reply.input_tokens, reply.output_tokens) == (llm.input_tokens, 1) == (16, 1)


def test_asked_more_than_its_script_it_says_what_was_asked() -> None:
    llm = ScriptedLLM("a")

    with pytest.raises(AssertionError, match=r"request 2 .*Oslo"):
        llm.complete([ASK, ASK])
