"""Doing what waits: at once when asked, or in a thread that the caller starts."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

from lamina.errors import BadInput, LaminaError, LeaseLost
from lamina.model import Scope, Step
from lamina.ports import Job, Lease
from lamina.work import holding, retrying, steps
from lamina.work.engine import Engine

log = logging.getLogger(__name__)

LEASE_SECONDS = 300.0
"""Longer than most steps take; a worker that dies, or is slower, may be replaced after this."""
LONGEST_IDLE = 1e9
"""Seconds, some thirty years."""

Progress = Callable[[int, int], None]
"""Told (steps done, steps known of so far)."""


class Tally:
    """How a run of work is going."""

    def __init__(self, progress: Progress | None = None) -> None:
        self.done = 0
        self.failed: list[str] = []
        """Why jobs are to be tried again later."""
        self.busy: list[Scope] = []
        """Scopes that another worker holds."""
        self._progress = progress

    def count(self, waiting: int) -> None:
        """Tell the caller how far it is."""
        if self._progress:
            done = self.done + len(self.failed)
            self._progress(done, done + waiting)


def process(engine: Engine, scope: Scope | None = None, progress: Progress | None = None) -> Tally:
    """Do all that waits, in one scope or in all, due or not; each job fails at most once."""
    tally = Tally(progress)
    tried: set[tuple[int, int]] = set()
    holding.free_the_dead(engine.store)
    while scopes := _waiting(engine, scope, tried, tally):
        for each in scopes:
            with _leased(engine, each) as lease:
                if lease is None:
                    tally.busy.append(each)
                else:
                    _drain(engine, lease, tried, tally)
    return tally


def close_idle(engine: Engine, idle_after: float, scope: Scope | None = None) -> int:
    """Close the sessions in which nothing was said for `idle_after` seconds; return how many.

    Raises:
        BadInput: It is no span of time.
    """
    if not 0 <= idle_after <= LONGEST_IDLE:
        raise BadInput(f"idle_after must be seconds, from 0 to {LONGEST_IDLE:.0f}")
    limit = engine.clock.now() - timedelta(seconds=idle_after)
    closed = 0
    for each in [scope] if scope else engine.store.scopes():
        if each.kind in ("recommender", "pool"):  # what a user does has no end
            continue
        for session in engine.store.sessions(each):
            if not session.closed and session.ended_at <= limit:
                close_session(engine, each, session.id)
                closed += 1
    return closed


def close_session(engine: Engine, scope: Scope, session: str) -> None:
    """Mark a session as over; what is left of it is then bound and consolidated."""
    closing = (Step(kind="bind", subject=session), Step(kind="consolidate", subject=session))
    engine.store.close_session(scope, session, steps=closing, now=engine.clock.now())


class Worker:
    """Does due work in a thread of its own, from `start` to `stop`."""

    def __init__(self, engine: Engine, *, every: float, idle_after: float | None) -> None:
        self._engine = engine
        self._every = every
        self._idle_after = idle_after
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> Worker:
        """Begin. Starting again changes nothing."""
        if self._thread is None:
            self._stop.clear()
            self._thread = threading.Thread(target=self._run, name="lamina-worker", daemon=True)
            self._thread.start()
        return self

    def stop(self) -> None:
        """Finish the step at hand and end the thread."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def __enter__(self) -> Worker:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self._round()
            except LaminaError as error:
                log.warning("the worker will try again: %s", type(error).__name__)
            self._stop.wait(self._every)

    def _round(self) -> None:
        holding.free_the_dead(self._engine.store)
        if self._idle_after is not None:
            close_idle(self._engine, self._idle_after)
        tried: set[tuple[int, int]] = set()
        while not self._stop.is_set():
            now = self._engine.clock.now()
            lease = self._engine.store.lease(holding.name(), LEASE_SECONDS, now=now)
            if lease is None:
                return
            before = len(tried)
            try:
                _drain(self._engine, lease, tried, Tally(), due_only=True, stop=self._stop)
            finally:
                self._engine.store.release(lease)
            if len(tried) == before:
                return  # what is due there was tried in this round: the next one tries it again


def _waiting(
    engine: Engine, scope: Scope | None, tried: set[tuple[int, int]], tally: Tally
) -> list[Scope]:
    """Return the scopes with jobs that were not tried yet and that nobody else holds."""
    jobs = [job for job in engine.store.jobs(scope) if _mark(job) not in tried]
    tally.count(len(jobs))
    return [s for s in dict.fromkeys(job.scope for job in jobs) if s not in tally.busy]


@contextmanager
def _leased(engine: Engine, scope: Scope) -> Iterator[Lease | None]:
    lease = engine.store.lease(
        holding.name(), LEASE_SECONDS, now=engine.clock.now(), scope=scope, due_only=False
    )
    try:
        yield lease
    finally:
        if lease is not None:
            engine.store.release(lease)


def _drain(
    engine: Engine,
    lease: Lease,
    tried: set[tuple[int, int]],
    tally: Tally,
    *,
    due_only: bool = False,
    stop: threading.Event | None = None,
) -> None:
    """Do a scope's jobs one by one; what a job enqueues is seen by the next look."""
    while not (stop and stop.is_set()):
        now = engine.clock.now()
        waiting = [
            job
            for job in engine.store.jobs(lease.scope)
            if _mark(job) not in tried and (not due_only or job.due_at <= now)
        ]
        tally.count(len(waiting))
        if not waiting:
            return
        tried.add(_mark(waiting[0]))
        try:
            lease = engine.store.renew(lease, LEASE_SECONDS, now=now)
            _do(engine, waiting[0], lease, tally)
        except LeaseLost:
            tally.busy.append(lease.scope)
            return


def _do(engine: Engine, job: Job, lease: Lease, tally: Tally) -> None:
    """Do one job. Whatever goes wrong, it is put back and what was stays as it was."""
    try:
        redo = steps.run(engine, job, lease)
    except LeaseLost:
        raise
    except Exception as error:  # noqa: BLE001  the worker's edge: one bad job must not stop the rest
        # Of an error that is not ours only the kind is kept: its words may hold a person's text.
        reason = str(error) if isinstance(error, LaminaError) else type(error).__name__
        log.warning("%s will be tried again: %s", job.step.kind, type(error).__name__)
        now = engine.clock.now()
        engine.store.postpone(job, lease, due_at=retrying.retry_at(job, now), error=reason, now=now)
        tally.failed.append(reason)
        return
    if redo is None:
        tally.done += 1
    else:
        tally.failed.append(redo)


def _mark(job: Job) -> tuple[int, int]:
    return job.id, job.version
