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
Told: TypeAlias = Callable[[str, int, int], None]
"""Called with (what is being done, done, known of so far)."""


@contextmanager
def progress(what: str) -> Iterator[Advance]:
    """Show on standard error how far `what` has come."""
    with stages() as told:
        yield lambda done, known: told(what, done, known)


@contextmanager
def stages() -> Iterator[Told]:
    """Show on standard error how far work of several stages has come."""
    if sys.stderr.isatty():
        with _bars() as told:
            yield told
    else:
        yield _lines()


@contextmanager
def _bars() -> Iterator[Told]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        tasks = {}

        def told(what: str, done: int, known: int) -> None:
            if what not in tasks:
                tasks[what] = bars.add_task(what, total=None)
            bars.update(tasks[what], completed=done, total=known)

        yield told


def _lines() -> Told:
    told_at = time.monotonic()

    def told(what: str, done: int, known: int) -> None:
        nonlocal told_at
        if time.monotonic() - told_at >= LINE_EVERY:
            told_at = time.monotonic()
            click.echo(f"{what}: {done} of {known}", err=True)

    return told
