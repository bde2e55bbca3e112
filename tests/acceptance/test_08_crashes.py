"""Behaviour 8: whatever is killed whenever, what was acknowledged is there, whole and in order."""

import os
from pathlib import Path

from lamina.testing import FakeClock
from tests.acceptance.killing import Killer, lines, start
from tests.conftest import Open

KILLS = int(os.environ.get("LONG_CRASHES", "5"))
"""By hand, longer: LONG_CRASHES=50 pytest tests/acceptance/test_08_crashes.py"""


def test_kills_at_random_moments_lose_nothing_and_pay_nothing_twice(tmp_path: Path) -> None:
    killer = Killer(tmp_path / "memory.db")

    for number in range(KILLS):
        killer.kill(number)
    killer.finish()

    assert killer.toll.clean, killer.toll
    assert killer.toll.acknowledged
    assert killer.toll.asked


def test_a_full_disk_is_an_error_and_what_was_acknowledged_stays(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    killer = Killer(path)

    output, errors = start(path, "full", most_bytes=1_500_000).communicate(timeout=100)

    *told, last = lines(output)
    assert "Traceback" not in errors
    assert last["what"] == "full"
    assert last["error"].startswith("The disk is full; nothing of this call was written.")
    killer.judge(told)
    assert killer.toll.clean, killer.toll

    output, errors = start(path, "room again", hours=1, count=9).communicate(timeout=100)
    assert errors == ""
    *told, last = lines(output)
    assert last == {"what": "done", "owner": "", "failed": []}
    killer.judge(told)
    assert killer.toll.clean, killer.toll


def test_a_clock_that_jumps_back_loses_nothing(open_memory: Open) -> None:
    clock = FakeClock()
    memory = open_memory(clock=clock)
    user = memory.user("ann")
    user.add("I live in Paris.", wait=True)
    clock.advance(days=-3)

    user.add("I bought a tandem.")
    outcome = memory.process()
    deleted = user.delete(user.search("Where does Ann live?", top_k=1)[0].id)
    user.rollback(deleted.id)

    assert (outcome.failed, outcome.busy) == ((), 0)
    assert [m.text for m in user.messages()] == ["I bought a tandem.", "I live in Paris."]
    assert {hit.text for hit in user.search("tandem Paris")} >= {m.text for m in user.messages()}
    assert [o.kind for o in user.operations(limit=2)] == ["rollback", "delete"]
    assert memory.check() == []
