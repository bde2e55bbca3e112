"""Forgetting: see `lamina.ports.Erasure`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from lamina.adapters.in_memory.part import Part
from lamina.adapters.in_memory.state import State
from lamina.model import Scope
from lamina.ports import Receipt


class InMemoryErasure(Part):
    """Erasing scopes. What is erased is in no file, but is told of as if it were."""

    def forget(self, scope: Scope, *, now: datetime) -> Receipt:
        """See `Erasure.forget`."""
        with self._lock:
            state = self._read(scope)
            self._spent += tuple(replace(call, operation="") for call in state.calls)
            self._states.pop(scope, None)
            left = State(epoch=state.epoch + 1, fence=state.fence)
            self._erased[scope] = left
            self._unpurged += 1
        return receipt(scope, state, left, now)

    def purge(self) -> bool:
        """See `Erasure.purge`. There are no files."""
        with self._lock:
            self._unpurged = 0
        return True

    def occurrences(self, needles: Sequence[bytes]) -> list[int]:
        """See `Erasure.occurrences`. There are no files."""
        return [0 for _ in needles]


def receipt(
    scope: Scope, before: State, after: State, now: datetime, author: str | None = None
) -> Receipt:
    """Return the receipt of an erasure that left `after` of `before`."""
    return Receipt(
        scope=scope,
        author=author,
        stage="logical",
        epoch=after.epoch,
        messages=len(before.messages) - len(after.messages),
        notes=len(before.at().of_note) - len(after.at().of_note),
        documents=len(before.documents) - len(after.documents),
        recorded_at=now,
    )
