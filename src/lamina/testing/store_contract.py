"""What the contracts of all parts of a store begin with."""

from __future__ import annotations

import pytest

from lamina.ports import Store
from lamina.testing.factories import SPACE


class StoreContract:
    """Subclass a contract beside your adapter and give it a `store` fixture: a new store."""

    @pytest.fixture(autouse=True)
    def _declare_the_space(self, store: Store) -> None:
        store.set_space(SPACE)
