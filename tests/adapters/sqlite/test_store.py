from collections.abc import Iterator
from pathlib import Path

import pytest

from lamina.adapters.sqlite import SqliteStore
from lamina.testing.observations_contract import ObservationsContract


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(tmp_path / "memory.db")
    yield store
    store.close()


class TestObservations(ObservationsContract):
    pass
