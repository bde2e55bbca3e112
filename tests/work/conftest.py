"""A cinema and its pool, for tests of the step that takes parts in."""

from tests.memory.pooling.conftest import cinema, open_cinema

__all__ = ["cinema", "open_cinema"]
