"""A process of its own that adds messages to a store; the tests of several processes start it.

It prints a line for each message when it is stored, so that a test knows what was acknowledged.
"""

import resource
import sys
import threading
from pathlib import Path

from lamina.adapters.sqlite import SqliteStore
from lamina.errors import StoreError
from lamina.testing.factories import draft, say, scope

ALICE = scope("alice")


def add(store: SqliteStore, name: str, count: int) -> None:
    for number in range(count):
        text = f"{name} says {number}"
        [id_] = say(store, ALICE, draft(text, speaker=name))
        with store.snapshot(ALICE) as snapshot:
            assert id_ in snapshot.documents.refs
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()


def main(path: str, name: str, count: str, threads: str, most_bytes: str) -> None:
    if int(most_bytes):
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(most_bytes), int(most_bytes)))
    store = SqliteStore(Path(path))
    workers = [
        threading.Thread(target=add, args=(store, f"{name}-{i}", int(count)))
        for i in range(int(threads) - 1)
    ]
    for worker in workers:
        worker.start()
    try:
        add(store, f"{name}-last", int(count))
    except StoreError as error:
        sys.stdout.write(f"{type(error).__name__}: {error}\n")
    for worker in workers:
        worker.join()
    store.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
