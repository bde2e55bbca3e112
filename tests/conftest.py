"""What holds for every test: no setting from outside, and no real model unless asked for."""

import os

import pytest

KEYS = ("OPENAI_", "ANTHROPIC_", "GEMINI_", "GOOGLE_", "OLLAMA_")


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide settings and keys of whoever runs the tests; only the data's place is left."""
    for name in os.environ:
        if name.startswith(KEYS) or (name.startswith("LAMINA_") and name != "LAMINA_DATA"):
            monkeypatch.delenv(name)


@pytest.fixture(autouse=True)
def no_real_model(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make calls of providers impossible, but for tests that are marked `wire`."""
    if request.node.get_closest_marker("wire"):
        return

    async def refuse(*_: object) -> None:
        pytest.fail("a test asked a real model: use ScriptedLLM, or mark it `wire`")

    monkeypatch.setattr("lamina.adapters.llm.sender.Sender.send", refuse)
