"""What becomes of a call when the server behind a provider's interface misbehaves."""

import asyncio
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from lamina.adapters.llm import ProviderLLM, Retrying
from lamina.adapters.llm.call_loop import CallLoop
from lamina.models.replies import Parsed, Question, ask
from lamina.ports import Failure, Reply, Request
from lamina.settings import Secret
from lamina.testing.scripted_server import ScriptedServer, Served, failing, saying, told

pytest.importorskip("pydantic_ai", reason="needs: pip install 'lamina[models]'")
pytestmark = pytest.mark.wire

QUICK = Retrying(tries=3, first_wait=0.01, longest_wait=1.5)
KEY = "sk-do-not-show"
TEXT = "I moved to Oslo"
SCHEMA = {
    "type": "object",
    "properties": {"ids": {"type": "array", "items": {"type": "integer"}}},
    "required": ["ids"],
    "additionalProperties": False,
}
PROSE = Request(role="answer", system="Be brief.", prompt=TEXT, max_output_tokens=50)
IDS = replace(PROSE, schema=SCHEMA)


@contextmanager
def serving(*script: Served, timeout: float = 30.0) -> Iterator[tuple[ProviderLLM, ScriptedServer]]:
    with (
        ScriptedServer(*script) as server,
        ProviderLLM(
            "openai:served", base_url=f"{server.url}/v1", key=Secret(KEY),
            timeout=timeout, retrying=QUICK,
        ) as llm,
    ):  # fmt: skip
        yield llm, server


def outcome(*script: Served, timeout: float = 30.0) -> tuple[Reply | Failure, int]:
    """What one request comes to, and how often it was sent."""
    with serving(*script, timeout=timeout) as (llm, server):
        [answer] = llm.complete([PROSE])
        return answer, len(server.asked)


def test_a_good_answer_is_a_reply_with_its_usage() -> None:
    with serving(saying("Ann.")) as (llm, server):
        [reply] = llm.complete([PROSE])

    assert reply == Reply(text="Ann.", model="openai:served", input_tokens=12, output_tokens=5)
    [asked] = server.asked
    assert asked.path == "/v1/chat/completions"
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert [m["content"] for m in asked.body["messages"]] == ["Be brief.", TEXT]
    assert asked.body["temperature"] == 0.0
    assert asked.body["max_completion_tokens"] == 50


def test_a_schema_goes_along_where_the_provider_enforces_it() -> None:
    with serving(saying('{"ids": [1]}')) as (llm, server):
        llm.complete([IDS])

    assert server.asked[0].body["response_format"]["json_schema"]["schema"] == SCHEMA


def test_a_server_that_takes_no_schema_is_asked_in_words_from_then_on() -> None:
    with serving(failing(400), saying('{"ids": []}')) as (llm, server):
        answers = [*llm.complete([IDS]), *llm.complete([IDS])]

    assert all(isinstance(answer, Reply) for answer in answers)
    assert ["response_format" in asked.body for asked in server.asked] == [True, False, False]
    assert '"ids"' in server.asked[1].body["messages"][0]["content"]


@pytest.mark.parametrize("status", [429, 503])
def test_a_server_that_is_busy_is_asked_again_when_it_says(status: int) -> None:
    began = time.monotonic()

    answer, sent = outcome(failing(status, retry_after=1), saying("Ann."))

    assert isinstance(answer, Reply)
    assert sent == 2
    assert time.monotonic() - began >= 1.0


@pytest.mark.parametrize(
    ("served", "reason"),
    [
        (failing(429, message=f"{KEY} {TEXT}"), "rate_limit"),
        (failing(500, message=f"{KEY} {TEXT}"), "server"),
        (failing(502), "server"),
        (Served(status=503, body="<html>"), "server"),
        (Served(dropped=True, body='{"id": "chat-1", "choices"'), "connection"),
    ],
)
def test_what_may_pass_is_tried_a_bounded_number_of_times(served: Served, reason: str) -> None:
    answer, sent = outcome(served)

    assert isinstance(answer, Failure)
    assert (answer.reason, sent) == (reason, 3)
    assert KEY not in answer.detail
    assert TEXT not in answer.detail


@pytest.mark.parametrize(
    ("served", "reason"),
    [
        (failing(400, message=TEXT), "refused"),
        (failing(401, message=f"Incorrect API key provided: {KEY}"), "refused"),
        (failing(403), "refused"),
        (failing(404), "refused"),
        (failing(429, retry_after=60), "rate_limit"),
        (saying(None, finish="content_filter"), "refused"),
        (told({}), "malformed"),
        (told(None), "malformed"),
        (told([]), "malformed"),
        (told({"choices": []}), "malformed"),
        (told({"choices": None}), "malformed"),
        (told({"error": {"message": TEXT}}), "malformed"),
        (Served(body="It works!"), "malformed"),
        (Served(body="<html>", headers={"Content-Type": "text/html"}), "malformed"),
        (Served(body=""), "malformed"),
    ],
)
def test_what_does_not_pass_is_tried_once(served: Served, reason: str) -> None:
    answer, sent = outcome(served)

    assert isinstance(answer, Failure)
    assert (answer.reason, sent) == (reason, 1)
    assert KEY not in answer.detail
    assert TEXT not in answer.detail


def test_a_server_that_does_not_answer_in_time_is_given_up() -> None:
    answer, sent = outcome(replace(saying("late"), after=10.0), timeout=0.3)

    assert isinstance(answer, Failure)
    assert (answer.reason, sent) == ("timeout", 1)


def test_nobody_listening_is_no_connection() -> None:
    with ScriptedServer(saying("")) as server:
        gone = server.url
    with ProviderLLM("openai:served", base_url=f"{gone}/v1", retrying=QUICK) as llm:
        [answer] = llm.complete([PROSE])

    assert isinstance(answer, Failure)
    assert answer.reason == "connection"


def test_a_reply_that_was_cut_off_says_so() -> None:
    answer, _ = outcome(saying("Ann li", finish="length"))

    assert isinstance(answer, Reply)
    assert answer.truncated


def test_one_bad_answer_spoils_no_other() -> None:
    with serving(saying("a"), failing(400), saying("c")) as (llm, _):
        answers = [answer for _ in range(3) for answer in llm.complete([PROSE])]

    assert [type(answer) for answer in answers] == [Reply, Failure, Reply]


def read(*script: Served) -> tuple[Any, ScriptedServer]:
    """What asking for ids 1 to 3 by schema comes to."""

    def shown(value: Any) -> list[int]:
        if not set(value["ids"]) <= {1, 2, 3}:
            raise ValueError("an id that was not shown")
        return list(value["ids"])

    with serving(*script) as (llm, server):
        [answer] = ask(llm, [Question(request=IDS, parse=shown)])
    return (answer.value if isinstance(answer, Parsed) else answer.reason), server


@pytest.mark.parametrize("text", ['```json\n{"ids": [2]}\n```', 'Sure: {"ids": [2]}. Bye!'])
def test_fences_and_prose_around_the_answer_do_no_harm(text: str) -> None:
    value, server = read(saying(text))

    assert value == [2]
    assert len(server.asked) == 1


@pytest.mark.parametrize("text", ["I am sorry.", "null", "[]", '{"ids": [9]}', "", None])
def test_a_malformed_answer_is_asked_for_once_more_and_then_given_up(text: str | None) -> None:
    assert read(saying(text), saying('{"ids": [1, 3]}'))[0] == [1, 3]
    value, server = read(saying(text))

    assert value == "malformed"
    assert len(server.asked) == 2
    assert "could not be used" in json.dumps(server.asked[1].body)


def test_many_requests_wait_together_but_no_more_than_the_bound() -> None:
    with (
        ScriptedServer(replace(saying("a"), after=0.5)) as server,
        ProviderLLM("openai:served", base_url=f"{server.url}/v1", loop=CallLoop(4)) as llm,
    ):
        answers = llm.complete([PROSE] * 8)

    assert len(answers) == len(server.asked) == 8
    assert 1 < server.most_at_once <= 4


def test_a_caller_inside_a_running_loop_is_served() -> None:
    async def caller() -> list[Reply | Failure]:
        with serving(saying("Ann.")) as (llm, _):
            return llm.complete([PROSE])

    assert isinstance(asyncio.run(caller())[0], Reply)


def test_text_that_is_no_valid_unicode_is_sent_all_the_same() -> None:
    hostile = "{}%s\ud800\x00 <|im_start|>"
    with serving(saying("Ann.")) as (llm, server):
        [answer] = llm.complete([replace(PROSE, prompt=hostile)])

    assert isinstance(answer, Reply)
    assert server.asked[0].body["messages"][1]["content"].startswith("{}%s?\x00")
