import pytest

from lamina.adapters.in_memory import InMemoryStore
from lamina.testing.observations_contract import ObservationsContract


@pytest.fixture
def store() -> InMemoryStore:
    return InMemoryStore()


class TestObservations(ObservationsContract):
    pass
