"""Both stores, one encoder, and a memory on either, for the behaviours."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest

import lamina
from lamina.adapters.encoders import open_encoder
from lamina.ports import LLM, Encoder

Open: TypeAlias = Callable[..., lamina.Memory]


@pytest.fixture(scope="session")
def encoder() -> Encoder:
    return open_encoder("minilm")


@pytest.fixture(params=["sqlite", "in_memory"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path / "memory.db") if request.param == "sqlite" else ":memory:"


@pytest.fixture
def open_memory(path: str, encoder: Encoder) -> Iterator[Open]:
    """Open the store, with a scripted model or without one; closed at the end."""
    opened: list[lamina.Memory] = []

    def open_(llm: LLM | None = None, **options: object) -> lamina.Memory:
        memory = lamina.open(path, **{"encoder": encoder, "llm": llm, **options})  # type: ignore[arg-type]
        opened.append(memory)
        return memory

    yield open_
    for memory in opened:
        memory.close()


@pytest.fixture
def memory(open_memory: Open) -> lamina.Memory:
    return open_memory()
