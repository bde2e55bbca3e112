"""The ledger and the reply cache: see `lamina.ports.Accounts`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from lamina.adapters.in_memory.part import Part
from lamina.errors import StaleEpoch
from lamina.model import Scope
from lamina.ports import Call, Reply, Usage


class InMemoryAccounts(Part):
    """Model calls and the replies that are kept."""

    def record(self, scope: Scope, calls: Sequence[Call]) -> None:
        """See `Accounts.record`."""
        with self._lock:
            if scope in self._erased and scope not in self._states:
                self._spent += tuple(replace(call, operation="") for call in calls)
                return
            with self._writing(scope) as state:
                state.calls += tuple(calls)

    def usage(self, scope: Scope | None = None, *, operation: str | None = None) -> Usage:
        """See `Accounts.usage`."""
        calls = self._read(scope).calls if scope else self._all_calls()
        calls = tuple(c for c in calls if operation in (None, c.operation))
        return Usage(
            calls=sum(call.outcome != "cached" for call in calls),
            cached=sum(call.outcome == "cached" for call in calls),
            failed=sum(call.outcome not in ("ok", "cached") for call in calls),
            input_tokens=sum(call.input_tokens for call in calls),
            output_tokens=sum(call.output_tokens for call in calls),
            cost_usd=sum((call.cost_usd for call in calls if call.cost_usd is not None), 0.0),
            unpriced=sum(call.cost_usd is None for call in calls),
        )

    def _all_calls(self) -> tuple[Call, ...]:
        with self._lock:
            return (*self._spent, *(c for state in self._states.values() for c in state.calls))

    def replies(self, scope: Scope, digests: Sequence[str]) -> dict[str, Reply]:
        """See `Accounts.replies`."""
        replies = self._read(scope).replies
        return {digest: replies[digest] for digest in digests if digest in replies}

    def keep_replies(
        self,
        scope: Scope,
        replies: Mapping[str, Reply],
        *,
        now: datetime,
        epoch: int | None = None,
    ) -> None:
        """See `Accounts.keep_replies`."""
        with self._lock:
            if epoch is not None and epoch != self._read(scope).epoch:
                raise StaleEpoch
            if scope in self._states:
                with self._writing(scope) as state:
                    state.replies.update(
                        {digest: replace(r, cached=False) for digest, r in replies.items()}
                    )
