"""How things came about: the timeline of a topic, and what a note rests on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from lamina.apps.cli.naming import short
from lamina.apps.cli.render import wording
from lamina.apps.cli.render.table import bold, dim, literal, table
from lamina.apps.cli.render.text import brief, clean, day, when

if TYPE_CHECKING:
    from lamina.memory.values import Moment, Source, Why

_SAID = "\x00"
"""Stands for words that are shown elsewhere."""


def timeline_table(moments: Sequence[Moment]) -> Table:
    """Return the moments of a topic, oldest first."""
    return table(("When", "Who", "What", "Why", "Rests on"), map(_moment, moments))


def why_tree(why: Why) -> Tree:
    """Return a note, what it was formed from, down to the messages."""
    tree = Tree(_head(why))
    _grow(tree, why)
    _succeed(tree, why)
    return tree


def _moment(moment: Moment) -> Sequence[str | Text]:
    what = literal(brief(moment.text))
    if moment.until is not None:
        what.append_text(dim(f" (until {day(moment.until)})"))
    if moment.role != "later":
        what = bold(f"{moment.role}: ").append_text(what)
    who = moment.speaker or ""
    sources = ", ".join(map(short, moment.sources[:3]))
    return when(moment.said_at), who, what, _reason(moment), dim(sources)


def _reason(moment: Moment) -> str:
    """Return why, without the moment's own words: an exchange repeats them."""
    return brief("\n".join(_unsaid(moment.why, [moment.text])))


def _unsaid(text: str, said: Iterable[str]) -> list[str]:
    """Return the lines of a text that do not end with something that is said elsewhere."""
    for words in said:
        text = text.replace(words, _SAID)
    return [line for line in text.splitlines() if not line.endswith(_SAID)]


def _head(why: Why) -> Text:
    """Return what a note says, unless the messages below it say just that, and what made it."""
    told = _unsaid(why.text, [source.text for source in why.sources])
    text = bold(brief(why.text)) if told or why.note is None else Text()
    if why.note is not None:
        text.append_text(dim(f"{'  ' if told else ''}{why.note.kind} {short(why.id)}"))
    if why.operation is not None:
        by = f" by {why.operation.model}" if why.operation.model else ""
        made = wording.made(why.operation.kind, why.operation.cause)
        text.append_text(dim(f", {made}{by}"))
    if not why.live:
        text.append_text(Text("  withdrawn", style="yellow"))
    return text


def _grow(tree: Tree, why: Why) -> None:
    for parent in why.formed_from:
        _grow(tree.add(_head(parent)), parent)
    told = {source.id for parent in why.formed_from for source in parent.sources}
    for source in why.sources:
        if source.id not in told:
            tree.add(_source(source))


def _succeed(tree: Tree, why: Why) -> None:
    """Add what took the place of a note, and what it took the place of."""
    for told, others in (
        ("gave way to", why.superseded_by),
        ("took the place of", why.supersedes),
    ):
        for other in others:
            _succeed(tree.add(_other(told, other)), other)


def _other(told: str, why: Why) -> Text:
    """Return another note and how it hangs together with this one."""
    since = f", {day(why.note.said_at)}" if why.note else ""
    text = Text(f"{told}{since}: ", style="cyan").append_text(literal(brief(why.text)))
    kind = why.note.kind if why.note else "message"
    return text.append_text(dim(f"  {kind} {short(why.id)}"))


def _source(source: Source) -> Text:
    text = Text(f"{clean(source.speaker)}, {when(source.said_at)}: ", style="cyan")
    gone = "" if source.live else ", withdrawn"
    return text.append_text(literal(brief(source.text))).append_text(
        dim(f"  message {short(source.id)}{gone}")
    )
