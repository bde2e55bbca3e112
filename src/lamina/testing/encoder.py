"""An encoder that needs no data file: for tests that ask what is found, not how well."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from lamina.ports import EncoderSpace

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lamina.model import Vectors

DIM = 32


class WordEncoder:
    """Encodes a text as the sum of a fixed random vector for each of its words, in lower case.

    >>> encoder = WordEncoder()
    >>> one, same, other = encoder.encode(["a red boat", "Red boat, a", "green tea"])
    >>> bool(one @ same > 0.99), bool(one @ other < 0.9)
    (True, True)
    """

    space = EncoderSpace(
        id="tests/words", dim=DIM, max_tokens=1 << 20, languages=frozenset({"en", "zh"})
    )

    def encode(self, texts: Sequence[str]) -> Vectors:
        """See `Encoder.encode`."""
        sums = [sum((_vector(word) for word in _words(text)), np.zeros(DIM)) for text in texts]
        rows = np.array(sums, dtype=np.float64).reshape(len(texts), DIM)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        rows[:, 0] += lengths[:, 0] == 0  # what has no words points somewhere, too
        found: Vectors = (rows / np.maximum(lengths, lengths == 0)).astype(np.float32)
        return found

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """See `Encoder.count_tokens`: words."""
        return [len(_words(text)) for text in texts]


def _words(text: str) -> list[str]:
    return "".join(c if c.isalnum() else " " for c in text.lower()).split()


def _vector(word: str) -> NDArray[np.float64]:
    seed = hashlib.sha256(word.encode("utf-8", "surrogatepass")).digest()[:8]
    drawn: NDArray[np.float64] = np.random.default_rng(int.from_bytes(seed, "big")).normal(size=DIM)
    return drawn
