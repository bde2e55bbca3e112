"""Erasing an owner of 5,000 messages, with all layers formed, among 20 others of as many."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import lamina
from benchmarks.filling import START
from benchmarks.texts import messages
from benchmarks.timing import timed
from lamina.ports import EncoderSpace

if TYPE_CHECKING:
    from lamina.model import Vectors

OTHERS, FORMED, EACH, A_SESSION, QUERIES = 20, 4, 5_000, 25, 50
"""`FORMED` of the others have all layers too; of the rest the messages are kept alone."""
CANARY = "zanzibarquokka"
LOOKED_FOR = 3
"""Of the messages that held it: each is looked for whole, by its words and by its vectors."""
EVERY = 50
"""Messages of the erased between two that hold the canary."""


class TextEncoder:
    """Unit vectors that depend on the text alone, without a model: scores can be compared."""

    space = EncoderSpace(
        id="benchmark/text", dim=384, max_tokens=1 << 20, languages=frozenset({"en"})
    )

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return random unit rows, seeded by each text."""
        rows = np.array([self._one(text) for text in texts], np.float32).reshape(-1, self.space.dim)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        return rows

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return the number of words of each text."""
        return [len(text.split()) for text in texts]

    def _one(self, text: str) -> Vectors:
        seed = int.from_bytes(text.encode()[-48:], "big")
        return np.random.default_rng(seed).standard_normal(self.space.dim, dtype=np.float32)


def main() -> None:
    """Fill, ask the others, erase, look everywhere, ask the others again."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        with lamina.open(path, encoder=TextEncoder()) as memory:
            names = [f"other-{number}" for number in range(OTHERS)]
            for seed, name in enumerate(names):
                _fill(memory.user(name), seed, formed=seed < FORMED)
            gone = memory.user("gone")
            secret = _fill(gone, OTHERS, formed=True, canary=True)
            print({k: v for k, v in gone.stats().counts.items() if v})
            before = [_scores(memory.user(name)) for name in names]
            gone.search(CANARY)
            receipts = []
            logical = timed(lambda: receipts.append(gone.forget(purge=False)))
            print(f"logical: {logical:.0f} ms (target under 2,000): {receipts[0].to_dict()}")
            print(f"told afterwards: {_told(memory, gone)} (target 0)")
            print(f"the purge: {timed(memory.compact):.0f} ms")
            found = memory.verify_erasure([CANARY, *secret[:LOOKED_FOR]], user="gone")
            print(f"looked for {found.looked_for} byte strings; clean: {found.clean}")
            raw = sum(file.read_bytes().count(CANARY.encode()) for file in path.parent.iterdir())
            print(f"occurrences of the canary in the files: {raw} (target 0)")
            same = before == [_scores(memory.user(name)) for name in names]
            print(f"scores of the others on {QUERIES} queries, to the last digit: {same}")
            print(f"check: {memory.check()}")


def _fill(user: lamina.Handle, seed: int, *, formed: bool, canary: bool = False) -> list[str]:
    """Let an owner say things, and form everything from them; return what held the canary."""
    texts = list(messages(EACH, seed))
    for place in range(0, EACH, EVERY) if canary else ():
        texts[place] += f" The word is {CANARY}."
    said = [
        {
            "content": text,
            "timestamp": START + timedelta(minutes=n),
            "session_id": f"s{n // A_SESSION}",
        }
        for n, text in enumerate(texts)
    ]
    user.add(said, infer=formed)
    for number in range(-(-EACH // A_SESSION)) if formed else ():
        user.close_session(f"s{number}")
    user.process()
    return [text for text in texts if CANARY in text]


def _scores(user: lamina.Handle) -> list[list[tuple[str, float]]]:
    return [
        [(hit.id, hit.relevance) for hit in user.search(query)]
        for query in messages(QUERIES, seed=99)
    ]


def _told(memory: lamina.Memory, gone: lamina.Handle) -> int:
    """Return how often any read of any handle tells the canary."""
    told = []
    for handle in (gone, *memory.handles()):
        told += [hit.text for hit in handle.search(f"the word {CANARY}", top_k=20)]
        told += [handle.context(CANARY), *(note.text for note in handle.list(limit=50_000))]
        told += [*(message.text for message in handle.messages(limit=50_000)), *handle.export()]
    return sum(CANARY in text for text in told)


if __name__ == "__main__":
    main()
