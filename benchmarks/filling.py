"""Filling a store quickly: one owner with real vectors, the others with random unit ones."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import lamina
from benchmarks.texts import messages
from lamina.ports import Encoder, EncoderSpace

if TYPE_CHECKING:
    from lamina.model import Vectors

START = datetime(2026, 1, 1, tzinfo=UTC)


class RandomEncoder:
    """Unit vectors from a text's hash, in another encoder's space: storage alone is measured."""

    def __init__(self, space: EncoderSpace) -> None:
        self.space = space
        self._random = np.random.default_rng(0)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return random unit rows, shape (len(texts), dim)."""
        rows = self._random.standard_normal((len(texts), self.space.dim), dtype=np.float32)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        return rows

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return the number of words of each text."""
        return [len(text.split()) for text in texts]


def fill(path: Path, encoder: Encoder, owners: int, each: int) -> None:
    """Store `each` messages of each of `owners` users.

    The first has real vectors, exchanges and extractive notes; of the others only the messages.
    """
    with lamina.open(path, encoder=encoder) as memory:
        fill_one(memory, "owner-0", each)
    with lamina.open(path, encoder=RandomEncoder(encoder.space)) as memory:
        for number in range(1, owners):
            memory.user(f"owner-{number}").add(_said(each, seed=number), infer=False)


def fill_one(memory: lamina.Memory, name: str, each: int) -> None:
    """Store `each` messages of one user, a session every 25, and form memory from them."""
    user = memory.user(name)
    user.add(_said(each))
    user.process()


def _said(count: int, seed: int = 0) -> list[dict[str, Any]]:
    return [
        {"content": text, "timestamp": START + timedelta(minutes=n), "session_id": f"s{n // 25}"}
        for n, text in enumerate(messages(count, seed))
    ]
