"""Work that waits: see `lamina.ports.Queue`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import get_args

from lamina.adapters.in_memory.part import Part
from lamina.adapters.in_memory.state import State
from lamina.model import Scope, Step, StepKind
from lamina.ports import Job, Lease

KINDS: tuple[StepKind, ...] = get_args(StepKind)
BEGIN_OF_TIME = datetime.min.replace(tzinfo=UTC)


class InMemoryQueue(Part):
    """Jobs and leases."""

    def lease(
        self,
        holder: str,
        seconds: float,
        *,
        now: datetime,
        scope: Scope | None = None,
        due_only: bool = True,
    ) -> Lease | None:
        """See `Queue.lease`."""
        with self._lock:
            waiting = [
                (job.due_at, job.id, job.scope)
                for owner, state in self._states.items()
                for job in state.jobs.values()
                if scope in (None, owner)
                and (job.due_at <= now or not due_only)
                and (state.lease is None or state.lease.until <= now)
            ]
            if not waiting:
                return None
            chosen = min(waiting, key=lambda each: each[:2])[2]
            with self._writing(chosen) as state:
                state.fence += 1
                until = now + timedelta(seconds=seconds)
                state.lease = Lease(scope=chosen, holder=holder, fence=state.fence, until=until)
                return state.lease

    def renew(self, lease: Lease, seconds: float, *, now: datetime) -> Lease:
        """See `Queue.renew`."""
        with self._writing(lease.scope, lease) as state:
            state.lease = replace(lease, until=now + timedelta(seconds=seconds))
            return state.lease

    def release(self, lease: Lease) -> None:
        """See `Queue.release`."""
        with self._lock:
            held = self._read(lease.scope).lease
            if held and held.fence == lease.fence:
                with self._writing(lease.scope) as state:
                    state.lease = None

    def leases(self) -> list[Lease]:
        """See `Queue.leases`."""
        with self._lock:
            return [state.lease for state in self._states.values() if state.lease]

    def jobs(self, scope: Scope | None = None) -> list[Job]:
        """See `Queue.jobs`."""
        with self._lock:
            waiting = [
                (_urgency(state, job, place), job)
                for place, (owner, state) in enumerate(self._states.items())
                for job in state.jobs.values()
                if scope in (None, owner)
            ]
        return [job for _, job in sorted(waiting, key=lambda each: each[0])]

    def enqueue(self, scope: Scope, steps: Sequence[Step], *, now: datetime) -> None:
        """See `Queue.enqueue`."""
        with self._pen(scope, now) as pen:
            pen.ask(steps)

    def finish(self, job: Job, lease: Lease, *, now: datetime) -> None:
        """See `Queue.finish`."""
        with self._pen(lease.scope, now, lease) as pen:
            pen.done(job)

    def postpone(
        self, job: Job, lease: Lease, *, due_at: datetime, error: str, now: datetime
    ) -> None:
        """See `Queue.postpone`."""
        with self._pen(lease.scope, now, lease) as pen:
            pen.put_back(job, due_at, error)


def _urgency(state: State, job: Job, scope: int) -> tuple[datetime, int, int, str, int]:
    """Return what jobs are ordered by: their session's begin, scope, session and kind."""
    sessions = state.at().sessions
    places = {session.id: i for i, session in enumerate(sessions)}
    place = places.get(job.step.subject, -1)
    began_at = BEGIN_OF_TIME if place < 0 else sessions[place].began_at
    return began_at, scope, place, job.step.subject, KINDS.index(job.step.kind)
