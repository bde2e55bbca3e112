"""Scopes: from a name to the small number that owns its rows."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from lamina.adapters.sqlite.queries import load
from lamina.adapters.sqlite.words import Column, pack, unpack
from lamina.errors import LeaseLost, StaleEpoch
from lamina.identity import digest
from lamina.model import Scope, ScopeKind
from lamina.ports import Lease

SQL = load("scopes")
NOTHING, ERASED, LAST = -1, 0, 2**63 - 1
"""Keys: of no row, of what erased scopes leave in the ledger, and beyond all others."""


class ScopeRow(NamedTuple):
    """A scope as it is stored."""

    key: int
    epoch: int
    fence: int
    messages: int
    """The last position given out."""
    documents: int
    """The last document id given out."""
    changes: int
    """Rises when a document is changed or goes."""
    upheavals: int = 0
    """Rises when what was written changes or goes, but for notes that are revised."""


def columns(scope: Scope) -> tuple[Column, str, Column]:
    """Return what a scope is looked up by."""
    return pack(scope.tenant), scope.kind, pack(scope.id)


def from_columns(tenant: Column, kind: ScopeKind, id_: Column) -> Scope:
    """Return the scope that `columns` was given."""
    return Scope(unpack(tenant), kind, unpack(id_))


def find(tx: sqlite3.Connection, scope: Scope) -> ScopeRow | None:
    """Return a scope's row, if it has one."""
    row = tx.execute(SQL["find"], columns(scope)).fetchone()
    return None if row is None else ScopeRow(*row)


def ensure(tx: sqlite3.Connection, scope: Scope, expected: int | None = None) -> ScopeRow:
    """Return a scope's row; make it if it is new, or new again.

    Raises:
        StaleEpoch: The scope was erased since its epoch was `expected`.
    """
    row = find(tx, scope) or _made(tx, scope)
    if expected is not None and row.epoch != expected:
        raise StaleEpoch
    return row


def _made(tx: sqlite3.Connection, scope: Scope) -> ScopeRow:
    epoch, fence = _erased(tx, scope)
    (key,) = tx.execute(SQL["make"], (*columns(scope), epoch, fence)).fetchone()
    return ScopeRow(key, epoch, fence, 0, 0, 0)


def keys(tx: sqlite3.Connection, scope: Scope | None) -> tuple[int, int]:
    """Return the first and last key of a scope's rows, or of all; those of nothing if unknown."""
    if scope is None:
        return ERASED, LAST
    row = find(tx, scope)
    return (row.key, row.key) if row else (NOTHING, NOTHING)


def payer(tx: sqlite3.Connection, scope: Scope) -> int:
    """Return the key that model calls are put down to: nobody's, where the scope was erased.

    So a call that was in flight does not bring back the name.
    """
    erased = find(tx, scope) is None and _erased(tx, scope)[0] > 0
    return ERASED if erased else ensure(tx, scope).key


def epoch(tx: sqlite3.Connection, scope: Scope) -> int:
    """Return how often the scope was erased."""
    found = find(tx, scope)
    return found.epoch if found else _erased(tx, scope)[0]


def check_epoch(tx: sqlite3.Connection, scope: Scope, expected: int | None) -> None:
    """Raise `StaleEpoch` if the scope was erased since `expected` was read."""
    if expected is not None and epoch(tx, scope) != expected:
        raise StaleEpoch


def check_lease(tx: sqlite3.Connection, lease: Lease) -> ScopeRow:
    """Return the row of a leased scope.

    Raises:
        LeaseLost: Another lease was granted since, or the scope was erased.
    """
    row = find(tx, lease.scope)
    held = row and tx.execute(SQL["lease"], (row.key,)).fetchone()
    if row is None or held is None or held[0] != lease.fence:
        raise LeaseLost
    return row


def erased_name(scope: Scope) -> str:
    """Return what stands for a scope's name once it is erased."""
    return digest("erased", scope.tenant, scope.kind, scope.id)


def _erased(tx: sqlite3.Connection, scope: Scope) -> tuple[int, int]:
    """Return the epoch and the last fence that a scope without a row goes on from."""
    row = tx.execute(SQL["erased"], (erased_name(scope),)).fetchone()
    return (row[0], row[1]) if row else (0, 0)
