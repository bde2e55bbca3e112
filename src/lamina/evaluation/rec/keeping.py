"""Vectors kept at hand: what is evaluated in many forms mostly says the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from lamina.ports import Encoder, EncoderSpace

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lamina.model import Vectors


class Kept:
    """An encoder that keeps its vectors: variants mostly say the same."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._kept: dict[str, NDArray[np.float32]] = {}

    @property
    def space(self) -> EncoderSpace:
        """See `Encoder.space`."""
        return self._encoder.space

    def encode(self, texts: Sequence[str]) -> Vectors:
        """See `Encoder.encode`."""
        new = [text for text in dict.fromkeys(texts) if text not in self._kept]
        if new:
            self._kept.update(zip(new, self._encoder.encode(new), strict=True))
        found = [self._kept[text] for text in texts]
        return np.array(found, dtype=np.float32).reshape(len(texts), self.space.dim)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """See `Encoder.count_tokens`."""
        return self._encoder.count_tokens(texts)
