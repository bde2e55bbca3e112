"""Sentence encoders as ONNX graphs in a folder; the default one comes with the package."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lamina.adapters.encoders.folder import ModelFolder
from lamina.adapters.encoders.runtime import Runtime
from lamina.adapters.encoders.windows import averaged, pages
from lamina.ports import EncoderSpace

if TYPE_CHECKING:
    from lamina.model import Vectors

MINILM = Path(__file__).parent / "minilm"
BATCH_TOKENS = 512
"""Tokens run at a time, padding included: what one core's cache holds (benchmarks/encoders.py)."""


class OnnxEncoder:
    """An `Encoder` from a folder in the layout of the model hubs; see `folder`.

    Texts longer than the model reads are split into windows of `max_tokens`; the text's vector
    is the mean of the windows' unit vectors, weighted by their tokens, scaled to unit length. Of a
    text of more than `MAX_WINDOWS` windows, that many are read, spread evenly.
    """

    def __init__(
        self, folder: Path, *, languages: frozenset[str] = frozenset(), threads: int = 1
    ) -> None:
        """Read the folder's small files. The model is opened by the first call that needs it.

        Args:
            folder: Where the model is.
            languages: ISO 639-1 codes of what it reads well; a manifest in the folder says it
                itself. Dense signals weigh less for text in other languages.
            threads: Batches run at once; more than 1 pays from some dozens of texts on.

        Raises:
            DataFileMissing: A file is missing or damaged.
            EncoderError: The folder asks for something that is not done here.
        """
        self._folder = ModelFolder.read(folder)
        self._languages = languages
        self._threads = threads
        self._opening = threading.Lock()
        self._opened: Runtime | None = None

    @cached_property
    def space(self) -> EncoderSpace:
        """The space that its vectors lie in."""
        return EncoderSpace(
            id=self._folder.id(),
            dim=self._folder.dim or self._runtime.dim,
            max_tokens=self._folder.max_tokens,
            languages=frozenset(self._folder.manifest.get("languages", self._languages)),
        )

    def encode(self, texts: Sequence[str]) -> Vectors:
        """See `Encoder.encode`."""
        rows = [self._encode_page(page) for page in pages(texts)]
        return np.concatenate(rows) if rows else np.zeros((0, self.space.dim), np.float32)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """See `Encoder.count_tokens`; special tokens are not counted."""
        return [self._runtime.count(text) for text in texts]

    def verify(self) -> None:
        """Compare the files with the manifest's hashes; raises `DataFileMissing`."""
        self._folder.verify()

    @property
    def _runtime(self) -> Runtime:
        with self._opening:
            if self._opened is None:
                self._opened = Runtime.open(self._folder)
            return self._opened

    def _encode_page(self, texts: Sequence[str]) -> Vectors:
        specials = self._runtime.specials
        windows = [self._runtime.windows(text) for text in texts]
        return averaged(windows, lambda ids: len(ids) - specials, self._encode_windows)

    def _encode_windows(self, ids: list[list[int]]) -> Vectors:
        batches = list(_batches([len(window) for window in ids], self._runtime.alone))
        rows = np.empty((len(ids), self._runtime.dim), np.float32)

        def run(batch: NDArray[np.intp]) -> None:
            rows[batch] = self._runtime.pooled([ids[i] for i in batch])

        if self._threads == 1 or len(batches) == 1:
            for batch in batches:
                run(batch)
        else:
            with ThreadPoolExecutor(self._threads) as pool:
                list(pool.map(run, batches))
        return rows


class MiniLM(OnnxEncoder):
    """The default: all-MiniLM-L6-v2, English, 384 dimensions, from the package's own data."""

    def __init__(self, *, threads: int = 1) -> None:
        super().__init__(MINILM, threads=threads)


def _batches(lengths: Sequence[int], alone: bool) -> Iterator[NDArray[np.intp]]:
    """Yield indices of texts of like length, so that little is padded; longest first."""
    order = np.argsort(-np.asarray(lengths), kind="stable")
    start = 0
    while start < len(order):
        size = 1 if alone else max(1, BATCH_TOKENS // lengths[order[start]])
        yield order[start : start + size]
        start += size
