"""Bulk import: texts encoded a second, over the encoder's own rate in the same run."""

from __future__ import annotations

import tempfile
import time
from itertools import pairwise
from pathlib import Path

import lamina
from benchmarks.texts import messages
from benchmarks.timing import verdict
from lamina.ports import Encoder
from lamina.settings import Settings
from lamina.wiring import encoder_for

COUNT = 2048
AT_ONCE = 256


def main() -> None:
    """Import messages, exchanges included, then encode the same texts bare."""
    encoder = encoder_for(None, Settings())  # as `open` chooses it, with its threads
    encoder.encode(["warm up"])
    texts = [f"ann: {text}" for text in messages(COUNT)]
    exchanges = [f"{a}\n{b}" for a, b in pairwise(texts)]
    began = time.perf_counter()
    for start in range(0, COUNT, AT_ONCE):
        encoder.encode(texts[start : start + AT_ONCE])
        encoder.encode(exchanges[start : start + AT_ONCE])
    bare = (len(texts) + len(exchanges)) / (time.perf_counter() - began)
    with tempfile.TemporaryDirectory() as folder:
        rate = _import(Path(folder) / "memory.db", encoder)
    print(f"encoder alone {bare:.0f} texts/s, import {rate:.0f} texts/s")
    verdict("import over encoder", rate / bare, "at least 0.7")


def _import(path: Path, encoder: Encoder) -> float:
    """Return texts encoded a second while importing."""
    with lamina.open(path, encoder=encoder) as memory:
        user = memory.user("ann")
        began = time.perf_counter()
        said = [
            {
                "content": text,
                "timestamp": f"2026-01-01T{n // 3600:02}:{n // 60 % 60:02}:{n % 60:02}Z",
            }
            for n, text in enumerate(messages(COUNT))
        ]
        for start in range(0, COUNT, AT_ONCE):
            user.add(said[start : start + AT_ONCE])
        memory.process()
        seconds = time.perf_counter() - began
        summaries = memory.stats().counts["summaries"]
        return (2 * COUNT - 1 + summaries) / seconds
