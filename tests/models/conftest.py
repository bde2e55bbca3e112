"""Accounts in a store of their own, and a clock that stands still."""

import pytest

from lamina.adapters.in_memory import InMemoryStore
from lamina.ports import Accounts, Clock
from lamina.testing import FakeClock


@pytest.fixture
def accounts() -> Accounts:
    return InMemoryStore()


@pytest.fixture
def clock() -> Clock:
    return FakeClock()
