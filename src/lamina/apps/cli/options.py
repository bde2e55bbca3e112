"""Options that many commands share, gathered into one value."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import click

Function: TypeAlias = Callable[..., Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """Which memory a command is about, and how it answers."""

    db: str | None = None
    tenant: str | None = None
    user: str | None = None
    conversation: str | None = None
    as_json: bool = False

    @property
    def named(self) -> bool:
        """Whether a user or conversation is given."""
        return self.user is not None or self.conversation is not None


_STORE = (
    click.option("--db", metavar="PATH", help="The store. Default: LAMINA_DB, else memory.db."),
    click.option("--json", "as_json", is_flag=True, help="Answer in JSON, for programs."),
)
_SCOPE = (
    click.option("--user", metavar="ID", help="The memory of this user."),
    click.option("--conversation", metavar="ID", help="The memory of this conversation."),
    click.option("--tenant", metavar="NAME", help="In a store with several tenants: which one."),
)


def stored(function: Function) -> Function:
    """Add --db and --json, and pass them as one `Where`, first."""
    return _gathered(function, _STORE)


def scoped(function: Function) -> Function:
    """Add --user, --conversation, --tenant, --db and --json; pass them as one `Where`, first."""
    return _gathered(function, _SCOPE + _STORE)


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


def _gathered(function: Function, options: tuple[Callable[[Function], Function], ...]) -> Function:
    @functools.wraps(function)
    def call(**given: Any) -> Any:
        names = Where.__dataclass_fields__
        where = Where(**{name: given.pop(name) for name in names if name in given})
        if where.user is not None and where.conversation is not None:
            raise click.UsageError("--user and --conversation exclude each other; give one")
        return function(where, **given)

    decorated: Function = call
    for option in reversed(options):
        decorated = option(decorated)
    return decorated
