import threading
from pathlib import Path

import pytest

from lamina.adapters.sqlite import SqliteStore
from lamina.errors import BadInput
from lamina.model import Note
from lamina.testing.clock import NOON
from lamina.testing.factories import SPACE, at, draft, document, note, say, scope, turn, write
from tests.adapters.sqlite.damages import ALICE, filled

COPY = scope("copy")


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
    turns = [document("turn", m.id, m.text) for m in archive.messages]
    store.repair(now=NOON)

    store.load(COPY, archive, [*turns, *notes], steps=(), now=at(99))

    assert store.check() == []
    found = store.repair(now=NOON)
    assert (found.rebuilt, found.lacking) == ({"steps": 3}, ())
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
    assert len(store.latest(ALICE, 99)) == 4
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


def test_a_backup_is_one_state_while_others_write(path: Path, tmp_path: Path) -> None:
    """Each writes two messages in one transaction: a copy holds both or none."""
    store = SqliteStore(path)
    stop, failed = threading.Event(), []

    def go_on() -> None:
        writer, number = SqliteStore(path), 0
        try:
            while not stop.is_set():
                number += 1
                texts = (f"left {number}", f"right {number}")
                given = [draft(text, said_at=at(number)) for text in texts]
                writer.append(
                    scope("bo"), given, [turn(text) for text in texts], steps=(), now=NOON
                )
        except BaseException as error:
            failed.append(error)
            raise
        finally:
            writer.close()

    thread = threading.Thread(target=go_on)
    thread.start()
    while not store.latest(scope("bo"), 1):
        pass
    for i in range(4):
        store.backup(tmp_path / f"copy{i}.db")
    stop.set()
    thread.join()

    assert failed == []
    counts = []
    for i in range(4):
        copied = SqliteStore(tmp_path / f"copy{i}.db")
        texts = [message.text for message in copied.latest(scope("bo"), 10**6)]
        assert len(texts) % 2 == 0
        assert sum(text.startswith("left") for text in texts) * 2 == len(texts)
        assert copied.check() == []
        counts.append(len(texts))
        copied.close()
    assert counts == sorted(counts)
    assert counts[-1] <= len(store.latest(scope("bo"), 10**6))
    assert store.check() == []
    store.close()
