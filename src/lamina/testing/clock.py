"""A clock that stands still until it is told to go on."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

NOON = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)


class FakeClock:
    """Tells the time that a test wants.

    >>> clock = FakeClock()
    >>> clock.advance(minutes=5).isoformat()
    '2026-03-04T12:05:00+00:00'
    """

    def __init__(self, start: datetime = NOON) -> None:
        """Stand at `start`, which must be aware."""
        self._now = start

    def now(self) -> datetime:
        """See `Clock.now`."""
        return self._now

    def advance(self, **by: float) -> datetime:
        """Go on by what `timedelta` takes, such as `minutes=5`, and return the time then."""
        self._now += timedelta(**by)
        return self._now
