"""One thread with one event loop, on which all model calls run.

So the library stays synchronous, many calls wait at once, and a caller who is inside a running loop
of their own is no special case.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from threading import Lock, Thread
from typing import Any, TypeVar

T = TypeVar("T")

DEFAULT_CONCURRENCY = 8


class CallLoop:
    """Runs coroutines on a thread of its own, a bounded number at once.

    The thread starts with the first call. Several models may share one: each takes hold of it,
    and it stops when the last lets go.
    """

    def __init__(self, concurrency: int = DEFAULT_CONCURRENCY) -> None:
        self._concurrency = concurrency
        self._lock = Lock()
        self._holders = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: Thread | None = None
        self._slots = asyncio.Semaphore(concurrency)

    def take_hold(self) -> None:
        """Count one more user."""
        with self._lock:
            self._holders += 1

    def let_go(self) -> None:
        """Count one user less, and stop the thread after the last."""
        with self._lock:
            self._holders -= 1
            if self._holders > 0 or self._loop is None or self._thread is None:
                return
            loop, thread = self._loop, self._thread
            self._loop = self._thread = None
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()

    def gather(self, coroutines: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
        """Run all, at most `concurrency` at once over all callers; return their results in order.

        Raises:
            BaseException: What a coroutine raised, after all have ended.
        """

        async def bounded(coroutine: Coroutine[Any, Any, T]) -> T:
            async with self._slots:
                return await coroutine

        async def together() -> list[T | BaseException]:
            return await asyncio.gather(*map(bounded, coroutines), return_exceptions=True)

        results = []
        for result in self.run(together()):
            if isinstance(result, BaseException):
                raise result
            results.append(result)
        return results

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run one coroutine and wait for it; an interrupted wait cancels it."""
        future = asyncio.run_coroutine_threadsafe(coroutine, self._running())
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            # After a fork the thread is gone, though the loop object is still there.
            if self._loop is None or self._thread is None or not self._thread.is_alive():
                self._loop = asyncio.new_event_loop()
                self._slots = asyncio.Semaphore(self._concurrency)
                self._thread = Thread(
                    target=self._loop.run_forever, name="lamina-model-calls", daemon=True
                )
                self._thread.start()
            return self._loop
