"""A file for the tests of the store in SQLite, and a store in it."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from lamina.adapters.sqlite import SqliteStore
from lamina.testing.factories import SPACE


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    with closing(SqliteStore(path)) as store:
        store.set_space(SPACE)
        yield store
