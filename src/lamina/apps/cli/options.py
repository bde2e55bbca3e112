"""Options that many commands share, gathered into one value."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import click

Function: TypeAlias = Callable[..., Any]

KINDS = ("message", "fact", "relation", "summary")
"""What can be asked for by its kind."""
PRINCIPALS = ("user", "agent")
"""Who may act in a shared space."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """Which memory a command is about, and how it answers."""

    db: str | None = None
    tenant: str | None = None
    user: str | None = None
    conversation: str | None = None
    space: str | None = None
    recommender: str | None = None
    pool: str | None = None
    """The name of the recommender whose users share it."""
    principal: str | None = None
    """Who acts in the space, as `user:ID` or `agent:NAME`; if not given, whoever runs the store."""
    as_json: bool = False

    @property
    def owners(self) -> list[tuple[str, str]]:
        """The kinds and names of the memories that are given; a good call names one at most."""
        kinds = {
            "user": self.user,
            "conversation": self.conversation,
            "space": self.space,
            "recommender": self.recommender,
            "pool": self.pool,
        }
        return [(kind, id_) for kind, id_ in kinds.items() if id_ is not None]

    @property
    def named(self) -> bool:
        """Whether a user, a conversation, a space, a recommender or a pool is given."""
        return bool(self.owners)

    def covers(self, tenant: str) -> bool:
        """Whether what belongs to a tenant is within what the call is about."""
        return self.tenant in (None, tenant)

    def about(self, kind: str, id_: str) -> Where:
        """Return the same call about one memory: a `user`, a `recommender`, ..."""
        return replace(
            self,
            user=id_ if kind == "user" else None,
            conversation=id_ if kind == "conversation" else None,
            space=id_ if kind == "space" else None,
            recommender=id_ if kind == "recommender" else None,
            pool=id_ if kind == "pool" else None,
            principal=None,
        )


_STORE = (
    click.option("--db", metavar="PATH", help="The store. Default: LAMINA_DB, else memory.db."),
    click.option("--json", "as_json", is_flag=True, help="Answer in JSON, for programs."),
)
_TENANT = (
    click.option("--tenant", metavar="NAME", help="In a store with several tenants: which one."),
)
_OWNERS = (
    click.option("--user", metavar="ID", help="The memory of this user."),
    click.option("--conversation", metavar="ID", help="The memory of this conversation."),
    click.option("--space", metavar="NAME", help="The memory of this shared space."),
)
_RECOMMENDER = (
    click.option("--recommender", metavar="NAME", help="The memory of this recommender."),
)
_POOL = (click.option("--pool", metavar="NAME", help="What the users of this recommender share."),)
_NAMED = (
    click.option(
        "--name",
        "--recommender",
        "recommender",
        metavar="NAME",
        help="Which recommender. Default: the only one.",
    ),
)
_SPACE = (
    click.option("--space", metavar="NAME", required=True, help="Which shared space is meant."),
)
_MOMENTS = {
    "as_of": "Only what was known strictly before.",
    "valid_on": "Only what holds then, superseded since or not.",
    "recorded_as_of": "For audits: what was stored strictly before, undone since or not.",
}


def stored(function: Function) -> Function:
    """Add --db and --json, and pass them as one `Where`, first."""
    return _gathered(function, _STORE)


def owned(function: Function) -> Function:
    """Add what names a memory, --db and --json; pass them as one `Where`, first."""
    return _gathered(function, _OWNERS + _RECOMMENDER + _POOL + _TENANT + _STORE)


def talked(function: Function) -> Function:
    """Add what `owned` adds, but for recommenders: for what is only done with what was said."""
    return _gathered(function, _OWNERS + _TENANT + _STORE)


def recommending(function: Function) -> Function:
    """Add --name of a recommender, --tenant, --db and --json; pass one `Where`, first."""
    return _gathered(function, _NAMED + _TENANT + _STORE)


def scoped(function: Function) -> Function:
    """Add what `owned` adds, and --as: for what a member of a shared space may do as well."""
    return _gathered(function, _OWNERS + _RECOMMENDER + _as() + _TENANT + _STORE)


def pooled(function: Function) -> Function:
    """Add what `scoped` adds, and --pool: for what is done to patterns as to notes."""
    return _gathered(function, _OWNERS + _RECOMMENDER + _POOL + _as() + _TENANT + _STORE)


def said(function: Function) -> Function:
    """Add what `scoped` adds, but for recommenders."""
    return _gathered(function, _OWNERS + _as() + _TENANT + _STORE)


def spaced(function: Function) -> Function:
    """Add --space, which must be given, --tenant, --db and --json; pass one `Where`, first."""
    return _gathered(function, _SPACE + _TENANT + _STORE)


def dated(*moments: str) -> Callable[[Function], Function]:
    """Add the moments to look from, such as --as-of; pass those that are given as `looking`.

    Args:
        moments: Of `as_of`, `valid_on` and `recorded_as_of`; all three, if none is named.
    """
    names = moments or tuple(_MOMENTS)

    def decorate(function: Function) -> Function:
        @functools.wraps(function)
        def call(*args: Any, **given: Any) -> Any:
            looking = {name: given.pop(name) for name in names}
            told = {name: moment for name, moment in looking.items() if moment is not None}
            return function(*args, looking=told, **given)

        decorated: Function = call
        for name in reversed(names):
            option = f"--{name.replace('_', '-')}"
            decorated = click.option(option, metavar="ISO", help=_MOMENTS[name])(decorated)
        return decorated

    return decorate


def text_argument(name: str) -> Callable[[Function], Function]:
    """Add an argument that is text, or - to read the text from standard input."""

    def read(_: click.Context, __: click.Parameter, value: str) -> str:
        if value != "-":
            return value
        return standard_input().decode("utf-8-sig", "replace").rstrip("\r\n")

    return click.argument(name, callback=read)


def standard_input() -> bytes:
    """Return all of standard input."""
    return sys.stdin.buffer.read()


def _as() -> tuple[Callable[[Function], Function], ...]:
    return (
        click.option(
            "--as",
            "principal",
            metavar="WHO",
            callback=_principal,
            help="Act in the space as user:ID or agent:NAME, as far as that was granted.",
        ),
    )


def _principal(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    """Refuse what names neither a user nor an agent."""
    kind, _colon, id_ = (value or "").partition(":")
    if value is not None and (kind not in PRINCIPALS or not id_):
        raise click.BadParameter(f"{value!r} is not like user:ID or agent:NAME")
    return value


def _gathered(function: Function, options: tuple[Callable[[Function], Function], ...]) -> Function:
    @functools.wraps(function)
    def call(**given: Any) -> Any:
        names = Where.__dataclass_fields__
        where = Where(**{name: given.pop(name) for name in names if name in given})
        if len(where.owners) > 1:
            options = " and ".join(f"--{kind}" for kind, _ in where.owners)
            raise click.UsageError(f"{options} exclude each other; give one")
        if where.principal is not None and where.space is None:
            raise click.UsageError("--as is for a shared space; name it with --space")
        return function(where, **given)

    decorated: Function = call
    for option in reversed(options):
        decorated = option(decorated)
    return decorated
