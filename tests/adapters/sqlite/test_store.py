from collections.abc import Iterator
from pathlib import Path

import pytest

from lamina.adapters.sqlite import SqliteStore
from lamina.testing.accounts_contract import AccountsContract
from lamina.testing.adding_contract import AddingContract
from lamina.testing.erasure_contract import ErasureContract
from lamina.testing.grants_contract import GrantsContract
from lamina.testing.graph_contract import GraphContract
from lamina.testing.left_pool_contract import LeftPoolContract
from lamina.testing.moments_contract import MomentsContract
from lamina.testing.notes_contract import NotesContract
from lamina.testing.observations_contract import ObservationsContract
from lamina.testing.parts_contract import PartsContract
from lamina.testing.past_search_contract import PastSearchContract
from lamina.testing.pool_contract import PoolContract
from lamina.testing.pool_parts_contract import PoolPartsContract
from lamina.testing.pool_support_contract import PoolSupportContract
from lamina.testing.queue_contract import QueueContract
from lamina.testing.recall_contract import RecallContract
from lamina.testing.recommender_parts_contract import RecommenderPartsContract
from lamina.testing.recommending_contract import AtomicNotesContract, RecommendingContract
from lamina.testing.revisions_contract import RevisionsContract
from lamina.testing.spaces_contract import SpacesContract, UndeclaredSpaceContract
from lamina.testing.transfer_contract import TransferContract
from lamina.testing.undoing_contract import UndoingContract
from lamina.testing.upkeep_contract import UpkeepContract


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(tmp_path / "memory.db")
    yield store
    store.close()


class TestObservations(ObservationsContract):
    pass


class TestAdding(AddingContract):
    pass


class TestNotes(NotesContract):
    pass


class TestRevisions(RevisionsContract):
    pass


class TestUndoing(UndoingContract):
    pass


class TestMoments(MomentsContract):
    pass


class TestRecall(RecallContract):
    pass


class TestPastSearch(PastSearchContract):
    pass


class TestSpaces(SpacesContract):
    pass


class TestRecallBeforeASpaceIsDeclared(UndeclaredSpaceContract):
    pass


class TestQueue(QueueContract):
    pass


class TestAccounts(AccountsContract):
    pass


class TestGrants(GrantsContract):
    pass


class TestErasure(ErasureContract):
    pass


class TestParts(PartsContract):
    pass


class TestRecommending(RecommendingContract):
    pass


class TestAtomicNotes(AtomicNotesContract):
    pass


class TestGraph(GraphContract):
    pass


class TestRecommenderParts(RecommenderPartsContract):
    pass


class TestPool(PoolContract):
    pass


class TestPoolSupport(PoolSupportContract):
    pass


class TestPoolParts(PoolPartsContract):
    pass


class TestLeftPool(LeftPoolContract):
    pass


class TestTransfer(TransferContract):
    pass


class TestUpkeep(UpkeepContract):
    pass
