"""How far long work has come: a bar on a terminal, now and then a line elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

import click

LINE_EVERY = 10.0
"""Seconds between lines where there is no terminal; what is sooner done says nothing."""

Advance: TypeAlias = Callable[[int, int], None]
"""Called with (done, known of so far)."""


@contextmanager
def progress(what: str) -> Iterator[Advance]:
    """Show on standard error how far `what` has come."""
    if sys.stderr.isatty():
        with _bar(what) as advance:
            yield advance
    else:
        yield _lines(what)


@contextmanager
def _bar(what: str) -> Iterator[Advance]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)

        def advance(done: int, known: int) -> None:
            bar.update(task, completed=done, total=known)

        yield advance


def _lines(what: str) -> Advance:
    told_at = time.monotonic()

    def advance(done: int, known: int) -> None:
        nonlocal told_at
        if time.monotonic() - told_at >= LINE_EVERY:
            told_at = time.monotonic()
            click.echo(f"{what}: {done} of {known}", err=True)

    return advance
