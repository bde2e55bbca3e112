import os
import sqlite3
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from lamina.adapters.sqlite import SqliteStore
from lamina.adapters.sqlite.opening import APPLICATION_ID, PAGE_BYTES, migrations
from lamina.errors import (
    BadInput,
    NewerFormat,
    NotALaminaFile,
    ReadOnlyStore,
    StoreDamaged,
    StoreError,
    StoreLocked,
)
from lamina.model import At, Link
from lamina.testing.clock import NOON
from lamina.testing.factories import SPACE, act, description, say, scope, undo
from lamina.times import from_micros

ALICE = scope("alice")
NOBODY = 65534


def made(path: Path) -> Path:
    """A store with a message in it, closed."""
    store = SqliteStore(path)
    store.set_space(SPACE)
    say(store, ALICE, "hello")
    store.close()
    return path


def of_version(version: int, path: Path) -> Path:
    """A store as an older version left it, with rows of every kind that the first one had."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(migrations()[0])
        held = Path(__file__).with_name("first_version.sql")
        connection.executescript(held.read_text(encoding="utf-8"))
        for script in migrations()[1:version]:
            connection.executescript(script)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {version}")
    return path


def pragma(path: Path, name: str) -> object:
    with sqlite3.connect(path) as connection:
        (value,) = connection.execute(f"PRAGMA {name}").fetchone()
    connection.close()
    return value


@pytest.fixture
def unprivileged() -> Iterator[Path]:
    """A folder of one's own, without the rights that root has over every file."""
    with tempfile.TemporaryDirectory() as folder:
        if os.geteuid():
            yield Path(folder)
            return
        os.chown(folder, NOBODY, NOBODY)
        os.seteuid(NOBODY)
        try:
            yield Path(folder)
        finally:
            os.seteuid(0)


def test_a_new_file_is_marked_as_ours(tmp_path: Path) -> None:
    path = made(tmp_path / "memory.db")

    assert pragma(path, "application_id") == APPLICATION_ID
    assert pragma(path, "user_version") == len(migrations())
    assert pragma(path, "page_size") == PAGE_BYTES
    assert pragma(path, "journal_mode") == "wal"


def test_what_was_stored_is_there_when_the_file_is_opened_again(tmp_path: Path) -> None:
    store = SqliteStore(made(tmp_path / "a store's ?name#%41.db"))

    assert [m.text for m in store.latest(ALICE, 9)] == ["hello"]
    assert store.space() == SPACE
    store.close()
    assert [p.name for p in tmp_path.iterdir()] == ["a store's ?name#%41.db"]


def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    path.touch()

    assert made(path).stat().st_size > 0


@pytest.mark.parametrize("content", [b"# Notes\n" * 1000, b"x", b"SQLite format 3\0" + b"\1" * 999])
def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "notes.md"
    path.write_bytes(content)

    with pytest.raises(NotALaminaFile):
        SqliteStore(path)

    assert path.read_bytes() == content


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE theirs (x)")
    other.close()
    before = path.read_bytes()

    with pytest.raises(NotALaminaFile, match="another program"):
        SqliteStore(path)

    assert path.read_bytes() == before


def test_a_folder_is_not_a_store(tmp_path: Path) -> None:
    with pytest.raises(NotALaminaFile):
        SqliteStore(tmp_path)


def test_what_is_no_file_is_not_a_store(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")

    with pytest.raises(NotALaminaFile, match="no file"):
        SqliteStore(tmp_path / "pipe")
    with pytest.raises(StoreError, match="choose another path"):
        SqliteStore(tmp_path / "loop")
    with pytest.raises(BadInput, match="choose another path"):
        SqliteStore(tmp_path / ("x" * 5000))


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"no folder .*nowhere"):
        SqliteStore(tmp_path / "nowhere" / "memory.db")


def test_a_newer_version_is_not_touched(tmp_path: Path) -> None:
    path = made(tmp_path / "memory.db")
    with sqlite3.connect(path) as newer:
        newer.execute("PRAGMA user_version = 999")
    newer.close()

    with pytest.raises(NewerFormat, match="pip install -U"):
        SqliteStore(path)

    assert pragma(path, "user_version") == 999


def test_a_read_only_folder_is_told(unprivileged: Path) -> None:
    unprivileged.chmod(0o500)

    with pytest.raises(ReadOnlyStore, match="cannot be written"):
        SqliteStore(unprivileged / "memory.db")


def test_a_read_only_file_is_told(unprivileged: Path) -> None:
    path = made(unprivileged / "memory.db")
    path.chmod(0o400)

    with pytest.raises(ReadOnlyStore, match=r"memory\.db cannot be written"):
        SqliteStore(path)


def test_a_store_in_a_read_only_folder_can_be_read(unprivileged: Path) -> None:
    path = made(unprivileged / "memory.db")
    path.chmod(0o400)
    unprivileged.chmod(0o500)

    store = SqliteStore(path, read_only=True)

    assert [m.text for m in store.latest(ALICE, 9)] == ["hello"]
    with store.snapshot(ALICE) as snapshot:
        assert snapshot.postings(["hello"]).rows.tolist() == [0]
    with pytest.raises(ReadOnlyStore):
        say(store, ALICE, "more")
    store.close()


def test_what_is_opened_for_reading_is_never_written(tmp_path: Path) -> None:
    path = made(tmp_path / "memory.db")
    before = path.read_bytes()
    store = SqliteStore(path, read_only=True)

    with pytest.raises(ReadOnlyStore):
        store.forget(ALICE, now=NOON)
    store.close()

    assert path.read_bytes() == before
    with pytest.raises(BadInput, match="no store"):
        SqliteStore(tmp_path / "nothing.db", read_only=True)


def test_a_locked_file_is_waited_for_and_then_told(tmp_path: Path) -> None:
    path = made(tmp_path / "memory.db")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    store = SqliteStore(path, busy_seconds=0.05)

    with pytest.raises(StoreLocked, match="try again"):
        say(store, ALICE, "more")
    assert [m.text for m in store.latest(ALICE, 9)] == ["hello"]

    other.execute("ROLLBACK")
    other.close()
    say(store, ALICE, "more")
    store.close()


def test_a_file_locked_for_good_cannot_be_opened(tmp_path: Path) -> None:
    path = made(tmp_path / "memory.db")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")

    with pytest.raises(StoreLocked):
        SqliteStore(path, busy_seconds=0.05)

    other.close()


@pytest.mark.parametrize("whole_pages", [1, 12])
def test_a_damaged_file_is_told(tmp_path: Path, whole_pages: int) -> None:
    path = made(tmp_path / "memory.db")
    kept = path.read_bytes()[: whole_pages * PAGE_BYTES]
    path.write_bytes(kept + b"\xff" * (path.stat().st_size - len(kept)))

    with pytest.raises(StoreDamaged, match="backup"), closing(SqliteStore(path)) as store:
        say(store, ALICE, "more")


def test_a_closed_store_says_so(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "memory.db")
    store.close()

    with pytest.raises(StoreError, match="closed"):
        store.latest(ALICE, 9)
    with pytest.raises(StoreError, match="closed"):
        say(store, ALICE, "hello")


def test_a_new_store_takes_the_tenancy_that_is_given(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    SqliteStore(path, tenancy="multi").close()

    store = SqliteStore(path)
    assert store.tenancy == "multi"
    store.close()
    with pytest.raises(BadInput, match="tenancy='multi'"):
        SqliteStore(path, tenancy="single")


def test_a_store_is_for_one_tenant_unless_told_otherwise(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "memory.db")

    assert store.tenancy == "single"
    store.close()


def test_many_may_make_the_same_file_at_once(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"

    with ThreadPoolExecutor(8) as pool:
        stores = list(pool.map(lambda _: SqliteStore(path), range(8)))

    for store in stores:
        assert store.check() == []
        store.close()


def test_a_migration_that_fails_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = migrations()
    bad = (*good, "CREATE TABLE extra (x) STRICT; -- not; a statement\nCREATE TABLE scope (x);")
    monkeypatch.setattr("lamina.adapters.sqlite.opening.migrations", lambda: bad)

    with pytest.raises(StoreError):
        SqliteStore(tmp_path / "memory.db")

    assert pragma(tmp_path / "memory.db", "user_version") == len(good)
    monkeypatch.undo()
    store = SqliteStore(tmp_path / "memory.db")
    assert store.check() == []
    store.close()


@pytest.mark.parametrize("version", [1, 2])
def test_a_store_of_an_older_version_is_brought_up_and_reads_the_same(
    tmp_path: Path, version: int
) -> None:
    path = of_version(version, tmp_path / "memory.db")
    with pytest.raises(ReadOnlyStore, match="older version"):
        SqliteStore(path, read_only=True)

    with closing(SqliteStore(path)) as store:
        assert store.check() == []
        assert [(m.text, m.consolidated) for m in store.latest(ALICE, 9)] == [
            ("one", True),
            ("three", False),
        ]
        assert [m.text for m in store.buffer(ALICE)] == ["three"]
        [note] = store.list_notes(ALICE)
        assert (note.text, note.revision, note.by_person, note.sources) == (
            "there", 2, True, ("a",)
        )  # fmt: skip
        assert [r.text for r in store.history(ALICE, "n")] == ["here", "there"]
        assert store.links(ALICE, ["n"]) == [Link(source="n", target="n", relation="self")]
        assert store.stale_exchanges(ALICE, "s1", 9) == []
        assert (note.keywords, note.tags, note.context, note.item) == ((), (), "", None)
        assert (note.sureness, note.narrower) == (None, False)
        with store.snapshot(ALICE) as snapshot:
            assert snapshot.documents.refs == ("a", "c", "c", "n")
            assert snapshot.postings(["there"]).rows.tolist() == [3]
            assert snapshot.postings(["all"]).rows.tolist() == []


def test_what_was_withdrawn_in_the_first_version_shows_in_the_past_and_can_return(
    tmp_path: Path,
) -> None:
    path = of_version(1, tmp_path / "memory.db")

    with closing(SqliteStore(path)) as store:
        before, after = At(as_of=from_micros(7000)), At(as_of=from_micros(7001))
        assert [m.text for m in store.latest(ALICE, 9, at=before)] == ["one", "two", "three"]
        assert [m.text for m in store.latest(ALICE, 9, at=after)] == ["one", "three"]
        assert [n.text for n in store.list_notes(ALICE, at=before)] == ["all", "there"]
        assert [n.text for n in store.list_notes(ALICE, at=after)] == ["there"]
        assert [m.what for m in store.gone_by(ALICE, "op4")] == ["message", "note"]
        assert store.history(ALICE, "s")[0].undone_by == "op4"
        assert store.consolidated_by(ALICE, "op2") == ["a", "b"]

        undo(store, ALICE, "op4", by="op5")

        assert [m.text for m in store.latest(ALICE, 9)] == ["one", "two", "three"]
        assert [n.text for n in store.list_notes(ALICE)] == ["all", "there"]
        assert store.check() == []


@pytest.mark.parametrize("version", [1, 2])
def test_a_store_that_was_brought_up_takes_what_is_done_with_items(
    tmp_path: Path, version: int
) -> None:
    films = scope("films", "recommender")
    with closing(SqliteStore(of_version(version, tmp_path / "memory.db"))) as store:
        described, done = say(store, films, description(), act(), steps=())

        assert [(m.id, m.item, m.rating) for m in store.waiting(films, 9)] == [(done, "m1", 4.0)]
        assert store.described(films, ["m1"])["m1"].id == described
        assert store.graph(films).messages == (done,)
        assert store.check() == []
