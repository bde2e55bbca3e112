"""From a path to a store: what kind of file it is, and bringing its schema up to date."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack
from functools import cache
from importlib.resources import files
from pathlib import Path

from lamina.adapters.sqlite.database import Database
from lamina.errors import (
    BadInput,
    NewerFormat,
    NotALaminaFile,
    ReadOnlyStore,
)

APPLICATION_ID = 0x4C414D4E
"""`LAMN`: what tells our files from other SQLite databases."""
PAGE_BYTES = 8192
SMALLEST_BYTES = 512
"""Of a database. SQLite tells what is none, but takes a file of one byte for an empty one."""


@cache
def migrations() -> tuple[str, ...]:
    """Return the scripts that bring a file from each version to the next, from nothing on."""
    folder = files("lamina.adapters.sqlite") / "migrations"
    scripts = sorted((f for f in folder.iterdir() if f.name.endswith(".sql")), key=lambda f: f.name)
    return tuple(script.read_text(encoding="utf-8") for script in scripts)


def open_database(path: Path, *, read_only: bool, busy_seconds: float) -> Database:
    """Open the store in the file at `path`; without `read_only` it is made if there is none.

    Raises:
        BadInput: There is no such folder; or no such file, and it may not be made; or there can be
            no such path.
        NotALaminaFile: It is something else.
        NewerFormat: It was written by a newer version.
        ReadOnlyStore: It or its folder cannot be written.
        StoreLocked: Others kept it locked.
        StoreDamaged: It is damaged.
    """
    try:
        _check_path(path, read_only=read_only)
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}; choose another path") from error
    if not read_only:
        return _opened(Database(path, read_only=False, busy_seconds=busy_seconds))
    try:
        return _opened(Database(path, read_only=True, busy_seconds=busy_seconds))
    except ReadOnlyStore:
        # Reading needs a file beside it, for the index of the write-ahead log. Where the folder
        # takes none and there is no log, nobody can be writing: it may be read without.
        if _has_log(path):
            raise
        return _opened(Database(path, read_only=True, immutable=True, busy_seconds=busy_seconds))


def _opened(database: Database) -> Database:
    with ExitStack() as on_failure:
        on_failure.callback(database.close)
        version = database.prepare(_version)
        if not database.read_only:
            database.prepare(_keep_a_log)
            _migrate(database)
        elif version < len(migrations()):
            raise ReadOnlyStore(
                "the store is from an older version; open it once for writing to update it"
            )
        on_failure.pop_all()
    return database


def _has_log(path: Path) -> bool:
    log = path.with_name(f"{path.name}-wal")
    return log.exists() and log.stat().st_size > 0


def _version(connection: sqlite3.Connection) -> int:
    """Return the version of the file's schema, 0 where there is none yet."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application == APPLICATION_ID:
        if version > len(migrations()):
            raise NewerFormat
        return int(version)
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application or version or tables:
        raise NotALaminaFile("the file is another program's database; choose another path")
    return 0


def _keep_a_log(connection: sqlite3.Connection) -> None:
    connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
    connection.execute("PRAGMA journal_mode = WAL")


def _migrate(database: Database) -> None:
    for version, script in enumerate(migrations(), start=1):
        if database.prepare(_version) >= version:
            continue
        with database.writing() as connection:
            if _version(connection) < version:  # nobody else did it while we waited
                for statement in statements(script):
                    connection.execute(statement)
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {version}")


def statements(script: str) -> Iterator[str]:
    """Yield the statements of a script one by one: `executescript` would commit before it."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def _check_path(path: Path, *, read_only: bool) -> None:
    if path.is_dir():
        raise NotALaminaFile(f"{path} is a folder; name a file")
    if path.exists() and not path.is_file():
        raise NotALaminaFile(f"{path} is no file; choose another path")
    if not path.parent.is_dir():
        raise BadInput(f"there is no folder {path.parent}; make it first")
    if read_only and not path.exists():
        raise BadInput(f"there is no store {path}")
    if not read_only:
        _check_writable(path)
    if path.exists() and not _may(path, os.R_OK):
        raise ReadOnlyStore(f"{path} cannot be read; check its permissions")
    if path.exists() and 0 < path.stat().st_size < SMALLEST_BYTES:
        raise NotALaminaFile(f"{path} is no database; choose another path")


def _check_writable(path: Path) -> None:
    needed = [path.parent, path] if path.exists() else [path.parent]
    for each in needed:
        if not _may(each, os.W_OK):
            raise ReadOnlyStore(
                f"{each} cannot be written; check its permissions or choose another path"
            )


def _may(path: Path, mode: int) -> bool:
    """Whether we have the right. The file itself is opened by SQLite alone.

    Whoever opens and closes a file takes away every lock that its process holds on it: others
    would then believe that nobody uses the store, and remove the log that we write to.
    """
    return os.access(path, mode, effective_ids=os.access in os.supports_effective_ids)
