"""The whole of a store: who is in it, and what is done for all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import cast

from lamina.errors import BadInput
from lamina.memory import listing, transfer, verifying
from lamina.memory.handle import Handle
from lamina.memory.recommending import Recommender
from lamina.memory.reencoding import reencode
from lamina.memory.repairing import repair
from lamina.memory.space import Agent, Space, User
from lamina.memory.transfer import Restored
from lamina.memory.values import Processed, Stats
from lamina.memory.verifying import Verification
from lamina.memory.write import Given, name
from lamina.memory.writes import processed
from lamina.model import Scope, ScopeKind
from lamina.ports import Encoder, Repaired
from lamina.work.engine import Engine
from lamina.work.worker import Worker


class Tenant:
    """One tenant's part of a multi-tenant store."""

    def __init__(self, engine: Engine, tenant: str) -> None:
        self._engine = engine
        self._tenant = tenant

    def user(self, id: str) -> User:
        """Return the memory of one user. Raises `BadInput` if the id is blank or too long."""
        return User(self._engine, self._scope("user", id))

    def conversation(self, id: str) -> Handle:
        """Return the memory of a conversation between several people. Raises `BadInput`."""
        return Handle(self._engine, self._scope("conversation", id))

    def space(self, name: str) -> Space:
        """Return a shared space as whoever runs the store holds it. Raises `BadInput`.

        What a user or an agent may do there, `user(...).space(name)` and `agent(...).space(name)`
        keep to.
        """
        return Space(self._engine, self._scope("space", name))

    def recommender(self, name: str) -> Recommender:
        """Return a recommender: items, and what this tenant's users did with them.

        Raises `BadInput` if the name is blank or too long.
        """
        return Recommender(self._engine, self._scope("recommender", name))

    def agent(self, name_: str) -> Agent:
        """Return an agent, which has part in spaces but no memory of its own. Raises `BadInput`."""
        return Agent(self._engine, self._tenant, name("the agent's name", name_))

    def restore(
        self,
        lines: Iterable[str],
        *,
        user: str | None = None,
        conversation: str | None = None,
        space: str | None = None,
        recommender: str | None = None,
        pool: str | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Restored:
        """Put an archive in; see `Memory.restore`."""
        scope = self._named(
            user=user, conversation=conversation, space=space, recommender=recommender, pool=pool
        )
        header, archive = transfer.read(lines)
        if scope is None:
            scope = self._scope(header.scope.kind, header.scope.id)
        return transfer.restore(self._engine, scope, header, archive, progress)

    def verify_erasure(
        self,
        texts: Given | Sequence[Given],
        *,
        user: str | None = None,
        conversation: str | None = None,
        space: str | None = None,
        recommender: str | None = None,
        pool: str | None = None,
    ) -> Verification:
        """Look in the store's files for what was erased; see `Memory.verify_erasure`."""
        scope = self._named(
            user=user, conversation=conversation, space=space, recommender=recommender, pool=pool
        )
        return verifying.verify(self._engine, texts, scope)

    def _scope(self, kind: ScopeKind, id_: str) -> Scope:
        return Scope(self._tenant, kind, name(f"the {kind}'s id", id_))

    def _named(self, **named: str | None) -> Scope | None:
        """Return the one scope that is named, if one is. Raises `BadInput` where there are two."""
        given = [(kind, id_) for kind, id_ in named.items() if id_ is not None]
        if len(given) > 1:
            raise BadInput(f"name one of {', '.join(named)}, not {len(given)} of them")
        return self._scope(cast("ScopeKind", given[0][0]), given[0][1]) if given else None


class Memory:
    """A store and its handles. Close it, or use it as a context manager."""

    def __init__(self, engine: Engine, *, close: Sequence[Callable[[], None]] = ()) -> None:
        """Stand before `engine`; `close` lets go of what was opened for it besides the store."""
        self._engine = engine
        self._workers: list[Worker] = []
        self._multi_tenant = engine.store.tenancy == "multi"
        self._close = close

    def user(self, id: str) -> User:
        """Return the memory of one user.

        Raises:
            BadInput: The id is blank or too long, or the store has several tenants.
        """
        return self._only_tenant().user(id)

    def conversation(self, id: str) -> Handle:
        """Return the memory of a conversation between several people. Raises as `user` does."""
        return self._only_tenant().conversation(id)

    def space(self, name: str) -> Space:
        """Return a shared space as whoever runs the store holds it. Raises as `user` does."""
        return self._only_tenant().space(name)

    def recommender(self, name: str) -> Recommender:
        """Return a recommender: items, and what users did with them. Raises as `user` does."""
        return self._only_tenant().recommender(name)

    def agent(self, name: str) -> Agent:
        """Return an agent, which has part in spaces but no memory of its own.

        Raises as `user` does.
        """
        return self._only_tenant().agent(name)

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
        """Return a handle on every user, conversation and space, for operators."""
        kinds: dict[str, type[Handle]] = {"user": User, "space": Space}
        return [
            kinds.get(scope.kind, Handle)(self._engine, scope)
            for scope in self._engine.store.scopes()
            if scope.kind not in ("recommender", "pool")
        ]

    def recommenders(self) -> list[Recommender]:
        """Return every recommender, for operators."""
        scopes = self._engine.store.scopes()
        return [Recommender(self._engine, s) for s in scopes if s.kind == "recommender"]

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

    def repair(self, *, progress: Callable[[int, int], None] | None = None) -> Repaired:
        """Put right what `check` finds in what is derived; what was said is not touched.

        Exchanges are made by work, which is asked for: call `process` after this.

        Args:
            progress: Told (documents made anew or asked for, documents that lacked).
        """
        return repair(self._engine, progress)

    def compact(self) -> bool:
        """Rid the store's files of every byte of what was erased, and of room that is not used.

        Returns:
            Whether that was possible: not while somebody reads an older state. Try again later.
        """
        return self._engine.store.purge()

    def verify_erasure(
        self,
        texts: Given | Sequence[Given],
        *,
        user: str | None = None,
        conversation: str | None = None,
        space: str | None = None,
        recommender: str | None = None,
        pool: str | None = None,
    ) -> Verification:
        """Look in the store's files for what was erased: as bytes, words, vectors and ids.

        Vectors are looked for as this encoder makes them now. Ids can be told of messages with a
        time or a key alone, given as they were to `add`, whose owner is named.

        Args:
            texts: Names, phrases, or messages as they were given to `add`.
            user: Whose they were, if a user's; the name is looked for too.
            conversation: The same of a conversation.
            space: The same of a shared space.
            recommender: The same of a recommender.
            pool: The same of a recommender's pool.

        Raises:
            BadInput: There is nothing to look for; or two owners are named; or one is, in a store
                of several tenants, where `memory.tenant(...).verify_erasure` is to be used.
        """
        if user is conversation is space is recommender is pool is None:
            return verifying.verify(self._engine, texts, None)
        return self._only_tenant().verify_erasure(
            texts,
            user=user,
            conversation=conversation,
            space=space,
            recommender=recommender,
            pool=pool,
        )

    def restore(
        self,
        lines: Iterable[str],
        *,
        user: str | None = None,
        conversation: str | None = None,
        space: str | None = None,
        recommender: str | None = None,
        pool: str | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Restored:
        """Put in what `Handle.export` gave, with its ids, times, revisions and grants.

        Args:
            lines: An open file, for example.
            user: Whose it becomes, if it is of a user; without a name it keeps its own.
            conversation: The same of a conversation.
            space: The same of a shared space.
            recommender: The same of a recommender.
            pool: The same of a recommender's pool.
            progress: Told (documents made, documents to make).

        Raises:
            FormatError: A line is not what an archive has, or some lack; nothing was written.
            BadInput: The scope holds something already, or is of another kind.
        """
        return self._only_tenant().restore(
            lines,
            user=user,
            conversation=conversation,
            space=space,
            recommender=recommender,
            pool=pool,
            progress=progress,
        )

    def backup(self, path: str | Path) -> None:
        """Write a copy of the whole store as it is now, while others use it.

        Raises:
            BadInput: There is something at `path` already, or this store is in no file.
        """
        self._engine.store.backup(Path(path))

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
