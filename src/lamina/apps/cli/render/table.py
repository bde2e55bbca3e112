"""The one look of all tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from lamina.apps.cli.render.text import clean

NUMBERS = frozenset({"#", "Relevance", "Revision", "Sessions", "Turns", "New", "Found"})
TEXTS = frozenset({"Text", "What", "Why", "Before", "After"})
"""Columns that keep some width on a narrow terminal; elsewhere long cells are folded first."""
NARROWEST = 14


def table(columns: Sequence[str], rows: Iterable[Sequence[str | Text]]) -> Table:
    """Return a table; text is shown literally, whatever it contains."""
    drawn = Table(box=SIMPLE_HEAD, pad_edge=False, collapse_padding=True, header_style="bold")
    for column in columns:
        drawn.add_column(
            column,
            justify="right" if column in NUMBERS else "left",
            overflow="fold",
            min_width=NARROWEST if column in TEXTS else None,
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


def unbroken(text: str) -> Text:
    """Return text that steps back and is not broken into lines: a command, to be copied."""
    return Text(clean(text), style="dim", no_wrap=True, overflow="ignore")


def bold(text: str) -> Text:
    """Return text that stands out."""
    return Text(clean(text), style="bold")
