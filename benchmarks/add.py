"""A durable add of one message, beside a bare SQLite commit and one encoding in the same run."""

from __future__ import annotations

import sqlite3
import tempfile
from pathlib import Path

import lamina
from benchmarks.texts import messages
from benchmarks.timing import table, timed, verdict
from lamina.adapters.encoders import open_encoder

COUNT = 1000


def main() -> None:
    """Interleave the three, so that all meet the same noise."""
    encoder = open_encoder("minilm")
    encoder.encode(["warm up"])
    with tempfile.TemporaryDirectory() as folder:
        bare = _bare(Path(folder) / "bare.db")
        memory = lamina.open(str(Path(folder) / "memory.db"), encoder=encoder)
        user = memory.user("ann")
        user.add("warm up")
        rows: dict[str, list[float]] = {"bare commit": [], "one encoding": [], "add": []}
        for number, text in enumerate(messages(COUNT)):
            rows["bare commit"].append(timed(lambda: _commit(bare, text)))  # noqa: B023
            rows["one encoding"].append(timed(lambda: encoder.encode([f"ann: {text}"])))  # noqa: B023
            stamp = f"2026-01-{number // 100 + 1:02}T{number // 60 % 24:02}:{number % 60:02}:00Z"
            rows["add"].append(timed(lambda: user.add(text, timestamp=stamp)))  # noqa: B023
        memory.close()
    p50 = table(rows.items())
    verdict(
        "add over commit + encoding",
        p50["add"] / (p50["bare commit"] + p50["one encoding"]),
        "at most 1.5",
    )


def _bare(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE message (id INTEGER PRIMARY KEY, text TEXT)")
    return connection


def _commit(connection: sqlite3.Connection, text: str) -> None:
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("INSERT INTO message (text) VALUES (?)", [text])
    connection.execute("COMMIT")
