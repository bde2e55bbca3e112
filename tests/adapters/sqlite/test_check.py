import sqlite3
from pathlib import Path

import pytest

from lamina.adapters.sqlite import SqliteStore
from lamina.adapters.sqlite.queries import load
from lamina.testing.clock import NOON
from lamina.testing.factories import SPACE, link, note, say, scope, writing

ALICE = scope("alice")

DAMAGES = {
    "DELETE FROM document WHERE id = 1": "messages without a turn: 1",
    "UPDATE document SET subject = 99 WHERE id = 3": "documents of nothing: 1",
    "UPDATE note SET withdrawn_by = 1 WHERE number = 1": (
        "documents shown although withdrawn or the reverse: 1"
    ),
    "UPDATE document SET previous = 1, view = 1 WHERE id = 2; "
    "UPDATE message SET withdrawn_by = 1 WHERE position = 1": (
        "exchanges that show a withdrawn message: 1"
    ),
    "UPDATE message SET exchange_due = 0": "exchanges that nobody would make: 1",
    "UPDATE document SET subject = 1 WHERE id = 2": "documents that show the same: 1",
    "DELETE FROM posting WHERE document = 2 AND term = 'milk'": (
        "documents whose postings do not add up: 1"
    ),
    "UPDATE posting SET count = 9 WHERE document = 2 AND term = 'milk'": (
        "documents whose postings do not add up: 1"
    ),
    "INSERT INTO posting VALUES (1, 'x', 99, 1)": "postings without a document: 1",
    "DELETE FROM vector WHERE document = 2": "documents without a vector: 1",
    "INSERT INTO vector VALUES (1, 1, 99, zeroblob(32))": "vectors without a document: 1",
    "UPDATE vector SET value = zeroblob(4) WHERE document = 2": (
        "vectors of another dimension or space: 1"
    ),
    "UPDATE vector SET space = 7 WHERE document = 2": "vectors of another dimension or space: 1",
    "UPDATE note SET latest = 2 WHERE number = 1": (
        "notes whose revisions do not follow each other: 1"
    ),
    "UPDATE note SET said_at = 1 WHERE number = 1": (
        "notes that differ from their latest revision: 1"
    ),
    "UPDATE scope SET messages = 1": "scopes that would give a number twice: 1",
    "INSERT INTO lease VALUES (1, 9, 'me', 0)": "leases newer than their scope: 1",
    "DELETE FROM message WHERE position = 2": "a source names a message that is not there",
    "DELETE FROM note WHERE number = 2": "a link names a note that is not there",
    "DELETE FROM session": "a message names a session that is not there",
    "INSERT INTO job (scope, kind, subject, due_at) VALUES (99, 'bind', 's', 0)": (
        "rows of job that belong to no scope: 1"
    ),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    store = SqliteStore(tmp_path / "memory.db")
    store.set_space(SPACE)
    one, two = say(store, ALICE, "tea", "milk")
    notes = (note("n", event=one), note("m", event=two))
    store.apply(ALICE, writing(*notes, links=(link("n", "m"),)), now=NOON)
    store.close()
    return tmp_path / "memory.db"


def checked(path: Path) -> list[str]:
    store = SqliteStore(path)
    found = store.check()
    store.close()
    return found


@pytest.mark.parametrize("damage", DAMAGES, ids=DAMAGES.values())
def test_whatever_does_not_agree_is_found(path: Path, damage: str) -> None:
    assert checked(path) == []
    with sqlite3.connect(path) as connection:
        connection.executescript(damage)
    connection.close()

    assert DAMAGES[damage] in checked(path)


def test_every_check_is_tried() -> None:
    said = {name.replace("_", " ") for name in load("check")}

    assert said <= {found.split(":")[0] for found in DAMAGES.values()}
