"""Behaviours 7 and 8, of recommenders: many at once, and a worker that dies amid a step."""

import threading
from pathlib import Path
from typing import Any

import pytest

import lamina
from lamina.adapters.in_memory import InMemoryStore
from lamina.adapters.sqlite import SqliteStore
from lamina.testing import WordEncoder
from tests.acceptance.watching import ITEMS, act, films
from tests.conftest import Open


def test_whoever_writes_reads_it_back_while_others_write_and_rank(open_memory: Open) -> None:
    memory = open_memory(encoder=WordEncoder())
    made = films(memory)
    errors: list[BaseException] = []

    def work(user: str) -> None:
        try:
            for day, item in enumerate("1230123", start=1):
                made.add_interactions([act(user, item, day, f"{user} on {day}.")])
                assert len(made.interactions(user)) == day
                assert sorted(made.rank(user, list("0123")).ids) == list("0123")
                made.process()
        except BaseException as error:  # noqa: BLE001  told by the test
            errors.append(error)

    threads = [threading.Thread(target=work, args=(f"user {n}",)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    made.process()

    assert errors == []
    assert made.pending == 0
    assert len(made.list(kind="user_note", limit=1000)) == 42
    assert memory.check() == []


@pytest.mark.parametrize("store", [SqliteStore, InMemoryStore])
def test_a_worker_that_dies_amid_a_step_leaves_nothing_half_done(
    store: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(tmp_path / "memory.db") if store is SqliteStore else ":memory:"
    with lamina.open(path, encoder=WordEncoder()) as memory:
        made = memory.recommender("films")
        made.add_items(ITEMS)
        made.add_interactions([act(user, item, 1 + i, f"{user} said so.")
                               for i, user in enumerate("abc") for item in "12"])  # fmt: skip
        whole = store.apply_all

        def dies(self: Any, *given: Any, **named: Any) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(store, "apply_all", dies)
        with pytest.raises(KeyboardInterrupt):
            made.process()
        assert made.list() == []
        assert made.pending == 6
        assert sorted(made.rank("a", list("0123")).ids) == list("0123")

        monkeypatch.setattr(store, "apply_all", whole)
        outcome = made.process()
        assert (outcome.failed, outcome.busy, made.pending) == ((), 0, 0)
        assert len(made.list(kind="user_note")) == 6
        assert memory.check() == []
