import sqlite3
from pathlib import Path

import pytest

from lamina.adapters.sqlite import SqliteStore
from lamina.adapters.sqlite.queries import load
from tests.adapters.sqlite.damages import DAMAGES, damage, filled


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return filled(tmp_path)


def checked(path: Path) -> list[str]:
    store = SqliteStore(path)
    found = store.check()
    store.close()
    return found


@pytest.mark.parametrize("script", DAMAGES, ids=DAMAGES.values())
def test_whatever_does_not_agree_is_found(path: Path, script: str) -> None:
    assert checked(path) == []

    damage(path, script)

    assert DAMAGES[script] in checked(path)


def test_every_check_is_tried() -> None:
    said = {name.replace("_", " ") for name in load("check")}

    assert said <= {found.split(":")[0] for found in DAMAGES.values()}


def test_documents_of_the_past_need_postings_and_vectors_too(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        [(past,)] = connection.execute(
            "SELECT document FROM revision WHERE note = 1 AND number = 1 AND document IN "
            "(SELECT id FROM document WHERE hidden = 1)"
        )
    connection.close()

    damage(path, f"DELETE FROM posting WHERE document = {past}; DELETE FROM vector "
                 f"WHERE document = {past}")  # fmt: skip

    assert checked(path) == [
        "documents whose postings do not add up: 1",
        "documents without a vector: 1",
    ]


def test_terms_that_are_no_json_are_told_and_no_error(path: Path) -> None:
    damage(path, "UPDATE document SET terms = '{' WHERE id = 2")

    assert checked(path) == ["documents whose postings do not add up: 1"]
