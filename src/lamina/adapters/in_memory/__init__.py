"""A store in memory: what `lamina.open(":memory:")` uses, and the reference for the others."""

from lamina.adapters.in_memory.store import InMemoryStore

__all__ = ["InMemoryStore"]
