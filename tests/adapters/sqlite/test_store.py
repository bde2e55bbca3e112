from collections.abc import Iterator
from pathlib import Path

import pytest

from lamina.adapters.sqlite import SqliteStore
from lamina.testing.accounts_contract import AccountsContract
from lamina.testing.erasure_contract import ErasureContract
from lamina.testing.notes_contract import NotesContract
from lamina.testing.observations_contract import ObservationsContract
from lamina.testing.queue_contract import QueueContract
from lamina.testing.recall_contract import RecallContract, UndeclaredSpaceContract
from lamina.testing.upkeep_contract import UpkeepContract


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(tmp_path / "memory.db")
    yield store
    store.close()


class TestObservations(ObservationsContract):
    pass


class TestNotes(NotesContract):
    pass


class TestRecall(RecallContract):
    pass


class TestRecallBeforeASpaceIsDeclared(UndeclaredSpaceContract):
    pass


class TestQueue(QueueContract):
    pass


class TestAccounts(AccountsContract):
    pass


class TestErasure(ErasureContract):
    pass


class TestUpkeep(UpkeepContract):
    pass
