"""From where memory is looked at: what was known by when, and what held when."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from lamina.model import At
from lamina.times import Moment, parse


@dataclass(frozen=True, slots=True, kw_only=True)
class Standpoint:
    """What a read may tell."""

    at: At | None = None
    """The moment from which the store is read; `None`: now."""
    valid_on: datetime | None = None
    """Only what holds at this moment, superseded since or not; `None`: what has not been
    superseded."""
    superseded: bool = False
    """Without `valid_on`: whether what has been superseded is told too."""

    @property
    def asked_at(self) -> datetime | None:
        """The present of whoever looks from here, if it is not now."""
        return None if self.at is None else self.at.as_of or self.at.recorded_as_of


NOW = Standpoint()


def standpoint(
    *,
    as_of: Moment | None = None,
    valid_on: Moment | None = None,
    recorded_as_of: Moment | None = None,
    superseded: bool = False,
) -> Standpoint:
    """Return the standpoint that a caller names. Raises `BadInput` where one is no time."""
    bounds = [None if m is None else parse(m) for m in (as_of, recorded_as_of)]
    return Standpoint(
        at=At(as_of=bounds[0], recorded_as_of=bounds[1]) if any(bounds) else None,
        valid_on=None if valid_on is None else parse(valid_on),
        superseded=superseded,
    )
