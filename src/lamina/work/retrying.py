"""When a job that failed is tried again, and what tells one try from another."""

from __future__ import annotations

from datetime import datetime, timedelta

from lamina.identity import digest
from lamina.ports import Job

FIRST_DELAY = timedelta(seconds=30)
LONGEST_DELAY = timedelta(hours=1)


def retry_at(job: Job, now: datetime) -> datetime:
    """Return when a job that failed is due again: twice as late each time, an hour at most."""
    doublings = min(job.attempts, 16)
    return now + min(FIRST_DELAY * (1 << doublings), LONGEST_DELAY)


def operation_id(job: Job, now: datetime) -> str:
    """Return the id of what a job does this time."""
    scope = job.scope
    return digest(
        scope.tenant, scope.kind, scope.id, job.step.kind, job.step.subject, job.id, job.version,
        job.attempts, now.isoformat(),
    )  # fmt: skip
