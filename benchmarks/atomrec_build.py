"""Forming the memory of a recommender: all of MovieLens (small), beside its encodings alone.

`python -m benchmarks.atomrec_build [--hashed] [INTERACTIONS] [PATH.db]`; needs LAMINA_DATA. With
`--hashed` vectors are made of hashed words at once, so that what is left is our own work. The store
is kept where a path is given.
"""

from __future__ import annotations

import itertools
import os
import resource
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np

import lamina
from benchmarks.timing import verdict
from lamina.formats.recommending import detect
from lamina.identity import digest
from lamina.items import Interaction, Item
from lamina.ports import Encoder, EncoderSpace
from lamina.settings import Settings
from lamina.wiring import encoder_for
from lamina.work.atomic import AT_ONCE

if TYPE_CHECKING:
    from lamina.model import Vectors

DATA = Path(os.environ.get("LAMINA_DATA", "../shared/data")) / "ml-latest-small"
PART = 10_000 // AT_ONCE
"""Batches that are told of in one line: about 10,000 interactions."""
DIM = 384
T = TypeVar("T", Item, Interaction)


class Hashed:
    """Encodes a text as the sum of a vector for each of its words."""

    space = EncoderSpace(id="benchmarks/hashed", dim=DIM, max_tokens=512, languages=frozenset())

    def __init__(self) -> None:
        self._words: dict[str, Vectors] = {}

    def encode(self, texts: Sequence[str]) -> Vectors:
        """See `Encoder.encode`."""
        rows = np.stack([sum(map(self._vector, text.lower().split())) for text in texts])
        unit: Vectors = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
        return unit

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """See `Encoder.count_tokens`."""
        return [len(text.split()) for text in texts]

    def _vector(self, word: str) -> Vectors:
        if word not in self._words:
            drawn = np.random.default_rng(int(digest(word), 16)).normal(size=DIM)
            self._words[word] = drawn.astype(np.float32)
        return self._words[word]


class Timed:
    """An encoder that keeps how much it encoded, and how long that took."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self.space = encoder.space
        self.count_tokens = encoder.count_tokens
        self.texts, self.seconds = 0, 0.0

    def encode(self, texts: Sequence[str]) -> Vectors:
        """See `Encoder.encode`."""
        began = time.perf_counter()
        found = self._encoder.encode(texts)
        self.seconds += time.perf_counter() - began
        self.texts += len(texts)
        return found


def main() -> None:
    """Add items and interactions, form the notes, and tell what that took."""
    hashed = "--hashed" in sys.argv
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    paths = [word for word in sys.argv[1:] if word.endswith(".db")]
    encoder = Timed(Hashed() if hashed else encoder_for(None, Settings()))
    rated = sorted((act for act in of(Interaction) if act.action == "rate"), key=lambda a: a.at)
    done = rated[: numbers[0] if numbers else None]
    with (
        tempfile.TemporaryDirectory() as folder,
        lamina.open(paths[0] if paths else Path(folder) / "memory.db", encoder=encoder) as memory,
    ):
        films = memory.recommender("films")
        began = time.perf_counter()
        films.add_items(of(Item))
        films.add_interactions(done)
        parts = _build(films)
        seconds = time.perf_counter() - began
    count = len(done)
    print(f"{count} interactions, {encoder.texts} encodings, descriptions included")
    verdict("encodings an interaction", encoder.texts / count, "at most 1.5")
    if not hashed:
        verdict("time over that of the encodings alone", seconds / encoder.seconds, "at most 1.5")
    own = 1000 * (seconds - encoder.seconds) / count
    print(f"{seconds:.0f} s, of which {encoder.seconds:.0f} s encoding; the rest {own:.2f} ms each")
    if parts:
        verdict("the last 10,000 over the first", parts[-1] / parts[0], "at most 1.3")
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    verdict("memory at most, GB", kilobytes / 2**20, "below 3")


def _build(films: lamina.Recommender) -> list[float]:
    """Form all notes; return the seconds of each full part."""
    marks = [time.perf_counter()]

    def told(done: int, _: int) -> None:
        if done and done % PART == 0:
            marks.append(time.perf_counter())
            print(f"{done * AT_ONCE:8} formed, {marks[-1] - marks[-2]:.1f} s", flush=True)

    films.process(progress=told)
    return [later - before for before, later in itertools.pairwise(marks)]


def of(kind: type[T]) -> Iterator[T]:
    """Yield the items or the interactions of the data."""
    read = (each for source in detect(DATA).sources for each in source.read())
    return (each for each in read if isinstance(each, kind))


if __name__ == "__main__":
    main()
