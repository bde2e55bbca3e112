"""An account book in memory, and a clock that stands still."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import pytest

from lamina.model import Scope
from lamina.ports import Accounts, Call, Clock, Reply, Usage

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)


class Book:
    """`Accounts` as a list and a dictionary."""

    def __init__(self) -> None:
        self.calls: list[tuple[Scope, Call]] = []
        self.kept: dict[tuple[Scope, str], Reply] = {}

    def record(self, scope: Scope, calls: Sequence[Call]) -> None:
        self.calls += [(scope, call) for call in calls]

    def usage(self, scope: Scope | None = None, *, operation: str | None = None) -> Usage:
        calls = [
            call
            for owner, call in self.calls
            if scope in (None, owner) and operation in (None, call.operation)
        ]
        return Usage(
            calls=sum(call.outcome != "cached" for call in calls),
            cached=sum(call.outcome == "cached" for call in calls),
            failed=sum(call.outcome not in ("ok", "cached") for call in calls),
            input_tokens=sum(call.input_tokens for call in calls),
            output_tokens=sum(call.output_tokens for call in calls),
            cost_usd=sum(call.cost_usd or 0.0 for call in calls),
            unpriced=sum(call.cost_usd is None for call in calls),
        )

    def replies(self, scope: Scope, digests: Sequence[str]) -> dict[str, Reply]:
        return {d: self.kept[scope, d] for d in digests if (scope, d) in self.kept}

    def keep_replies(self, scope: Scope, replies: Mapping[str, Reply], *, now: datetime) -> None:
        self.kept.update({(scope, d): reply for d, reply in replies.items()})


class StandingClock:
    def now(self) -> datetime:
        return NOON


@pytest.fixture
def accounts() -> Accounts:
    return Book()


@pytest.fixture
def clock() -> Clock:
    return StandingClock()
