"""From what the call says to an open memory, and to the handle that it is about."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import click

from lamina.apps.cli.options import Where
from lamina.errors import NotFound

if TYPE_CHECKING:
    from lamina.memory import Handle, Memory
    from lamina.memory.memory import Tenant
    from lamina.memory.pooling import Pool
    from lamina.memory.recommending import Recommender
    from lamina.memory.space import Member, Space
    from lamina.model import Scope
    from lamina.ports import Tenancy
    from lamina.settings import Settings

Held: TypeAlias = "Handle | Recommender"
Kept: TypeAlias = "Handle | Recommender | Pool"
H = TypeVar("H", bound="Handle | Recommender")

FIRST = "items"
"""The name of a store's first recommender, where none is given."""
MANY = 5
"""How many handles an error names."""


def settings() -> Settings:
    """Read the settings of this process."""
    from lamina.settings import Settings

    return Settings.read(os.environ)


def path_of(where: Where) -> str:
    """Return the path of the store: what the call says, else the setting."""
    return where.db or settings().db


def must_exist(path: str) -> None:
    """Raise `NotFound` if there is no store at `path`: reading makes none."""
    if path != ":memory:" and not Path(path).exists():
        raise NotFound(
            f"there is no memory at {path}; add something to it first,"
            " or name another file with --db"
        )


@contextmanager
def opened(where: Where, *, create: bool = False) -> Iterator[Memory]:
    """Open the store.

    Args:
        where: What the call says.
        create: Whether to make a store that is not there yet.

    Raises:
        NotFound: There is no store, and none is to be made.
        LaminaError: It cannot be opened.
    """
    from lamina.wiring import open as open_memory

    _log_in_answers_only()
    path = path_of(where)
    if not create:
        must_exist(path)
    tenancy: Tenancy | None = "multi" if where.tenant is not None else None
    with open_memory(path, settings=settings(), tenancy=tenancy) as memory:
        yield memory


def _log_in_answers_only() -> None:
    """Keep log lines off standard error: what they tell is in the answers too."""
    import logging

    log = logging.getLogger("lamina")
    if not log.handlers and not os.environ.get("LAMINA_DEBUG"):
        log.addHandler(logging.NullHandler())


@contextmanager
def opened_handle(where: Where, *, create: bool = False, known: bool = True) -> Iterator[Held]:
    """Open the store and the one memory in it that the call is about.

    Args:
        where: What the call says.
        create: Whether to make a store that is not there yet.
        known: Whether it must be there already. If the call names none, the only one is meant.

    Raises:
        NotFound: It is not there.
    """
    with opened(where, create=create) as memory:
        if not where.named:
            yield _only(where, _there(memory, where) if known else [])
        else:
            yield known_handle(memory, where) if known else held(memory, where)


@contextmanager
def opened_part(where: Where) -> Iterator[Held | Member]:
    """Open what `opened_handle` opens; or a shared space as who acts in it, if the call says who.

    A member's space is looked for by what was granted alone, so that nobody learns what there is.

    Raises:
        NotFound: It is not there.
    """
    if where.principal is None:
        with opened_handle(where) as handle:
            yield handle
    else:
        with opened(where) as memory:
            yield _member(memory, where, where.principal)


@contextmanager
def opened_kept(where: Where, *, known: bool = True) -> Iterator[Kept]:
    """Open what `opened_handle` opens, or the pool that the call names. Raises `NotFound`."""
    if where.pool is None:
        with opened_handle(where, known=known) as handle:
            yield handle
    else:
        with opened(where) as memory:
            yield _pool(memory, where, where.pool, known=known)


@contextmanager
def opened_log(where: Where) -> Iterator[Kept | Member]:
    """Open what `opened_part` opens, or the pool that the call names. Raises `NotFound`."""
    if where.pool is None:
        with opened_part(where) as part:
            yield part
    else:
        with opened_kept(where) as pool:
            yield pool


@contextmanager
def opened_talk(where: Where) -> Iterator[Handle]:
    """Open what was said: what `opened_handle` opens, but no recommender. Raises `NotFound`."""
    with opened(where) as memory:
        if where.named:
            known_handle(memory, where)
            yield handle(memory, where)
        else:
            yield _only(where, [h for h in memory.handles() if where.covers(h.scope.tenant)])


@contextmanager
def opened_to_add(where: Where) -> Iterator[Handle | Member]:
    """Open the store, made if need be, and what the call is to be added to. Raises `NotFound`."""
    with opened(where, create=where.principal is None) as memory:
        if where.principal is not None:
            yield _member(memory, where, where.principal)
        elif where.named:
            yield handle(memory, where)
        else:
            raise click.UsageError("whose memory? Give --user, --conversation or --space")


@contextmanager
def opened_recommender(where: Where, *, create: bool = False) -> Iterator[Recommender]:
    """Open the store and the recommender that the call names, else the only one.

    Args:
        where: What the call says.
        create: Whether to make what is not there yet. The first one is called `FIRST`, if the call
            does not name it.

    Raises:
        NotFound: It is not there.
    """
    with opened(where, create=create) as memory:
        there = [r for r in memory.recommenders() if where.covers(r.scope.tenant)]
        if where.recommender is None:
            if create and not there:
                yield tenant(memory, where).recommender(FIRST)
                return
            if len(there) != 1:
                raise click.UsageError(f"which recommender? Give --name{_listed(there)}")
            yield there[0]
            return
        found = tenant(memory, where).recommender(where.recommender)
        if not create and found.scope not in {each.scope for each in there}:
            raise NotFound(_missing(found, there))
        yield found


@contextmanager
def opened_space(where: Where, *, create: bool = False) -> Iterator[Space]:
    """Open the store and the shared space that the call names, as whoever runs the store."""
    assert where.space is not None
    with opened(where, create=create) as memory:
        yield tenant(memory, where).space(where.space)


def tenant(memory: Memory, where: Where) -> Memory | Tenant:
    """Return the tenant that the call names, or the whole store if it has only one."""
    return memory if where.tenant is None else memory.tenant(where.tenant)


def handle(memory: Memory, where: Where) -> Handle:
    """Return the handle on what was said that the call names."""
    owner = tenant(memory, where)
    if where.user is not None:
        return owner.user(where.user)
    if where.space is not None:
        return owner.space(where.space)
    assert where.conversation is not None
    return owner.conversation(where.conversation)


def held(memory: Memory, where: Where) -> Held:
    """Return the handle that the call names, a recommender's too."""
    if where.recommender is not None:
        return tenant(memory, where).recommender(where.recommender)
    return handle(memory, where)


def kept(memory: Memory, where: Where) -> Kept:
    """Return what `held` returns, or the pool that the call names."""
    if where.pool is not None:
        return _pool(memory, where, where.pool, known=False)
    return held(memory, where)


def _member(memory: Memory, where: Where, principal: str) -> Member:
    kind, _, id_ = principal.partition(":")
    assert where.space is not None
    owner = tenant(memory, where)
    return (owner.user(id_) if kind == "user" else owner.agent(id_)).space(where.space)


def known_handle(memory: Memory, where: Where) -> Held:
    """Return the handle that the call names. Raises `NotFound` where nothing was ever stored."""
    found = held(memory, where)
    there = _there(memory, where)
    if found.scope not in {h.scope for h in there}:
        raise NotFound(_missing(found, there))
    return found


def _pool(memory: Memory, where: Where, name: str, *, known: bool) -> Pool:
    """Return what the users of a recommender share. Raises `NotFound` if there is neither."""
    recommender = tenant(memory, where).recommender(name)
    if known and not recommender.pool.operations(limit=1):
        there = [r for r in memory.recommenders() if where.covers(r.scope.tenant)]
        if recommender.scope not in {each.scope for each in there}:
            raise NotFound(_missing(recommender, there))
    return recommender.pool


def _only(where: Where, there: Sequence[H]) -> H:
    """Return the only one there is. Raises `click.UsageError` where there are none or several."""
    if len(there) == 1:
        return there[0]
    raise click.UsageError(f"whose memory? Give --user, --conversation or --space{_listed(there)}")


def _there(memory: Memory, where: Where) -> list[Held]:
    every: list[Held] = [*memory.handles(), *memory.recommenders()]
    return [h for h in every if where.covers(h.scope.tenant)]


def _missing(found: Held, there: Sequence[Held]) -> str:
    known = _listed(there) or "; nothing is remembered yet"
    return f"there is no {found.scope.kind} {found.scope.id!r} here{known}"


def about(where: Where, scope: Scope) -> Where:
    """Return the same call about one scope, named with its tenant."""
    return replace(where.about(scope.kind, scope.id), tenant=scope.tenant or None)


def _listed(there: Sequence[Held]) -> str:
    """Return what ends an error: who there is, but not all of many."""
    names = [_named(h.scope) for h in there[:MANY]]
    more = " and more" if len(there) > MANY else ""
    return f"; there is {', '.join(names)}{more}" if names else ""


def _named(scope: Scope) -> str:
    """Return the options that name a scope."""
    tenant = f"--tenant {scope.tenant} " if scope.tenant else ""
    return f"{tenant}--{scope.kind} {scope.id}"
