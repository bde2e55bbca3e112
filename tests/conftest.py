"""What holds for every test: no setting from outside, and no real model unless asked for."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest

import lamina
from lamina.adapters.encoders import open_encoder
from lamina.ports import LLM, Encoder

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


Open: TypeAlias = Callable[..., lamina.Memory]


@pytest.fixture(scope="session")
def encoder() -> Encoder:
    """The encoder in the package, loaded once."""
    return open_encoder("minilm")


@pytest.fixture(params=["sqlite", "in_memory"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a memory lives: each of the two stores in turn."""
    return str(tmp_path / "memory.db") if request.param == "sqlite" else ":memory:"


@pytest.fixture
def open_memory(path: str, encoder: Encoder) -> Iterator[Open]:
    """Open the store, with a scripted model or without one; closed at the end."""
    opened: list[lamina.Memory] = []

    def open_(llm: LLM | None = None, **options: Any) -> lamina.Memory:
        memory = lamina.open(path, llm=llm, **{"encoder": encoder, **options})
        opened.append(memory)
        return memory

    yield open_
    for memory in opened:
        memory.close()


@pytest.fixture
def memory(open_memory: Open) -> lamina.Memory:
    """An open memory without a language model."""
    return open_memory()
