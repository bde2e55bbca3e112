"""A process of its own whose files may not grow beyond a size; the tests of a full disk start it.

It does one thing to a store until that fails, or once, and prints a line for each time that it did,
and then the error.
"""

import resource
import sys
from collections.abc import Callable
from pathlib import Path

from lamina.adapters.sqlite import SqliteStore
from lamina.errors import StoreError
from lamina.testing.clock import NOON
from lamina.testing.factories import at, draft, note, say, scope, turn, write

ALICE, COPY = scope("alice"), scope("copy")
LONG = "word " * 400


def add(store: SqliteStore, number: int) -> None:
    """Store a message."""
    say(store, ALICE, draft(f"new {number} {LONG}", said_at=at(10_000 + number)))


def apply(store: SqliteStore, number: int) -> None:
    """Write a note."""
    [last] = store.latest(ALICE, 1)
    write(store, ALICE, note(f"new {number}", LONG, event=last.id), id_=f"new {number}")


def forget(store: SqliteStore, _: int) -> None:
    """Erase all."""
    store.forget(ALICE, now=NOON)


def purge(store: SqliteStore, _: int) -> None:
    """Rid the files of what was erased, which is told by an answer and not by an error."""
    sys.stdout.write(f"{store.purge()}\n")
    raise StoreError


def load(store: SqliteStore, _: int) -> None:
    """Put a copy of all into another scope."""
    archive = store.dump(ALICE)
    shown = [turn(message.text) for message in archive.messages]
    refs = [message.id for message in archive.messages]
    named = [type(s)(view="turn", ref=r, terms=s.terms, vector=s.vector)
             for s, r in zip(shown, refs, strict=True)]  # fmt: skip
    store.load(COPY, archive, named, steps=(), now=NOON)


def backup(store: SqliteStore, _: int) -> None:
    """Copy the file."""
    store.backup(Path(sys.argv[1]).with_name("copy.db"))


def main(path: str, action: str, most_bytes: str) -> None:
    doing: dict[str, Callable[[SqliteStore, int], None]] = {
        each.__name__: each for each in (add, apply, forget, purge, load, backup)
    }
    store = SqliteStore(Path(path))
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(most_bytes), int(most_bytes)))
    number = 0
    try:
        while number < 10_000:
            doing[action](store, number)
            sys.stdout.write(f"{number}\n")
            number += 1
    except StoreError as error:
        sys.stdout.write(f"{type(error).__name__}\n")
    store.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
