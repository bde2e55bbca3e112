"""Running several processes on one memory, and seeing that all they acknowledged is there."""

import json
import os
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import lamina
from lamina.testing.encoder import WordEncoder
from tests.acceptance.sharing import SHARED

SHARER = Path(__file__).with_name("sharing.py")
MOST = 1_000_000


@dataclass
class Shared:
    """What came of several processes that used one memory."""

    times: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    """Milliseconds of each call that succeeded, by verb."""
    overtaken: int = 0
    errors: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    inconsistent: list[str] = field(default_factory=list)


def share(path: Path, *, processes: int, threads: int, seconds: float) -> Shared:
    """Let processes of several threads use one memory for so many seconds."""
    with lamina.open(path, encoder=WordEncoder()):
        pass
    running = [start(path, f"p{number}", threads, seconds) for number in range(processes)]
    shared = Shared()
    added: dict[str, str] = {}
    for process in running:
        output, errors = process.communicate(timeout=100 + 3 * seconds)
        if errors:
            shared.errors.append(errors)
        for told in json.loads(output or "[]"):
            gather(shared, told)
            added |= told["added"]
    with lamina.open(path, encoder=WordEncoder()) as memory:
        there = {m.id: m.text for m in memory.user(SHARED).messages(limit=MOST)}
        shared.lost += [text for id_, text in added.items() if there.get(id_) != text]
        shared.lost += [f"not acknowledged: {there[id_]}" for id_ in there.keys() - added.keys()]
        shared.inconsistent += memory.check()
    return shared


def start(path: Path, name: str, threads: int, seconds: float) -> subprocess.Popen[str]:
    """Start one process."""
    return subprocess.Popen(
        [sys.executable, str(SHARER), str(path), name, str(threads), str(seconds)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(SHARER.parents[2])},
    )


def gather(shared: Shared, told: dict[str, Any]) -> None:
    """Add what one thread told."""
    for verb, times in told["times"].items():
        shared.times[verb] += times
    shared.overtaken += told["overtaken"]
