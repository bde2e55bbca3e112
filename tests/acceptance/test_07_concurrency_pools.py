"""Behaviours 7 and 8, of pools: many at once, and processes that are killed amid a refresh."""

import json
import os
import random
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import lamina
from lamina.adapters.in_memory import InMemoryStore
from lamina.adapters.sqlite import SqliteStore
from lamina.errors import StaleEpoch
from lamina.testing import ScriptedLLM, WordEncoder
from tests.acceptance.telling import answer
from tests.acceptance.walking import exported, films, texts, walk
from tests.conftest import Open

REFRESHER = Path(__file__).with_name("refreshing.py")
KILLS = int(os.environ.get("LONG_CRASHES", "4"))
"""By hand, longer: LONG_CRASHES=50 pytest tests/acceptance/test_07_concurrency_pools.py"""
WALKS = tuple(walk(f"u{n}", ("nnwwnm", "mmoonn", "nwnwnw")[n % 3], n) for n in range(9))


def start(path: Path, workers: int = 1) -> subprocess.Popen[str]:
    """Start a process that refreshes, and wait until it has begun."""
    process = subprocess.Popen(
        [sys.executable, str(REFRESHER), str(path), str(workers)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(REFRESHER.parents[2])},
    )
    assert process.stdout
    assert process.stdout.readline() == "begun\n"
    return process


def modelled(path: Path | str) -> lamina.Memory:
    return lamina.open(path, encoder=WordEncoder(), llm=ScriptedLLM(always=answer))


def shared(pool: Any) -> list[Any]:
    """Return what a pool says and whose parts it rests on, by operation kinds and parts alone."""
    lines = exported(pool)
    parts = [each["message"] for each in lines if "message" in each]
    said = [(each["id"], each["text"], each["progress"]) for each in parts]
    revised = [each["revision"] for each in lines if "revision" in each]
    rests = [(*each["sources"], each["text"], each["context"]) for each in revised]
    return [sorted(said), sorted(rests)]


@pytest.fixture
def whole(tmp_path: Path) -> list[Any]:
    """What a refresh makes of it that nobody disturbs."""
    with modelled(tmp_path / "whole.db") as memory:
        return shared(films(memory, *WALKS).pool)


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    """A store of what users did, which nobody shares yet."""
    path = tmp_path / "memory.db"
    with modelled(path) as memory:
        films(memory, *WALKS, share=False)
    return path


def test_two_processes_that_refresh_at_once_make_what_one_makes(
    begun: Path, whole: list[Any]
) -> None:
    running = [start(begun, workers) for workers in (1, 3)]
    for process in running:
        output, errors = process.communicate(timeout=100)
        assert errors == "", errors
        assert "error" not in json.loads(output)

    with modelled(begun) as memory:
        pool = memory.recommender("films").pool
        done = pool.refresh()
        assert (done.new, done.failed, done.waiting) == (0, 0, 0)
        assert shared(pool) == whole
        assert memory.check() == []


def test_kills_amid_a_refresh_leave_nothing_half_done(begun: Path, whole: list[Any]) -> None:
    drawn = random.Random(0)
    for number in range(KILLS):
        with start(begun, 1 + number % 3) as process:
            time.sleep(drawn.uniform(0.0, 0.5))
            process.kill()
        with modelled(begun) as memory:
            assert memory.check() == []
            pool = memory.recommender("films").pool
            revisions = [each for p in pool.patterns() for each in pool.history(p.id)]
            assert all(each.text for each in revisions)
            assert all(pattern.contributors >= 3 for pattern in pool.patterns())
    with modelled(begun) as memory:
        pool = memory.recommender("films").pool
        pool.refresh()
        done = pool.refresh()
        assert (done.new, done.withdrawn, done.failed, done.waiting) == (0, 0, 0, 0)
        assert shared(pool) == whole
        assert memory.check() == []


@pytest.mark.parametrize("store", [SqliteStore, InMemoryStore])
def test_a_worker_that_dies_amid_a_step_leaves_the_parts(
    store: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(tmp_path / "memory.db") if store is SqliteStore else ":memory:"
    with lamina.open(path, encoder=WordEncoder()) as memory:
        made = films(memory, *(walk(user, "nnw") for user in "abc"), share=False)
        apply_all = store.apply_all

        def dies(self: Any, *given: Any, **named: Any) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(store, "apply_all", dies)
        with pytest.raises(KeyboardInterrupt):
            made.pool.refresh()
        assert made.pool.pending == 3
        assert texts(made.pool, "a") == []
        assert len(made.rank("a").ids) > 0

        monkeypatch.setattr(store, "apply_all", apply_all)
        done = made.pool.refresh()
        assert (done.new, done.taken_in, done.waiting) == (0, 3, 0)
        assert texts(made.pool) != []
        assert memory.check() == []


def share(made: lamina.Recommender, user: str, leaves: str | None) -> None:
    """Refresh, read what a user may see and rank for them; let somebody leave."""
    made.pool.refresh()
    assert all(each.contributors >= 3 or each.yours for each in made.pool.patterns(user))
    made.rank(user, top_k=3)
    if leaves is not None:
        made.pool.leave(leaves)
        assert not any(each.yours for each in made.pool.patterns(leaves))


def test_reading_ranking_leaving_and_refreshing_go_on_side_by_side(open_memory: Open) -> None:
    memory = open_memory(encoder=WordEncoder())
    made = films(memory, *WALKS)
    errors: list[BaseException] = []
    until = time.monotonic() + 2.0

    def work(number: int) -> None:
        user = f"x{number}"
        try:
            for day in range(1, 40, 5):
                made.add_interactions(walk(user, "nnw", day))
                share(made, user, leaves="u0" if number == 0 else None)
                if time.monotonic() > until:
                    break
        except StaleEpoch:
            return  # somebody left meanwhile: it is called again
        except BaseException as error:  # noqa: BLE001  told by the test
            errors.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    made.pool.refresh()

    assert errors == []
    assert made.pool.pending == 0
    assert not any(each.yours for each in made.pool.patterns("u0"))
    assert memory.check() == []
