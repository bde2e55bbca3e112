"""Groups of commands that help: called alone they say what there is."""

from __future__ import annotations

import click


class HelpfulGroup(click.Group):
    """Called without arguments it prints its help, which is no failure."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Print the help if there is nothing to parse."""
        if not args and not ctx.resilient_parsing:
            click.echo(ctx.get_help(), color=ctx.color)
            ctx.exit()
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command; where there is none, say which one may be meant."""
        name = args[0]
        if self.get_command(ctx, name) is None and not ctx.resilient_parsing:
            from difflib import get_close_matches

            meant = " or ".join(f"'{m}'" for m in get_close_matches(name, self.list_commands(ctx)))
            guess = f" Did you mean {meant}?" if meant else ""
            raise click.UsageError(f"No such command {name!r}.{guess}", ctx)
        return super().resolve_command(ctx, args)
