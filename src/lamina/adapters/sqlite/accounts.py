"""The ledger and the reply cache: see `lamina.ports.Accounts`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from lamina.adapters.sqlite import rows, scopes
from lamina.adapters.sqlite.part import Part
from lamina.adapters.sqlite.queries import load
from lamina.adapters.sqlite.words import pack, unpack
from lamina.model import Scope
from lamina.ports import Call, Reply, Usage
from lamina.times import to_micros

SQL = load("accounts")


class SqliteAccounts(Part):
    """Model calls and the replies that are kept."""

    def record(self, scope: Scope, calls: Sequence[Call]) -> None:
        """See `Accounts.record`."""
        with self._db.writing() as tx:
            key = scopes.payer(tx, scope)
            own = [c if key else replace(c, operation="") for c in calls]
            tx.executemany(SQL["record"], [(key, *_columns(call)) for call in own])

    def usage(self, scope: Scope | None = None, *, operation: str | None = None) -> Usage:
        """See `Accounts.usage`."""
        with self._db.reading() as tx:
            asked = (*scopes.keys(tx, scope), operation)
            calls, cached, failed, *sums = tx.execute(SQL["usage"], asked).fetchone()
        input_tokens, output_tokens, cost_usd, unpriced = sums
        return Usage(
            calls=calls,
            cached=cached,
            failed=failed,
            input_tokens=input_tokens,
            output_tokens=output_tokens,
            cost_usd=cost_usd,
            unpriced=unpriced,
        )

    def replies(self, scope: Scope, digests: Sequence[str]) -> dict[str, Reply]:
        """See `Accounts.replies`."""
        with self._db.reading() as tx:
            row = scopes.find(tx, scope)
            asked = rows.ids_as_json(digests)
            found = tx.execute(SQL["replies"], (row.key, asked)) if row else []
            return {digest: _reply(columns) for digest, *columns in found}

    def keep_replies(
        self,
        scope: Scope,
        replies: Mapping[str, Reply],
        *,
        now: datetime,
        epoch: int | None = None,
    ) -> None:
        """See `Accounts.keep_replies`."""
        with self._db.writing() as tx:
            scopes.check_epoch(tx, scope, epoch)
            row = scopes.find(tx, scope)
            if row is None:
                return
            kept = [
                (row.key, digest, pack(r.text), r.model, r.input_tokens, r.output_tokens,
                 r.cost_usd, r.truncated, to_micros(now))
                for digest, r in replies.items()
            ]  # fmt: skip
            tx.executemany(SQL["keep_reply"], kept)


def _columns(call: Call) -> tuple[str | int | float | None, ...]:
    return (
        call.operation,
        call.role,
        call.model,
        call.input_tokens,
        call.output_tokens,
        call.cost_usd,
        call.seconds,
        call.outcome,
        to_micros(call.recorded_at),
    )


def _reply(columns: Sequence[Any]) -> Reply:
    text, model, input_tokens, output_tokens, cost_usd, truncated = columns
    return Reply(
        text=unpack(text),
        model=model,
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        cost_usd=cost_usd,
        truncated=bool(truncated),
    )
