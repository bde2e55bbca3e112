"""One file: its connections, its one writer, and its transactions."""

from __future__ import annotations

import json
import os
import random
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TypeVar
from weakref import WeakValueDictionary

from lamina.adapters.sqlite import scanning
from lamina.adapters.sqlite.faults import BUSY, code, in_our_words
from lamina.errors import BadInput, StoreError, StoreFull, StoreLocked

WAIT_SECONDS = (0.0005, 0.004)
"""Between two tries for the write lock. Short and random, so that whoever waits has the same chance
whenever it came; SQLite's own wait grows, and starves those that have waited longest."""
CACHE_KIB = 16_384
"""Of pages, a connection."""
IDLE_READERS = 8
PURGE_SECONDS = 2.0
"""How long an erasure waits for those who still read an older state."""

_WRITERS: WeakValueDictionary[str, threading.Lock] = WeakValueDictionary()
_WRITERS_GUARD = threading.Lock()

T = TypeVar("T")


def patiently(attempt: Callable[[], T], seconds: float) -> T:
    """Return what `attempt` returns; while the file is locked, try again for so long."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            return attempt()
        except sqlite3.OperationalError as error:
            if code(error) not in BUSY or time.monotonic() >= deadline:
                raise
        time.sleep(random.uniform(*WAIT_SECONDS))


class Database:
    """The connections to one file: one that writes, and as many that read as are busy at once."""

    def __init__(
        self, path: Path, *, read_only: bool, busy_seconds: float, immutable: bool = False
    ) -> None:
        """Open the file; nothing is read yet.

        Args:
            path: The file.
            read_only: Never write it.
            busy_seconds: How long to wait for others.
            immutable: Nobody else writes it either, so that no lock is needed.
        """
        mode = "mode=ro" if read_only else "mode=rwc"
        self._path = Path(os.path.realpath(path))
        self._uri = f"{path.absolute().as_uri()}?{mode}{'&immutable=1' if immutable else ''}"
        self.read_only = read_only
        self._busy_seconds = busy_seconds
        self._readers: list[sqlite3.Connection] = []
        self._guard = threading.Lock()
        self._closed = False
        self._process = os.getpid()
        with _WRITERS_GUARD:
            self._turn = _WRITERS.setdefault(str(self._path), threading.Lock())
        with in_our_words():
            self._writer = self._connect(writes=True)

    def prepare(self, action: Callable[[sqlite3.Connection], T]) -> T:
        """Run `action` on the writer outside any transaction, as opening and purging need it.

        While others keep the file locked it is tried again.
        """
        with self._our_turn(), in_our_words():
            return patiently(lambda: action(self._writer), self._busy_seconds)

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Open a transaction that may write: all of it is durable afterwards, or none of it."""
        with self._our_turn(), in_our_words():
            patiently(lambda: self._writer.execute("BEGIN IMMEDIATE"), self._busy_seconds)
            try:
                yield self._writer
                self._writer.execute("COMMIT")
            finally:
                if self._writer.in_transaction:
                    self._writer.execute("ROLLBACK")

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Open a transaction that reads one state of the file."""
        with in_our_words():
            reader = self._borrow()
            try:
                reader.execute("BEGIN")
                yield reader
            finally:
                self._give_back(reader)

    def purge(self) -> bool:
        """Write the file anew and empty its log, so that no deleted byte is left in either.

        Overwriting what is deleted is not enough: when a page is split, SQLite leaves copies of
        rows in the part of the old page that it no longer uses.

        Returns:
            Whether that was possible: not while somebody reads an older state or keeps the file
            locked, nor where the disk has no room for a second copy.
        """
        try:
            self.prepare(_written_anew)
            return self._emptied_log()
        except (StoreLocked, StoreFull):
            return False

    def _emptied_log(self) -> bool:
        deadline = time.monotonic() + min(self._busy_seconds, PURGE_SECONDS)
        while not self.prepare(_emptied_log):
            if time.monotonic() >= deadline:
                return False
            time.sleep(WAIT_SECONDS[1])
        return True

    def copy(self, path: Path) -> None:
        """Write what the file holds now, and none of what was deleted from it, to a new file.

        Others go on reading and writing meanwhile. The copy has its name only when it is whole.

        Raises:
            BadInput: There is something at `path`, or no folder for it.
        """
        self._check_open()
        path = path.absolute()  # else SQLite might take it for a URI
        if os.path.lexists(path):
            raise BadInput(f"{path} exists already; choose another path")
        if not path.parent.is_dir():
            raise BadInput(f"there is no folder {path.parent}; make it first")
        begun = path.with_name(f"{path.name}.{os.getpid()}.part")
        try:
            self._copy_to(begun)
            begun.rename(path)
            _make_durable(path.parent)
        except OSError as error:
            raise BadInput(f"{path}: {error.strerror}; choose another path") from error
        finally:
            begun.unlink(missing_ok=True)

    def _copy_to(self, path: Path) -> None:
        with in_our_words():
            connection = self._connect(writes=False)
            try:
                connection.execute("VACUUM INTO ?", (str(path),))
            finally:
                connection.close()
        _make_durable(path)

    def occurrences(self, needles: Sequence[bytes]) -> list[int]:
        """Return how often each byte string occurs in the file, its log and the log's index.

        Another process reads them: whoever closes a file that SQLite has open takes away every lock
        that its process holds on it.
        """
        self._check_open()
        files = [f"{self._path}{suffix}" for suffix in ("", "-wal", "-shm", "-journal")]
        asked = {"files": files, "needles": [needle.hex() for needle in needles]}
        command = [sys.executable, "-I", scanning.__file__]
        ended = subprocess.run(command, input=json.dumps(asked).encode(), capture_output=True)
        if ended.returncode:
            said = ended.stderr.decode(errors="replace").strip().splitlines()
            raise StoreError(f"the store's files could not be read: {said[-1] if said else '?'}")
        found: list[int] = json.loads(ended.stdout)
        return found

    def close(self) -> None:
        """Let go of the file. Closing again changes nothing, nor does closing in a fork."""
        if self._process != os.getpid():
            return
        with self._guard:
            self._closed = True
            readers, self._readers = self._readers, []
        for reader in readers:
            reader.close()
        with self._turn:
            self._writer.close()

    @contextmanager
    def _our_turn(self) -> Iterator[None]:
        self._check_open()
        if not self._turn.acquire(timeout=self._busy_seconds):
            raise StoreLocked
        try:
            self._check_open()
            yield
        finally:
            self._turn.release()

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError("the store is closed")
        if self._process != os.getpid():  # a fork has the connections but none of their locks
            raise StoreError("the store was opened before this process was forked; open it again")

    def _borrow(self) -> sqlite3.Connection:
        with self._guard:
            self._check_open()
            if self._readers:
                return self._readers.pop()
        reader = self._connect(writes=False)
        reader.execute("PRAGMA query_only = ON")
        return reader

    def _give_back(self, reader: sqlite3.Connection) -> None:
        if reader.in_transaction:
            reader.execute("ROLLBACK")
        with self._guard:
            if not self._closed and len(self._readers) < IDLE_READERS:
                self._readers.append(reader)
                return
        reader.close()

    def _connect(self, *, writes: bool) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self._uri,
            uri=True,
            timeout=0 if writes else self._busy_seconds,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=256,
        )
        with ExitStack() as on_failure:
            on_failure.callback(connection.close)
            patiently(lambda: _set_up(connection), self._busy_seconds)
            on_failure.pop_all()
        return connection


def _set_up(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA temp_store = MEMORY")  # no copies of anybody's words elsewhere
    connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")


def _written_anew(writer: sqlite3.Connection) -> None:
    writer.execute("PRAGMA temp_store = FILE")  # the second copy holds only what is to stay
    try:
        writer.execute("VACUUM")
    finally:
        writer.execute("PRAGMA temp_store = MEMORY")


def _emptied_log(writer: sqlite3.Connection) -> bool:
    (busy, *_) = writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not busy


def _make_durable(path: Path) -> None:
    """Let a file or folder that no connection has open outlive a loss of power."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
