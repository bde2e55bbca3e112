"""Work that waits: see `lamina.ports.Queue`."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime, timedelta

from lamina.adapters.sqlite import scopes
from lamina.adapters.sqlite.part import Part
from lamina.adapters.sqlite.queries import load
from lamina.adapters.sqlite.rows import Row
from lamina.adapters.sqlite.words import pack, pack_maybe, unpack, unpack_maybe
from lamina.model import Scope, Step
from lamina.ports import Job, Lease
from lamina.times import from_micros, to_micros

SQL = load("queue")
ANY_TIME = 2**63 - 1


class SqliteQueue(Part):
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
        with self._db.writing() as tx:
            only = scopes.find(tx, scope) if scope else None
            if scope and only is None:
                return None
            asked = {
                "now": to_micros(now),
                "due_by": to_micros(now) if due_only else ANY_TIME,
                "scope": only.key if only else None,
            }
            found = tx.execute(SQL["longest_waiting"], asked).fetchone()
            if found is None:
                return None
            (fence,) = tx.execute(SQL["next_fence"], found[:1]).fetchone()
            until = now + timedelta(seconds=seconds)
            tx.execute(SQL["lease"], (found[0], fence, pack(holder), to_micros(until)))
        owner = scopes.from_columns(*found[1:])
        return Lease(scope=owner, holder=holder, fence=fence, until=until)

    def renew(self, lease: Lease, seconds: float, *, now: datetime) -> Lease:
        """See `Queue.renew`."""
        until = now + timedelta(seconds=seconds)
        with self._db.writing() as tx:
            row = scopes.check_lease(tx, lease)
            tx.execute(SQL["renew"], (to_micros(until), row.key, lease.fence))
        return Lease(scope=lease.scope, holder=lease.holder, fence=lease.fence, until=until)

    def release(self, lease: Lease) -> None:
        """See `Queue.release`."""
        with self._db.writing() as tx:
            row = scopes.find(tx, lease.scope)
            if row:
                tx.execute(SQL["release"], (row.key, lease.fence))

    def leases(self) -> list[Lease]:
        """See `Queue.leases`."""
        with self._db.reading() as tx:
            return [
                Lease(
                    scope=scopes.from_columns(*row[:3]),
                    holder=unpack(row[3]),
                    fence=row[4],
                    until=from_micros(row[5]),
                )
                for row in tx.execute(SQL["leases"])
            ]

    def jobs(self, scope: Scope | None = None) -> list[Job]:
        """See `Queue.jobs`."""
        with self._db.reading() as tx:
            return [_job(row) for row in tx.execute(SQL["jobs"], scopes.keys(tx, scope))]

    def enqueue(self, scope: Scope, steps: Sequence[Step], *, now: datetime) -> None:
        """See `Queue.enqueue`."""
        with self._db.writing() as tx:
            ask(tx, scopes.ensure(tx, scope).key, steps, now)

    def finish(self, job: Job, lease: Lease, *, now: datetime) -> None:
        """See `Queue.finish`."""
        with self._db.writing() as tx:
            done(tx, scopes.check_lease(tx, lease).key, job, now)

    def postpone(
        self, job: Job, lease: Lease, *, due_at: datetime, error: str, now: datetime
    ) -> None:
        """See `Queue.postpone`."""
        with self._db.writing() as tx:
            put_back(tx, scopes.check_lease(tx, lease).key, job, due_at, error)


def ask(tx: sqlite3.Connection, scope: int, steps: Sequence[Step], now: datetime) -> None:
    """Put steps in the queue, due at once."""
    asked = [(scope, step.kind, pack(step.subject), to_micros(now)) for step in steps]
    tx.executemany(SQL["ask"], asked)


def done(tx: sqlite3.Connection, scope: int, job: Job, now: datetime) -> None:
    """Take a job out; one that was asked for again meanwhile waits as if it were new."""
    if tx.execute(SQL["finish"], (job.id, scope, job.version)).rowcount == 0:
        tx.execute(SQL["begin_again"], (to_micros(now), job.id, scope))


def put_back(
    tx: sqlite3.Connection, scope: int, job: Job, due_at: datetime, error: str | None
) -> None:
    """Let a failed job wait until `due_at`."""
    tx.execute(SQL["postpone"], (to_micros(due_at), pack_maybe(error), job.id, scope))


def _job(row: Row) -> Job:
    id_, tenant, scope_kind, scope_id, kind, subject, version, attempts, due_at, error = row
    return Job(
        id=id_,
        scope=scopes.from_columns(tenant, scope_kind, scope_id),
        step=Step(kind=kind, subject=unpack(subject)),
        version=version,
        attempts=attempts,
        due_at=from_micros(due_at),
        error=unpack_maybe(error),
    )
