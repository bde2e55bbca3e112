"""Two ways to answer: JSON on standard output for programs, tables for people."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import click

from lamina.apps.cli.render.text import clean

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

PIPED_WIDTH = 120
"""Columns of a table that goes to a file or another program."""


def answer(
    as_json: bool, data: Mapping[str, Any], render: Callable[[], Iterable[RenderableType]]
) -> None:
    """Answer with `data` as JSON, or with what `render` makes of it."""
    if as_json:
        click.echo(to_json(data))
    else:
        show(render())


def show(renderables: Iterable[RenderableType]) -> None:
    """Write for people: in colour on a terminal only."""
    out = console()
    for renderable in renderables:
        # A line among others is joined to them and forgets that it is not to be broken.
        unbroken = getattr(renderable, "no_wrap", None) is True
        out.print(renderable, soft_wrap=unbroken)


def console() -> Console:
    """Return where tables go: as wide as the terminal."""
    from rich.console import Console

    fixed = not sys.stdout.isatty() and "COLUMNS" not in os.environ
    return Console(
        file=sys.stdout,
        width=PIPED_WIDTH if fixed else None,
        highlight=False,
        emoji=False,
        markup=False,
    )


def plain(text: str) -> None:
    """Write text as it is; on a terminal without what could steer it."""
    click.echo(clean(text) if sys.stdout.isatty() else text)


def note(text: str) -> None:
    """Tell people something beside the answer."""
    click.echo(text, err=True)


def to_json(data: Mapping[str, Any]) -> str:
    """Return JSON; readable in every language, but for text that UTF-8 cannot hold."""
    written = json.dumps(data, ensure_ascii=False, indent=2)
    try:
        written.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(data, indent=2)
    return written
