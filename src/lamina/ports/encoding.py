"""Encoders: texts in, unit vectors out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from lamina.model import Value

if TYPE_CHECKING:
    from lamina.model import Vectors


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderSpace(Value):
    """What makes vectors comparable: only those of one space may be compared."""

    id: str
    """The upstream hash and our scheme's version, as short text."""
    dim: int
    max_tokens: int
    """Longer texts are split."""
    languages: frozenset[str]
    """ISO 639-1 codes of the languages it reads well; for others dense signals weigh less."""


class Encoder(Protocol):
    """Turns texts into unit vectors. A vector is a function of its text alone, to 1e-5."""

    @property
    def space(self) -> EncoderSpace:
        """The space that its vectors lie in."""
        ...

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return shape (len(texts), dim), float32, unit rows.

        Raises:
            EncoderUnavailable: It runs on a server that did not answer.
        """
        ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return how many tokens each text has for this encoder."""
        ...
