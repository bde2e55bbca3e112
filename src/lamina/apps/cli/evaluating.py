"""`lamina eval`."""

from __future__ import annotations

import click


@click.group("eval")
def eval_command() -> None:
    """Measure recall and answers on public data."""
