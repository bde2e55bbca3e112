import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from lamina.adapters.llm.call_loop import CallLoop


async def said(word: str) -> str:
    await asyncio.sleep(0)
    return word


def names() -> list[str]:
    return [t.name for t in threading.enumerate() if t.name == "lamina-model-calls"]


def test_results_come_in_the_order_asked() -> None:
    async def after(seconds: float) -> float:
        await asyncio.sleep(seconds)
        return seconds

    loop = CallLoop()
    loop.take_hold()
    assert loop.gather([after(0.02), after(0.0), after(0.01)]) == [0.02, 0.0, 0.01]
    loop.let_go()


def test_a_caller_inside_a_running_loop_is_served() -> None:
    async def caller() -> list[str]:
        loop = CallLoop()
        loop.take_hold()
        words = loop.gather([said("a")])
        loop.let_go()
        return words

    assert asyncio.run(caller()) == ["a"]


def test_no_more_than_the_bound_run_at_once_whoever_calls() -> None:
    running, most = 0, 0

    async def count() -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.002)
        running -= 1

    loop = CallLoop(concurrency=3)
    loop.take_hold()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: loop.gather([count() for _ in range(5)]), range(4)))
    loop.let_go()

    assert most == 3


def test_an_error_is_raised_after_all_have_ended() -> None:
    ended = []

    async def fail() -> None:
        raise KeyError("no")

    async def end() -> None:
        await asyncio.sleep(0.005)
        ended.append(True)

    loop = CallLoop()
    loop.take_hold()
    with pytest.raises(KeyError):
        loop.gather([fail(), end()])
    loop.let_go()

    assert ended == [True]


def test_the_thread_starts_with_the_first_call_and_stops_with_the_last_user() -> None:
    before = len(names())
    loop = CallLoop()
    loop.take_hold()
    loop.take_hold()
    assert len(names()) == before
    loop.gather([said("a")])
    assert len(names()) == before + 1
    loop.let_go()
    assert loop.gather([said("b")]) == ["b"]
    loop.let_go()

    assert len(names()) == before
