"""What the parts of the store share: the states of all scopes, and one lock."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from threading import RLock

from lamina.adapters.in_memory.state import State
from lamina.adapters.in_memory.visible import Visible
from lamina.adapters.in_memory.writing import Pen
from lamina.errors import LeaseLost
from lamina.model import At, Scope
from lamina.ports import Call, EncoderSpace, Lease


class Part:
    """One protocol's methods on the states that all parts share."""

    _states: dict[Scope, State]
    """In order of first appearance. A state is replaced, never changed."""
    _erased: dict[Scope, State]
    """Epoch and fence of erased scopes, and nothing else."""
    _spent: tuple[Call, ...]
    """The calls of erased scopes, without their operations."""
    _space: EncoderSpace | None
    _lock: RLock
    _job_ids: Iterator[int]
    _unpurged: int
    """Erasures since the last purge."""

    def _read(self, scope: Scope) -> State:
        """Return the state of a scope, an empty one where it holds nothing."""
        return self._states.get(scope) or self._erased.get(scope) or State()

    def _see(self, scope: Scope, at: At | None = None) -> Visible:
        """Return what is visible of a scope, now or from a moment."""
        return self._read(scope).at(at)

    @contextmanager
    def _writing(self, scope: Scope, lease: Lease | None = None) -> Iterator[State]:
        """Hand out a copy of a scope's state that takes its place if nothing is raised."""
        with self._lock:
            if lease:
                self._check_lease(lease)
            state = self._read(scope).copy()
            yield state
            self._states[scope] = state

    @contextmanager
    def _pen(self, scope: Scope, now: datetime, lease: Lease | None = None) -> Iterator[Pen]:
        """Hand out a pen for a scope's state; what it wrote counts if nothing is raised."""
        with self._writing(scope, lease) as state:
            state.graph = None
            yield Pen(state, self._see(scope), scope, now, self._space, self._job_ids)

    def _check_lease(self, lease: Lease) -> None:
        held = self._read(lease.scope).lease
        if held is None or held.fence != lease.fence:
            raise LeaseLost
