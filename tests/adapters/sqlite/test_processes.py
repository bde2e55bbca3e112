import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lamina.adapters.sqlite import SqliteStore
from lamina.testing.clock import NOON
from lamina.testing.factories import SPACE, at, draft, note, say, scope, write

ALICE, BO, COPY = scope("alice"), scope("bo"), scope("copy")
WRITER = Path(__file__).with_name("writer.py")
FULL_DISK = Path(__file__).with_name("full_disk.py")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    store = SqliteStore(tmp_path / "memory.db")
    store.set_space(SPACE)
    store.close()
    return tmp_path / "memory.db"


def start(
    path: Path, name: str, count: int, *, threads: int = 1, most_bytes: int = 0
) -> subprocess.Popen[str]:
    given = [str(path), name, str(count), str(threads), str(most_bytes)]
    return subprocess.Popen(
        [sys.executable, str(WRITER), *given],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_four_processes_of_two_threads_lose_nothing(path: Path) -> None:
    writers = [start(path, f"p{i}", 15, threads=2) for i in range(4)]
    ended = [writer.communicate(timeout=100) for writer in writers]

    assert [errors for _, errors in ended] == [""] * 4
    said = [line for output, _ in ended for line in output.splitlines()]
    store = SqliteStore(path)
    assert len(said) == 4 * 2 * 15
    assert sorted(m.text for m in store.in_session(ALICE, "s1")) == sorted(said)
    assert sorted(m.position for m in store.in_session(ALICE, "s1")) == list(range(1, 121))
    assert store.check() == []
    store.close()


def test_what_another_process_wrote_is_found_by_the_next_search(path: Path) -> None:
    store = SqliteStore(path)
    say(store, ALICE, draft("mine"))
    with store.snapshot(ALICE) as before:
        assert len(before.documents.refs) == 1

    start(path, "other", 3).communicate(timeout=100)

    with store.snapshot(ALICE) as snapshot:
        assert len(snapshot.documents.refs) == 4
        assert snapshot.postings(["other-last"]).rows.tolist() == [1, 2, 3]
        assert snapshot.documents.speaker_names == ("alice", "other-last")
    store.close()


def test_a_store_opened_twice_in_one_process_stays_in_step_with_other_processes(
    path: Path,
) -> None:
    first = SqliteStore(path)
    say(first, ALICE, draft("before"))
    second = SqliteStore(path)
    start(path, "other", 1).communicate(timeout=100)
    say(first, ALICE, draft("between"))
    start(path, "another", 1).communicate(timeout=100)
    first.close()
    second.close()

    store = SqliteStore(path)
    said = [message.text for message in store.in_session(ALICE, "s1")]
    assert sorted(said) == ["another-last says 0", "before", "between", "other-last says 0"]
    assert store.check() == []
    store.close()


FORKING = """
import os, sys
from pathlib import Path
from lamina.adapters.sqlite import SqliteStore
from lamina.testing.factories import draft, say, scope
store = SqliteStore(Path(sys.argv[1]))
say(store, scope("alice"), draft("before"))
if os.fork() == 0:
    try:
        say(store, scope("alice"), draft("forked"))
    except Exception as error:
        print(error, flush=True)
    store.close()
    os._exit(0)
os.wait()
say(store, scope("alice"), draft("after"))
store.close()
"""


def test_a_fork_is_told_to_open_the_store_again(path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", FORKING, str(path)], capture_output=True, text=True, timeout=100
    )

    assert ended.stdout.strip().endswith("open it again")
    assert ended.returncode == 0
    store = SqliteStore(path)
    assert [message.text for message in store.in_session(ALICE, "s1")] == ["before", "after"]
    store.close()


def test_killing_a_writer_loses_nothing_that_was_acknowledged(path: Path) -> None:
    drawn = random.Random(7)
    acknowledged: list[str] = []
    for number in range(5):
        writer = start(path, f"w{number}", 10_000)
        assert writer.stdout
        first = writer.stdout.readline().strip()
        time.sleep(drawn.uniform(0.0, 0.15))
        writer.kill()
        output, _ = writer.communicate(timeout=100)
        # The last line may have been cut off.
        acknowledged += [first, *output.split("\n")[:-1]]

        store = SqliteStore(path)
        kept = {message.text for message in store.in_session(ALICE, "s1")}
        assert kept.issuperset(acknowledged)
        assert store.check() == []
        store.close()

    assert len(acknowledged) >= 5


def test_a_full_disk_is_an_error_and_not_a_broken_file(path: Path) -> None:
    output, errors = start(path, "w", 10_000, most_bytes=600_000).communicate(timeout=100)

    *said, last = output.splitlines()
    assert errors == ""
    assert last.startswith("StoreFull: The disk is full; nothing of this call was written.")
    assert said
    store = SqliteStore(path)
    assert [m.text for m in store.in_session(ALICE, "s1")] == said
    assert store.check() == []
    say(store, ALICE, draft("There is room again."))
    store.close()


@pytest.fixture
def filled(path: Path) -> Path:
    """A store with half a megabyte of messages and notes, some of them erased but not purged."""
    store = SqliteStore(path)
    for owner in (ALICE, BO):
        given = [draft(f"{i} {'some words ' * 40}", said_at=at(i)) for i in range(100)]
        ids = say(store, owner, *given)
        write(store, owner, *(note(f"n{i}", given[i].text, event=ids[i]) for i in range(100)),
              id_="op1")  # fmt: skip
    store.forget(BO, now=NOON)
    store.close()
    return path


def on_a_full_disk(path: Path, action: str, *, most_bytes: int) -> list[str]:
    """Do something in a process whose files cannot grow; return the lines that it prints."""
    given = [str(path), action, str(most_bytes)]
    ended = subprocess.run(
        [sys.executable, str(FULL_DISK), *given], capture_output=True, text=True, timeout=100
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    return ended.stdout.splitlines()


@pytest.mark.parametrize("action", ["add", "apply", "forget", "load", "backup"])
@pytest.mark.parametrize("most_bytes", [40_000, 200_000])
def test_whatever_a_full_disk_hinders_is_undone_and_told(
    filled: Path, action: str, most_bytes: int
) -> None:
    store = SqliteStore(filled)
    before, counts = store.dump(ALICE), store.counts(ALICE)
    store.close()

    *done, last = on_a_full_disk(filled, action, most_bytes=most_bytes)

    assert last == "StoreFull"
    store = SqliteStore(filled)
    assert store.check() == []
    added = len(done) if action == "add" else 0
    noted = len(done) if action == "apply" else 0
    assert store.counts(ALICE)["messages"] == counts["messages"] + added
    assert store.counts(ALICE)["facts"] == counts["facts"] + noted
    assert store.dump(ALICE).messages[:100] == before.messages
    assert store.dump(ALICE).revisions[:100] == before.revisions
    assert store.counts(COPY)["messages"] == 0
    assert sorted(p.name for p in filled.parent.iterdir() if "copy" in p.name) == []
    say(store, ALICE, draft("There is room again."))
    store.close()


@pytest.mark.parametrize("most_bytes", [40_000, 200_000, 600_000])
def test_a_purge_that_a_full_disk_hinders_can_be_tried_again(filled: Path, most_bytes: int) -> None:
    assert on_a_full_disk(filled, "purge", most_bytes=most_bytes) == ["False", "StoreError"]

    store = SqliteStore(filled)
    assert store.check() == []
    assert store.counts()["unpurged"] == 1
    assert store.counts(ALICE)["messages"] == 100
    assert store.purge()
    assert store.counts()["unpurged"] == 0
    store.close()
