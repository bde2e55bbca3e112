"""Moments: aware datetimes in the API, int64 microseconds since 1970 UTC in the store."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from lamina.errors import BadInput, NaiveDatetime, shown

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
DAY = 86_400_000_000
"""Microseconds."""

Moment = datetime | str
"""What callers may pass: an aware datetime, or ISO 8601 text (UTC where it has no offset)."""


def parse(moment: Moment) -> datetime:
    """Return `moment` as an aware datetime that keeps its own UTC offset.

    Raises:
        NaiveDatetime: A datetime has no time zone.
        BadInput: A text is not ISO 8601, or a moment lies in no year from 1 to 9999 of UTC.

    >>> parse("2026-03-04").isoformat()
    '2026-03-04T00:00:00+00:00'
    >>> parse("2026-03-04T01:00:00+08:00").isoformat()
    '2026-03-04T01:00:00+08:00'
    """
    if isinstance(moment, datetime):
        if moment.tzinfo is None or moment.utcoffset() is None:
            raise NaiveDatetime
        return _in_reach(moment)
    try:
        read = datetime.fromisoformat(moment.strip())
    except (ValueError, AttributeError, TypeError) as error:
        raise BadInput(
            f"not a time: {shown(moment)}; write it like 2026-03-04T10:00:00+01:00"
        ) from error
    return _in_reach(read if read.tzinfo else read.replace(tzinfo=UTC))


def _in_reach(moment: datetime) -> datetime:
    try:
        moment.astimezone(UTC)
    except OverflowError as error:
        raise BadInput(
            f"out of reach: {moment.isoformat()}; in UTC it must lie in the years 1 to 9999"
        ) from error
    return moment


def to_micros(moment: datetime) -> int:
    """Return microseconds since 1970 UTC. Exact: no float is involved."""
    return (moment - EPOCH) // MICROSECOND


def from_micros(micros: int, offset_minutes: int = 0) -> datetime:
    """Return the moment `micros` after 1970 UTC, told in the given UTC offset.

    >>> from_micros(0, offset_minutes=60).isoformat()
    '1970-01-01T01:00:00+01:00'
    """
    moment = EPOCH + timedelta(microseconds=micros)
    if not offset_minutes:
        return moment
    return moment.astimezone(timezone(timedelta(minutes=offset_minutes)))


def offset_minutes(moment: datetime) -> int:
    """Return the UTC offset of an aware moment in whole minutes, towards UTC where it has seconds.

    >>> offset_minutes(datetime.fromisoformat("1900-01-01T00:00:00-23:59:59"))
    -1439
    """
    return int((moment.utcoffset() or timedelta()) / timedelta(minutes=1))
