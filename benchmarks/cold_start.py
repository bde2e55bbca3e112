"""Cold start of whole processes: `lamina --help`, and `lamina search` on a 10,000-message file."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.filling import RandomEncoder, fill_one
from lamina.adapters.encoders import open_encoder

RUNS = 7
COUNT = 10_000


def main() -> None:
    """Start each command several times and tell the median of its wall time."""
    import lamina

    tool = str(Path(sys.executable).with_name("lamina"))
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "memory.db")
        with lamina.open(path, encoder=RandomEncoder(open_encoder("minilm").space)) as memory:
            fill_one(memory, "ann", COUNT)
        _tell("lamina --help", [tool, "--help"], "at most 0.3 s")
        search = [tool, "search", "--db", path, "--user", "ann", "who sold the boat?"]
        _tell("lamina search, 10,000 messages", search, "at most 1.5 s")


def _tell(what: str, command: list[str], target: str) -> None:
    times = []
    for _ in range(RUNS):
        began = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times.append(time.perf_counter() - began)
    print(
        f"{what:36}{statistics.median(times):8.3f} s median, {min(times):.3f} min (target {target})"
    )
