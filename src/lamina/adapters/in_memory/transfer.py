"""Taking a scope out and putting it in: see `lamina.ports.Transfer`."""

from __future__ import annotations

from pathlib import Path

from lamina.adapters.in_memory.part import Part
from lamina.errors import BadInput


class InMemoryTransfer(Part):
    """Archives."""

    def backup(self, path: Path) -> None:
        """See `Transfer.backup`. There is no file to copy."""
        raise BadInput(f"the store is in memory: there is nothing to copy to {path}")
