"""Count byte strings in files, as a process of its own: see `Database.occurrences`.

Reads JSON from its input, `{"files": [path], "needles": [hex]}`, and writes a list of counts. It
needs nothing but the standard library, and files of any size little memory.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

CHUNK_BYTES = 2**22


def occurrences(path: Path, needles: Sequence[bytes], chunk_bytes: int = CHUNK_BYTES) -> list[int]:
    """Return how often each of `needles` occurs in a file; an empty one or no file: never."""
    counts = [0] * len(needles)
    tails = [b""] * len(needles)
    if not path.exists():
        return counts
    with path.open("rb") as file:
        while chunk := file.read(chunk_bytes):
            for i, needle in enumerate(needles):
                counts[i] += _new(tails[i], chunk, needle)
                tails[i] = _tail(tails[i] + chunk[-len(needle) :], len(needle) - 1)
    return counts


def _new(tail: bytes, chunk: bytes, needle: bytes) -> int:
    """Return how often `needle` ends in `chunk`, which follows `tail`."""
    if not needle:
        return 0
    across = tail + chunk[: len(needle) - 1]
    return across.count(needle) + chunk.count(needle)


def _tail(data: bytes, length: int) -> bytes:
    return data[-length:] if length > 0 else b""


if __name__ == "__main__":
    asked = json.load(sys.stdin)
    wanted = [bytes.fromhex(needle) for needle in asked["needles"]]
    found = [occurrences(Path(path), wanted) for path in asked["files"]]
    json.dump([sum(counts) for counts in zip(*found, strict=True)], sys.stdout)
