"""Behaviour 7: threads and processes share one memory; nothing fails and nothing is lost."""

import os
from pathlib import Path
from threading import Thread

import lamina
from lamina.testing.encoder import WordEncoder
from tests.acceptance.sharing import SHARED, Worker
from tests.acceptance.together import share

SECONDS = float(os.environ.get("LONG_CONCURRENCY", "4"))
"""By hand, longer: LONG_CONCURRENCY=60 pytest tests/acceptance/test_07_concurrency.py"""


def test_eight_threads_of_four_processes_lose_nothing(tmp_path: Path) -> None:
    shared = share(tmp_path / "memory.db", processes=4, threads=8, seconds=SECONDS)

    assert shared.errors == []
    assert shared.lost == []
    assert shared.inconsistent == []
    assert set(shared.times) >= {"add", "search"}


def test_eight_threads_of_one_store_in_memory_lose_nothing() -> None:
    memory = lamina.open(":memory:", encoder=WordEncoder())
    workers = [Worker(memory, f"t{number}") for number in range(8)]
    running = [Thread(target=worker.work, args=(SECONDS / 4,)) for worker in workers]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()

    there = {message.id for message in memory.user(SHARED).messages(limit=100_000)}
    assert there == {id_ for worker in workers for id_ in worker.added}
    assert memory.check() == []
    memory.close()
