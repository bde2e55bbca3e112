"""What SQLite reports, in our words. The one place that knows its error codes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from lamina.errors import (
    BadInput,
    NotALaminaFile,
    ReadOnlyStore,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreLocked,
)

BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})

_BY_CODE: dict[int, type[StoreError] | type[BadInput]] = {
    **dict.fromkeys(BUSY, StoreLocked),
    sqlite3.SQLITE_FULL: StoreFull,
    # What a quota or a limit on a file's size gives, and a disk too full for the WAL's index.
    sqlite3.SQLITE_IOERR_WRITE: StoreFull,
    sqlite3.SQLITE_IOERR_TRUNCATE: StoreFull,
    sqlite3.SQLITE_IOERR_SHMSIZE: StoreFull,
    sqlite3.SQLITE_READONLY: ReadOnlyStore,
    sqlite3.SQLITE_CANTOPEN: ReadOnlyStore,
    sqlite3.SQLITE_PERM: ReadOnlyStore,
    sqlite3.SQLITE_CORRUPT: StoreDamaged,
    sqlite3.SQLITE_IOERR_SHORT_READ: StoreDamaged,
    sqlite3.SQLITE_NOTADB: NotALaminaFile,
    sqlite3.SQLITE_TOOBIG: BadInput,
}


def code(error: sqlite3.Error) -> int:
    """Return the primary result code, such as `SQLITE_BUSY`; 0 where the driver itself failed."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def translated(error: sqlite3.Error) -> StoreError | BadInput:
    """Return our error for one of SQLite's; with its own words where we have none."""
    extended = getattr(error, "sqlite_errorcode", 0)
    kind = _BY_CODE.get(extended) or _BY_CODE.get(extended & 0xFF)
    if kind is BadInput:
        return BadInput("a text is too long to be stored: a billion bytes is the most")
    return kind() if kind else StoreError(f"the store failed: {error}")


@contextmanager
def in_our_words() -> Iterator[None]:
    """Raise what SQLite raises in here as one of our errors."""
    try:
        yield
    except sqlite3.Error as error:
        raise translated(error) from error
