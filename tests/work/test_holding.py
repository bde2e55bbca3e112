import os
import subprocess
import sys
from datetime import UTC, datetime

import lamina
from lamina.work import holding


def test_a_worker_of_this_process_is_alive() -> None:
    assert not holding.is_dead(holding.name())


def test_an_earlier_process_of_the_same_number_is_dead() -> None:
    host, pid, _, worker = holding.name().split("/")

    assert holding.is_dead(f"{host}/{pid}/another/{worker}")


def test_a_process_that_is_there_is_alive_and_one_that_is_gone_dead() -> None:
    host, _, token, worker = holding.name().split("/")
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    name = f"{host}/{child.pid}/{token}/{worker}"

    assert not holding.is_dead(name)
    child.communicate(b"\n")
    assert holding.is_dead(name)


def test_of_another_machine_nothing_is_known() -> None:
    assert not holding.is_dead(f"elsewhere/{os.getpid()}/x/y", alive=lambda _: False)
    assert not holding.is_dead("a worker of my own")


def test_the_work_of_a_dead_worker_goes_on_at_once(memory: lamina.Memory) -> None:
    ann = memory.user("ann")
    ann.add("I bought a tandem.")
    host, _, token, worker = holding.name().split("/")
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    store = ann._engine.store
    assert store.lease(
        f"{host}/{gone.pid}/{token}/{worker}", 9e6, now=datetime.now(UTC), scope=ann.scope
    )

    processed = memory.process()

    assert processed.busy == 0
    assert ann.list(kind="fact")
