import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.errors import MalformedReply
from lamina.models.replies import Parsed, Question, ask, json_in, misfit, stricter
from lamina.ports import Failure, Reply, Request
from lamina.testing.scripted import ScriptedLLM

SCHEMA = {
    "type": "object",
    "properties": {"facts": {"type": "array", "items": {"type": "string"}}},
    "required": ["facts"],
}
REQUEST = Request(role="memory", system="Extract facts.", prompt="I moved.", schema=SCHEMA)
GOOD = '{"facts": ["moved"]}'


def facts(value: Any) -> list[str]:
    if not all(isinstance(fact, str) for fact in value["facts"]):
        raise MalformedReply("a fact must be a text")
    return list(value["facts"])


QUESTION = Question(request=REQUEST, parse=facts)


def values(answers: list[Parsed[list[str]] | Failure]) -> list[list[str] | str]:
    return [a.value if isinstance(a, Parsed) else a.reason for a in answers]


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"  \ufeff{GOOD}\n",
        f"```json\n{GOOD}\n```",
        f"```\n{GOOD}\n```",
        f"Sure! Here you are:\n```json\n{GOOD}\n```\nAnything else?",
        f"Sure! {GOOD} Hope this {{helps}} [1].",
        f"I used the form {{facts: [..]}}. {GOOD}",
        f"<think>[1, 2, 3, 4, 5, 6, 7, 8]</think>{GOOD}",
    ],
)
def test_json_is_read_out_of_fences_and_prose(text: str) -> None:
    assert json_in(text, SCHEMA) == {"facts": ["moved"]}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "I am sorry.",
        GOOD[:-3],
        '{"facts": [NaN]}',
        "[" * 100_000,
        "{" * 1000,
        "9" * 5000,
    ],
)
def test_what_holds_no_json_is_malformed(text: str) -> None:
    with pytest.raises(MalformedReply):
        json_in(text, SCHEMA)


@given(
    found=st.lists(st.text()),
    before=st.text(st.characters(exclude_characters="{[`")),
    after=st.text(),
)
def test_whatever_stands_around_it_the_answer_is_found(
    found: list[str], before: str, after: str
) -> None:
    answer = {"facts": found}

    assert json_in(before + json.dumps(answer) + after, SCHEMA)["facts"] is not None
    assert json_in(f"{before}\n```json\n{json.dumps(answer)}\n```", SCHEMA) == answer


@given(st.text(st.sampled_from('{}[]",:`\\n a1')))
def test_no_text_does_worse_than_being_malformed(text: str) -> None:
    with suppress(MalformedReply):
        json_in(text, SCHEMA)


def test_a_piece_of_a_broken_answer_is_not_taken_for_the_answer() -> None:
    with pytest.raises(MalformedReply):
        json_in('{"facts": [{"text": "moved"}, {"text": "li', SCHEMA)


@pytest.mark.parametrize("value", [None, [], "facts", 3, True])
def test_another_outermost_type_is_a_misfit(value: object) -> None:
    assert misfit(value, SCHEMA) == "it is not a JSON object"


def test_a_good_reply_is_asked_for_once() -> None:
    llm = ScriptedLLM(GOOD)

    assert values(ask(llm, [QUESTION])) == [["moved"]]
    assert llm.requests == [REQUEST]


@pytest.mark.parametrize(
    "bad", ["Sorry.", "null", "[]", "{}", '{"facts": [1]}', '{"facts": ["mo', "```json\n{\n```", ""]
)
def test_a_malformed_reply_is_asked_for_once_more_and_more_strictly(bad: str) -> None:
    llm = ScriptedLLM(bad, GOOD)

    assert values(ask(llm, [QUESTION])) == [["moved"]]
    assert llm.requests[1].prompt == REQUEST.prompt
    assert llm.requests[1].system.startswith("Extract facts.\n\nYour last answer")


def test_a_reply_that_is_malformed_twice_fails_without_quoting_it() -> None:
    [answer] = ask(ScriptedLLM("secret prose", '{"facts": [7]}'), [QUESTION])

    assert isinstance(answer, Failure)
    assert answer.reason == "malformed"
    assert "secret" not in answer.detail


def test_a_reply_that_was_cut_off_is_named_so_and_asked_for_more_briefly() -> None:
    cut = Reply(text=GOOD[:8], model="m", truncated=True)
    llm = ScriptedLLM(cut, cut)

    [answer] = ask(llm, [QUESTION])

    assert "be brief" in llm.requests[1].system
    assert isinstance(answer, Failure)
    assert "cut off" in answer.detail


def test_a_reply_that_was_cut_off_after_its_end_is_good() -> None:
    whole = Reply(text=GOOD, model="m", truncated=True)

    assert values(ask(ScriptedLLM(whole), [QUESTION])) == [["moved"]]


def test_one_bad_reply_spoils_no_other() -> None:
    def by_prompt(request: Request) -> str:
        return "prose" if request.prompt == "bad" else json.dumps({"facts": [request.prompt]})

    prompts = ["a", "bad", "b"]
    questions = [
        Question(
            request=Request(role="memory", system="", prompt=prompt, schema=SCHEMA), parse=facts
        )
        for prompt in prompts
    ]
    llm = ScriptedLLM(always=by_prompt)

    assert values(ask(llm, questions)) == [["a"], "malformed", ["b"]]
    assert llm.prompts == ["a", "bad", "b", "bad"]


def test_other_failures_are_passed_on_and_not_asked_again() -> None:
    down = Failure(reason="timeout", detail="no answer")
    llm = ScriptedLLM(down)

    assert ask(llm, [QUESTION]) == [down]
    assert len(llm.requests) == 1


def test_a_failure_of_the_second_round_is_passed_on() -> None:
    down = Failure(reason="budget", detail="used up")

    assert ask(ScriptedLLM("prose", down), [QUESTION]) == [down]


def test_nothing_is_asked_for_no_questions() -> None:
    assert ask(ScriptedLLM(), list[Question[str]]()) == []


def test_what_was_wrong_is_told_to_the_model_in_bounds() -> None:
    long = stricter(REQUEST, "x" * 100_000)

    assert len(long.system) < 600


class Keeping(ScriptedLLM):
    """Keeps the texts that were accepted."""

    def __init__(self, *script: str) -> None:
        super().__init__(*script)
        self.kept: list[str] = []

    def keep(self, accepted: list[tuple[Request, Reply]]) -> None:
        self.kept += [reply.text for _, reply in accepted]


def test_only_replies_that_could_be_read_are_kept() -> None:
    llm = Keeping("prose", GOOD)

    ask(llm, [QUESTION])

    assert llm.kept == [GOOD]
