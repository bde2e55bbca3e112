"""How things came about: the timeline of a topic, and what a note rests on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from lamina.apps.cli.naming import short
from lamina.apps.cli.render.table import bold, dim, literal, table
from lamina.apps.cli.render.text import brief, when

if TYPE_CHECKING:
    from lamina.memory.values import Moment, Source, Why


def timeline_table(moments: Sequence[Moment]) -> Table:
    """Return the moments of a topic, oldest first."""
    return table(("When", "Who", "What", "Why", "Rests on"), map(_moment, moments))


def why_tree(why: Why) -> Tree:
    """Return a note, what it was formed from, down to the messages."""
    tree = Tree(_head(why))
    _grow(tree, why)
    return tree


def _moment(moment: Moment) -> Sequence[str | Text]:
    what = literal(brief(moment.text))
    if moment.role != "later":
        what = bold(f"{moment.role}: ").append_text(what)
    who = moment.speaker or ""
    sources = ", ".join(map(short, moment.sources[:3]))
    return when(moment.said_at), who, what, moment.why, dim(sources)


def _head(why: Why) -> Text:
    text = bold(why.text)
    if why.note is not None:
        text.append_text(dim(f"  {why.note.kind} {short(why.id)}"))
    if why.operation is not None:
        by = f" by {why.operation.model}" if why.operation.model else ""
        cause = why.operation.cause or why.operation.kind
        text.append_text(dim(f", made by {cause}{by}, {when(why.operation.recorded_at)}"))
    return text


def _grow(tree: Tree, why: Why) -> None:
    for parent in why.formed_from:
        _grow(tree.add(_head(parent)), parent)
    told = {source.id for parent in why.formed_from for source in parent.sources}
    for source in why.sources:
        if source.id not in told:
            tree.add(_source(source))


def _source(source: Source) -> Text:
    text = literal(f"{source.speaker}, {when(source.said_at)}: ")
    text.stylize("cyan")
    return text.append_text(literal(brief(source.text))).append_text(
        dim(f"  message {short(source.id)}")
    )
