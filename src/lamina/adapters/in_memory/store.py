"""The store in this process's memory: the plain one, by which the others are measured."""

from __future__ import annotations

from itertools import count
from threading import RLock

from lamina.adapters.in_memory.accounts import InMemoryAccounts
from lamina.adapters.in_memory.erasure import InMemoryErasure
from lamina.adapters.in_memory.grants import InMemoryGrants
from lamina.adapters.in_memory.notes import InMemoryNotes
from lamina.adapters.in_memory.observations import InMemoryObservations
from lamina.adapters.in_memory.queueing import InMemoryQueue
from lamina.adapters.in_memory.recall import InMemoryRecall
from lamina.adapters.in_memory.recommending import InMemoryRecommending
from lamina.adapters.in_memory.transfer import InMemoryTransfer
from lamina.adapters.in_memory.upkeep import InMemoryUpkeep
from lamina.ports import Tenancy


class InMemoryStore(
    InMemoryObservations,
    InMemoryNotes,
    InMemoryRecommending,
    InMemoryRecall,
    InMemoryQueue,
    InMemoryAccounts,
    InMemoryGrants,
    InMemoryErasure,
    InMemoryTransfer,
    InMemoryUpkeep,
):
    """A `Store` that is gone when the process ends. Threads may share it."""

    def __init__(self, *, tenancy: Tenancy = "single") -> None:
        """Begin empty; `tenancy` says whether its scopes have tenants."""
        self.tenancy: Tenancy = tenancy
        self._states = {}
        self._erased = {}
        self._spent = ()
        self._space = None
        self._unpurged = 0
        self._lock = RLock()
        self._job_ids = count(1)
