"""A group that knows its commands by name, and imports the one that is called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import click

from lamina.apps.cli.group import HelpfulGroup


@dataclass(frozen=True, slots=True)
class Home:
    """Where a command lives, and what it does, for the list of commands."""

    module: str
    help: str


class LazyGroup(HelpfulGroup):
    """Commands in sections. `verify-erasure` is called `verify_erasure_command` in its module.

    Below a group whose `prefix` is `rec_`, `rank` is called `rec_rank_command`.
    """

    def __init__(
        self,
        *,
        package: str,
        sections: Mapping[str, Mapping[str, Home]],
        prefix: str = "",
        **attrs: Any,
    ) -> None:
        super().__init__(**attrs)
        self.package = package
        self.prefix = prefix
        self.sections = sections
        self.homes = {name: home for group in sections.values() for name, home in group.items()}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, in the order of the sections."""
        return list(self.homes)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command; `None` if there is none of that name."""
        home = self.homes.get(cmd_name)
        if home is None:
            return None
        module = import_module(f"{self.package}.{home.module}")
        found = getattr(module, f"{self.prefix}{cmd_name.replace('-', '_')}_command")
        assert isinstance(found, click.Command)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands, from what is known without importing any."""
        longest = max(map(len, self.homes))
        for title, group in self.sections.items():
            with formatter.section(title):
                formatter.write_dl([(n.ljust(longest), home.help) for n, home in group.items()])
