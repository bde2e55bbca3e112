"""Eight threads in each of four processes that write, read and change one store, for a minute."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import numpy as np

from tests.acceptance.together import Shared, share

PROCESSES, THREADS = 4, 8
SECONDS = float(os.environ.get("SECONDS", "60"))


def main() -> None:
    """Let them loose; tell how many calls there were, how long each took, and what went wrong."""
    with tempfile.TemporaryDirectory() as folder:
        shared = share(
            Path(folder) / "memory.db", processes=PROCESSES, threads=THREADS, seconds=SECONDS
        )
    report(shared)


def report(shared: Shared) -> None:
    """Print a row a verb, and what is to be zero."""
    print(f"{'verb':12}{'calls/s':>10}{'p50 ms':>10}{'p99 ms':>10}{'n':>8}")
    for verb, times in sorted(shared.times.items()):
        p50, p99 = np.percentile(times, [50, 99])
        print(f"{verb:12}{len(times) / SECONDS:10.1f}{p50:10.1f}{p99:10.1f}{len(times):8}")
    total = sum(map(len, shared.times.values()))
    print(f"all: {total / SECONDS:.1f} calls/s; told that another was first: {shared.overtaken}")
    wrong = {"errors": shared.errors, "lost": shared.lost, "inconsistent": shared.inconsistent}
    for name, found in wrong.items():
        print(f"{name}: {len(found)} (target 0) {' '.join(found)[-1500:]}")


if __name__ == "__main__":
    main()
