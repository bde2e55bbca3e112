"""The whole of a store: who is in it, and what is done for all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lamina.errors import BadInput
from lamina.memory import listing
from lamina.memory.changes import processed
from lamina.memory.handle import Handle
from lamina.memory.reencoding import reencode
from lamina.memory.values import Processed, Stats
from lamina.memory.write import name
from lamina.model import Scope, ScopeKind
from lamina.ports import Encoder
from lamina.work.engine import Engine
from lamina.work.worker import Worker


class Tenant:
    """One tenant's part of a multi-tenant store."""

    def __init__(self, engine: Engine, tenant: str) -> None:
        self._engine = engine
        self._tenant = tenant

    def user(self, id: str) -> Handle:
        """Return the memory of one user. Raises `BadInput` if the id is blank or too long."""
        return self._handle("user", id)

    def conversation(self, id: str) -> Handle:
        """Return the memory of a conversation between several people. Raises `BadInput`."""
        return self._handle("conversation", id)

    def _handle(self, kind: ScopeKind, id_: str) -> Handle:
        return Handle(self._engine, Scope(self._tenant, kind, name(f"the {kind}'s id", id_)))


class Memory:
    """A store and its handles. Close it, or use it as a context manager."""

    def __init__(self, engine: Engine, *, close: Sequence[Callable[[], None]] = ()) -> None:
        """Stand before `engine`; `close` lets go of what was opened for it besides the store."""
        self._engine = engine
        self._workers: list[Worker] = []
        self._multi_tenant = engine.store.tenancy == "multi"
        self._close = close

    def user(self, id: str) -> Handle:
        """Return the memory of one user.

        Raises:
            BadInput: The id is blank or too long, or the store has several tenants.
        """
        return self._only_tenant().user(id)

    def conversation(self, id: str) -> Handle:
        """Return the memory of a conversation between several people. Raises as `user` does."""
        return self._only_tenant().conversation(id)

    def tenant(self, name_: str) -> Tenant:
        """Return one tenant's part. Raises `BadInput` in a single-tenant store."""
        if not self._multi_tenant:
            raise BadInput(
                "this store has one tenant; use memory.user(...), or make a new store with "
                'lamina.open(path, tenancy="multi")'
            )
        return Tenant(self._engine, name("the tenant's name", name_))

    def _only_tenant(self) -> Tenant:
        if self._multi_tenant:
            raise BadInput(
                "this store has several tenants; say which: memory.tenant(...).user(...)"
            )
        return Tenant(self._engine, "")

    def handles(self) -> list[Handle]:
        """Return a handle on every scope, for operators."""
        return [Handle(self._engine, scope) for scope in self._engine.store.scopes()]

    def process(
        self,
        *,
        idle_after: float | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Processed:
        """Form memory from all that waits, of everybody.

        Args:
            idle_after: Close sessions first in which nothing was said for so many seconds.
            progress: Told (steps done, steps known of so far).
        """
        return processed(self._engine, None, idle_after, progress)

    def worker(self, *, every: float = 5.0, idle_after: float | None = 3600.0) -> Worker:
        """Return a worker that forms memory in a thread, between its `start` and `stop`.

        Args:
            every: Seconds between looks at the queue.
            idle_after: Close sessions in which nothing was said for so many seconds.
        """
        worker = Worker(self._engine, every=every, idle_after=idle_after)
        self._workers.append(worker)
        return worker

    def stats(self) -> Stats:
        """Return how much there is in the whole store, what waits, and what it took."""
        return listing.stats(self._engine, None)

    def check(self) -> list[str]:
        """Return what does not agree among text, vectors, postings, links, sources and queue."""
        return self._engine.store.check()

    def reencode(
        self, encoder: Encoder, *, progress: Callable[[int, int], None] | None = None
    ) -> int:
        """Make all vectors anew with another encoder, beside the present ones, then switch.

        Returns:
            How many documents were encoded.
        """
        return reencode(self._engine, encoder, progress)

    def close(self) -> None:
        """Stop the workers and let go of the file. Closing again changes nothing."""
        for worker in self._workers:
            worker.stop()
        self._engine.store.close()
        for close in self._close:
            close()

    def __enter__(self) -> Memory:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
