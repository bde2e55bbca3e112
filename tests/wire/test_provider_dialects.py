"""Each provider's own interface, as documented, spoken with a local server in its place."""

import pytest

from lamina.adapters.llm import ProviderLLM, Retrying
from lamina.ports import Failure, Reply, Request
from lamina.settings import Secret
from lamina.testing.scripted_server import Asked, ScriptedServer, Served, failing, saying, told

pytest.importorskip("pydantic_ai", reason="needs: pip install 'lamina[models]'")
pytestmark = pytest.mark.wire

SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string"}},
    "required": ["name"],
    "additionalProperties": False,
}
ASK = Request(
    role="memory", system="Be brief.", prompt="Who lives in Oslo?",
    schema=SCHEMA, max_output_tokens=50,
)  # fmt: skip
ANSWER = '{"name": "Ann"}'
QUICK = Retrying(tries=2, first_wait=0.01)


def exchanged(model: str, served: Served, path: str = "") -> tuple[Reply | Failure, list[Asked]]:
    with (
        ScriptedServer(served) as server,
        ProviderLLM(
            model, base_url=server.url + path, key=Secret("sk-test"), retrying=QUICK
        ) as llm,
    ):
        [answer] = llm.complete([ASK])
        return answer, server.asked


def anthropic(stop: str = "end_turn") -> Served:
    return told({
        "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-haiku-4-5",
        "content": [{"type": "text", "text": ANSWER}],
        "stop_reason": stop, "stop_sequence": None,
        "usage": {"input_tokens": 30, "output_tokens": 7},
    })  # fmt: skip


def google(finish: str = "STOP") -> Served:
    return told({
        "candidates": [{
            "content": {"role": "model", "parts": [{"text": ANSWER}]}, "finishReason": finish,
        }],
        "usageMetadata": {
            "promptTokenCount": 30, "candidatesTokenCount": 7, "totalTokenCount": 37,
        },
        "modelVersion": "gemini-2.5-flash", "responseId": "r1",
    })  # fmt: skip


def test_anthropic_is_asked_by_its_messages() -> None:
    reply, [asked] = exchanged("anthropic:claude-haiku-4-5", anthropic())

    assert isinstance(reply, Reply)
    assert (reply.text, reply.input_tokens, reply.output_tokens) == (ANSWER, 30, 7)
    assert asked.path.startswith("/v1/messages")
    assert asked.headers["authorization"] == "Bearer sk-test"
    assert asked.body["max_tokens"] == 50
    assert asked.body["temperature"] == 0.0
    assert "Be brief." in str(asked.body["system"])
    assert "json_schema" in str(asked.body["output_config"])


def test_an_anthropic_model_not_known_to_keep_to_schemas_is_told_in_words() -> None:
    reply, [asked] = exchanged("anthropic:claude-new", anthropic())

    assert isinstance(reply, Reply)
    assert "output_config" not in asked.body
    assert '"additionalProperties"' in str(asked.body["system"])


def test_google_is_asked_to_generate_content() -> None:
    reply, [asked] = exchanged("google:gemini-2.5-flash", google())

    assert isinstance(reply, Reply)
    assert (reply.text, reply.input_tokens, reply.output_tokens) == (ANSWER, 30, 7)
    assert asked.path.endswith("/models/gemini-2.5-flash:generateContent")
    assert asked.headers["x-goog-api-key"] == "sk-test"
    settings = asked.body["generationConfig"]
    assert settings["maxOutputTokens"] == 50
    assert settings["temperature"] == 0.0
    assert settings["responseMimeType"] == "application/json"
    assert "Be brief." in str(asked.body["systemInstruction"])


def test_ollama_is_asked_by_its_openai_interface() -> None:
    reply, [asked] = exchanged("ollama:qwen3", saying(ANSWER), "/v1")

    assert isinstance(reply, Reply)
    assert (reply.text, reply.cost_usd) == (ANSWER, 0.0)
    assert asked.path == "/v1/chat/completions"
    assert asked.body["response_format"]["type"] == "json_schema"


def test_openai_itself_is_asked_to_keep_strictly_to_the_schema_and_not_to_think(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with ScriptedServer(saying(ANSWER)) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")  # OpenAI's SDK reads it itself
        with ProviderLLM("openai:gpt-5-mini", key=Secret("sk-test")) as llm:
            [reply] = llm.complete([ASK])

    assert isinstance(reply, Reply)
    assert reply.cost_usd == pytest.approx((12 * 0.25 + 5 * 2.0) / 1e6)
    [asked] = server.asked
    assert asked.body["response_format"]["json_schema"]["strict"] is True
    assert asked.body["reasoning_effort"] == "minimal"
    assert "temperature" not in asked.body


@pytest.mark.parametrize(
    ("model", "served"),
    [
        ("anthropic:claude-haiku-4-5", anthropic("max_tokens")),
        ("google:gemini-2.5-flash", google("MAX_TOKENS")),
    ],
)
def test_a_reply_that_was_cut_off_says_so(model: str, served: Served) -> None:
    reply, _ = exchanged(model, served)

    assert isinstance(reply, Reply)
    assert reply.truncated


@pytest.mark.parametrize("model", ["anthropic:claude-haiku-4-5", "google:gemini-2.5-flash"])
@pytest.mark.parametrize(
    ("served", "reason", "sent"),
    [
        (failing(429), "rate_limit", 2),
        (failing(500), "server", 2),
        (Served(dropped=True, body="{"), "connection", 2),
        (failing(401), "refused", 1),
        (Served(body="It works!"), "malformed", 1),
        (told({}), "malformed", 1),
        (told(None), "malformed", 1),
    ],
)
def test_troubles_are_told_alike(model: str, served: Served, reason: str, sent: int) -> None:
    answer, asked = exchanged(model, served)

    assert isinstance(answer, Failure)
    assert (answer.reason, len(asked)) == (reason, sent)
    assert "sk-test" not in answer.detail
