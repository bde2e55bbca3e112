"""Memory that several users and agents share: by stored grants, and with authors kept.

A space belongs to whoever runs the store, who may do anything in it. Users and agents may do what
they were granted; what that is is read from the store at every call.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lamina.errors import BadInput, NotFound, StaleEpoch
from lamina.memory import edit, forgetting, lending, rollback, write, writes
from lamina.memory.authorship import check_operation, check_own
from lamina.memory.handle import Handle
from lamina.memory.lending import Loan
from lamina.memory.reads import Reads
from lamina.memory.values import Added, RolledBack
from lamina.memory.write import Given, name
from lamina.model import Note, Role, Scope
from lamina.ports import Grant, Operation
from lamina.times import Moment as When
from lamina.work import worker
from lamina.work.engine import Engine

SPEAKS: Mapping[str, tuple[Role, ...]] = {"user": ("user",), "agent": ("user", "assistant")}
"""Who may be granted something, and in which roles each speaks itself if a message says no other
speaker."""
TRIES = 3
"""How often an addition is tried while others are being erased."""


class Space(Handle):
    """A shared space as whoever runs the store holds it: every verb, and who else may do what."""

    def grant(self, principal: str, *, read: bool = True, write: bool = False) -> None:
        """Let a user or an agent read here, and write; in place of what it could.

        Args:
            principal: `user:ID` or `agent:NAME`, of the same tenant.
            read: Whether it may search, list and look up all that is here.
            write: Whether it may also add, and change what it added.

        Raises:
            BadInput: The principal is written otherwise, or may write but not read.
        """
        if write and not read:
            raise BadInput("who may write may read: grant read as well")
        self._store(principal, read=read, write=write)

    def revoke(self, principal: str) -> None:
        """Take from a user or an agent all that it was granted; what it wrote stays.

        Raises:
            BadInput: The principal is not written as `user:ID` or `agent:NAME`.
        """
        self._store(principal, read=False, write=False)

    def grants(self) -> list[Grant]:
        """Return who may do what here, by principal."""
        return self._engine.store.grants(self.scope)

    def _store(self, principal: str, *, read: bool, write: bool) -> None:
        now = self._engine.clock.now()
        grant = Grant(principal=_principal(principal), read=read, write=write, given_at=now)
        self._engine.store.grant(self.scope, grant)


class Member(Reads):
    """A shared space as a user or an agent holds it: what was granted, and not more.

    Every verb asks the store for the grant. Who may not read is told what is told of a space that
    does not exist: `NotFound`. Who may read but not write is told so by `BadInput`.
    """

    def __init__(self, engine: Engine, scope: Scope, kind: str, id: str) -> None:
        """Act in the space `scope` as the user or agent (`kind`) of this id."""
        self._unchecked = engine
        self.scope = scope
        self.principal = f"{kind}:{id}"
        self._kind, self._name = kind, id

    def __repr__(self) -> str:
        return f"<space {self.scope.id!r} for {self.principal!r}>"

    @property
    def _engine(self) -> Engine:  # type: ignore[override]  # read-only, so that no verb is unchecked
        """What every verb reads by: had only by who may read."""
        _check(self._unchecked, self.scope, self.principal)
        return self._unchecked

    def _writable(self) -> Engine:
        _check(self._unchecked, self.scope, self.principal, write=True)
        return self._unchecked

    def add(
        self,
        messages: Given | Sequence[Given],
        *,
        session_id: str = "default",
        timestamp: When | None = None,
        key: str | None = None,
        infer: bool = True,
        wait: bool = False,
    ) -> Added:
        """Store what was said, with who adds it as author; see `Handle.add`.

        Raises:
            NotFound: There is no such space that it may read.
            BadInput: It may not write there, or a message cannot be stored as given.
        """
        given = {"session": session_id, "timestamp": timestamp, "key": key, "infer": infer}
        added = self._added(messages, given)
        if wait:
            writes.settle(self._unchecked, self.scope)
        return added

    def _added(self, messages: Given | Sequence[Given], given: dict[str, Any]) -> Added:
        """Add, again if somebody's part was erased meanwhile: its own, and it may no longer."""
        for _ in range(TRIES - 1):
            try:
                return self._added_once(messages, given)
            except StaleEpoch:
                continue
        return self._added_once(messages, given)

    def _added_once(self, messages: Given | Sequence[Given], given: dict[str, Any]) -> Added:
        """Add, fenced against an erasure since it was seen that this is granted."""
        epoch = self._unchecked.store.epoch(self.scope)
        engine = self._writable()
        defaults = write.Defaults(
            scope=self.scope,
            now=engine.clock.now(),
            author=self.principal,
            speakers=dict.fromkeys(SPEAKS[self._kind], self._name),
            epoch=epoch,
            **given,
        )
        return write.add(engine, messages, defaults)

    def close_session(self, session_id: str) -> None:
        """Say that a session is over; see `Handle.close_session`. Raises as `add` does."""
        engine = self._writable()
        worker.close_session(engine, self.scope, name("session_id", session_id))

    def update(self, id: str, text: str) -> Note:
        """Change the words of a note that rests on its own messages alone; see `Handle.update`.

        Raises:
            NotFound: There is no such space that it may read, or no such note in it.
            BadInput: It may not write there, or the note rests on what others wrote.
        """
        engine = self._writable()
        check_own(engine, self.scope, self.principal, id)
        return edit.update(engine, self.scope, id, text, cause=self.principal)

    def delete(self, id: str) -> Operation:
        """Withdraw its own message, or a note that rests on its own alone; see `Handle.delete`.

        Raises as `update` does.
        """
        engine = self._writable()
        check_own(engine, self.scope, self.principal, id)
        return edit.delete(engine, self.scope, id, cause=self.principal)

    def rollback(self, operation: str) -> RolledBack:
        """Undo an operation that touched only what it wrote; see `Handle.rollback`.

        It may undo its own additions and edits, and what was formed from its messages alone.

        Raises:
            NotFound: There is no such space that it may read, or no such operation in it.
            BadInput: It may not write there, or the operation is another's.
        """
        engine = self._writable()
        check_operation(engine, self.scope, self.principal, operation)
        return rollback.rollback(engine, self.scope, operation, cause=self.principal)


class User(Handle):
    """The memory of one user, who may have part in spaces."""

    def lend(self, recommender: str, *, chat: bool = True, notes: bool = True) -> None:
        """Let a recommender and this user's conversations serve each other, for this user alone.

        Args:
            recommender: Its name.
            chat: Whether facts that the user told in conversation serve in rankings for them.
            notes: Whether the user's own notes there are found by their `search` and `context`.

        What is not lent is taken back. Forgetting either side ends it.

        Raises:
            BadInput: The name is none.
        """
        lending.lend(self._engine, self.scope, recommender, chat=chat, notes=notes)

    def loans(self) -> list[Loan]:
        """Return what is lent, by recommender."""
        return lending.loans(self._engine.store, self.scope)

    def parts(self) -> list[Scope]:
        """Return where else this user has a part, which `forget` erases too.

        Those are spaces in which they wrote or were granted anything, conversations in which they
        spoke, recommenders in which they did anything, and pools.
        """
        return forgetting.reached(self._engine, self.scope)

    def space(self, name: str) -> Member:
        """Return a shared space as this user holds it. Raises `BadInput` if the name is none."""
        return _member(self._engine, self.scope.tenant, "user", self.scope.id, name)


class Agent:
    """An agent: an author in shared spaces. It owns no memory of its own."""

    def __init__(self, engine: Engine, tenant: str, name: str) -> None:
        self._engine = engine
        self._tenant = tenant
        self.name = name

    def __repr__(self) -> str:
        return f"<agent {self.name!r}>"

    def space(self, name: str) -> Member:
        """Return a shared space as this agent holds it. Raises `BadInput` if the name is none."""
        return _member(self._engine, self._tenant, "agent", self.name, name)


def _member(engine: Engine, tenant: str, kind: str, id_: str, space: str) -> Member:
    return Member(engine, Scope(tenant, "space", name("the space's name", space)), kind, id_)


def _principal(given: str) -> str:
    """Return a principal if it is written as one. Raises `BadInput`."""
    kind, colon, id_ = given.partition(":") if isinstance(given, str) else ("", "", "")
    if kind not in SPEAKS or not colon:
        raise BadInput(f"write who is meant as user:ID or agent:NAME, not {given!r:.60}")
    return f"{kind}:{name(f'the {kind} in a grant', id_)}"


def _check(engine: Engine, scope: Scope, principal: str, *, write: bool = False) -> None:
    held = [g for g in engine.store.grants(scope) if g.principal == principal]
    if not any(grant.read for grant in held):
        raise NotFound(f"there is no space {scope.id!r} that {principal} may read")
    if write and not any(grant.write for grant in held):
        raise BadInput(
            f"{principal} may read the space {scope.id!r} but not write; "
            "whoever runs the store can grant it"
        )
