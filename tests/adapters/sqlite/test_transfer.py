import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from lamina.adapters.sqlite import SqliteStore
from lamina.errors import BadInput
from lamina.model import Note
from lamina.ports import is_interaction
from lamina.testing.clock import NOON
from lamina.testing.factories import SPACE, at, document, draft, note, say, scope, write
from tests.adapters.sqlite.damages import ALICE, filled

BO, COPY = scope("bo"), scope("copy")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return filled(tmp_path)


def test_what_is_put_in_needs_no_repair(path: Path) -> None:
    store = SqliteStore(path)
    archive = store.dump(ALICE)
    said: dict[tuple[str, str], Note] = {}
    for revision in archive.revisions:
        said.setdefault((revision.id, revision.text), revision)
    notes = [document("note", n.id, n.text, revision=n.revision) for n in said.values()]
    turns = [document("turn", m.id, m.text) for m in archive.messages if not is_interaction(m)]
    store.repair(now=NOON)

    store.load(COPY, archive, [*turns, *notes], steps=(), now=at(99))

    assert store.check() == []
    found = store.repair(now=NOON)
    assert (found.rebuilt, found.lacking) == ({"steps": 4}, ())
    store.close()


def test_places_in_the_log_are_kept_where_an_erasure_left_gaps(tmp_path: Path) -> None:
    pair = scope("pair", "conversation")
    store = SqliteStore(tmp_path / "memory.db")
    store.set_space(SPACE)
    given = [draft("a", speaker="ann"), draft("b", speaker="bo", said_at=at(1))]
    of_ann, of_bo = say(store, pair, *given)
    for id_, event in (("1", of_ann), ("2", of_bo), ("3", of_ann)):
        write(store, pair, note(f"n{id_}", id_, event=event), id_=f"op{id_}")
    store.forget_part(pair, author="", speaker="ann", now=NOON, steps=())
    archive = store.dump(pair)
    [message] = archive.messages
    shown = [document("note", "n2", "2"), document("turn", message.id, "b")]

    store.load(COPY, archive, shown, steps=(), now=NOON)

    assert message.position == 2
    assert store.dump(COPY) == archive
    assert store.check() == []
    store.close()


def test_a_backup_is_a_store_like_the_one_it_was_made_of(path: Path, tmp_path: Path) -> None:
    store = SqliteStore(path)
    copy = tmp_path / "copy.db"

    store.backup(copy)

    assert sorted(p.name for p in tmp_path.iterdir() if "copy" in p.name) == ["copy.db"]
    copied = SqliteStore(copy)
    assert copied.dump(ALICE) == store.dump(ALICE)
    assert copied.jobs() == store.jobs()
    assert copied.space() == SPACE
    assert copied.check() == []
    say(copied, ALICE, "and more")
    assert len(copied.latest(ALICE, 99)) == len(store.latest(ALICE, 99)) + 1
    copied.close()
    store.close()


def test_a_backup_holds_nothing_of_what_was_erased(path: Path, tmp_path: Path) -> None:
    store = SqliteStore(path)
    say(store, scope("bo"), "zyxwv")
    store.forget(scope("bo"), now=NOON)

    store.backup(tmp_path / "copy.db")

    assert b"zyxwv" not in (tmp_path / "copy.db").read_bytes()
    store.close()


def test_a_backup_never_takes_the_place_of_a_file(path: Path, tmp_path: Path) -> None:
    store = SqliteStore(path)
    there, nowhere = tmp_path / "there", tmp_path / "no folder" / "copy.db"
    there.write_text("mine")
    (tmp_path / "dangling").symlink_to(nowhere)

    for taken in (there, path, tmp_path, tmp_path / "dangling"):
        with pytest.raises(BadInput, match="exists already; choose another path"):
            store.backup(taken)
    with pytest.raises(BadInput, match="make it first"):
        store.backup(nowhere)

    assert there.read_text() == "mine"
    store.close()


def test_a_store_that_may_only_be_read_can_be_copied(path: Path, tmp_path: Path) -> None:
    store = SqliteStore(path, read_only=True)

    store.backup(tmp_path / "copy.db")

    copied = SqliteStore(tmp_path / "copy.db")
    assert copied.dump(ALICE) == store.dump(ALICE)
    copied.close()
    store.close()


@contextmanager
def written_meanwhile(path: Path) -> Iterator[None]:
    """Let a thread write pairs of messages, each pair in one transaction."""
    stop = threading.Event()

    def go_on() -> None:
        writer, number = SqliteStore(path), 0
        while not stop.is_set():
            number += 1
            say(writer, BO, *(draft(f"{side} {number}", said_at=at(number)) for side in "ab"))
        writer.close()

    with ThreadPoolExecutor(1) as pool:
        writing = pool.submit(go_on)
        yield
        stop.set()
        writing.result(timeout=60)


def test_a_backup_is_one_state_while_others_write(path: Path, tmp_path: Path) -> None:
    store = SqliteStore(path)
    with written_meanwhile(path):
        while not store.latest(BO, 1):
            time.sleep(0.01)
        for i in range(4):
            store.backup(tmp_path / f"copy{i}.db")

    held = []
    for i in range(4):
        copied = SqliteStore(tmp_path / f"copy{i}.db")
        assert copied.check() == []
        held.append([message.text for message in copied.latest(BO, 10**6)])
        copied.close()
    assert all(texts[::2] == [text.replace("b", "a") for text in texts[1::2]] for texts in held)
    assert 0 < len(held[0]) <= len(held[-1]) <= len(store.latest(BO, 10**6))
    assert store.check() == []
    store.close()
