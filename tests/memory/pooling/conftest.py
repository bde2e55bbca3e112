"""A cinema in each of the two stores."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest

import lamina
from lamina.testing import FakeClock, WordEncoder
from lamina.testing.clock import NOON
from tests.memory.pooling.cinema import Cinema, Stages


@pytest.fixture
def open_cinema(path: str) -> Iterator[Callable[..., Cinema]]:
    """Open cinemas, each in a store of its own; nearest neighbours are one, if not told."""
    opened: list[lamina.Memory] = []

    def open_(stages: Stages | None = None, **config: Any) -> Cinema:
        where = path if path == ":memory:" else f"{path}{len(opened)}"
        clock = FakeClock(NOON + timedelta(days=9 + len(opened)))
        opened.append(lamina.open(where, encoder=WordEncoder(), clock=clock))
        return Cinema(opened[-1], stages, **{"k": 1, **config})

    yield open_
    for memory in opened:
        memory.close()


@pytest.fixture
def cinema(open_cinema: Callable[..., Cinema]) -> Cinema:
    """One of them."""
    return open_cinema()
