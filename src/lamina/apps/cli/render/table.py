"""The one look of all tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from lamina.apps.cli.render.text import clean

NUMBERS = frozenset({"#", "Relevance", "Revision", "Count", "Turns", "New"})
WIDE = frozenset({"Text", "What", "Words", "Why"})
"""Columns that take what room there is; the others are never broken."""


def table(columns: Sequence[str], rows: Iterable[Sequence[str | Text]]) -> Table:
    """Return a table; text is shown literally, whatever it contains."""
    drawn = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for column in columns:
        wide = column in WIDE
        drawn.add_column(
            column,
            justify="right" if column in NUMBERS else "left",
            no_wrap=not wide and column != "Who",
            overflow="fold",
            ratio=1 if wide else None,
        )
    for row in rows:
        drawn.add_row(*(literal(cell) for cell in row))
    return drawn


def literal(cell: str | Text) -> Text:
    """Return text as it is, without any markup."""
    return cell if isinstance(cell, Text) else Text(clean(cell))


def dim(text: str) -> Text:
    """Return text that steps back."""
    return Text(clean(text), style="dim")


def bold(text: str) -> Text:
    """Return text that stands out."""
    return Text(clean(text), style="bold")
