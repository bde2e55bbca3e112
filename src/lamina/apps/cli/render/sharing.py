"""What users share: patterns, and what is done with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from lamina.apps.cli.naming import short
from lamina.apps.cli.render.table import bold, dim, literal, table, unbroken
from lamina.apps.cli.render.text import brief, counted, day, days, when
from lamina.items import Pattern

if TYPE_CHECKING:
    from lamina.memory.pooling import (
        Contribution,
        Measured,
        PoolConfiguration,
        Refreshed,
        Thresholds,
        Tidied,
    )
    from lamina.model import Revision

_UNSET = {
    "tau_low": "as belongs to the encoder",
    "tau_high": "as belongs to the encoder",
    "half_life_days": "age does not count",
    "cap": "any number",
    "keep_days": "for ever",
}
"""What stands for nothing, or for 0."""
_MEASURES = {
    "told": "told to others",
    "raw": "parts without a usable reply of the model",
}
"""What measures are called whose names say too little."""
ONE_MORE = "gained a source"
"""The difference of a revision that took a part in and changed no words."""


def patterns_table(found: Sequence[Pattern]) -> Table:
    """Return patterns in their order, each with how often it evolved and how many support it."""
    return table(("What", "Users", "Since", "Id"), map(_row, found))


def pattern(found: Pattern) -> Iterator[Table | Text]:
    """Return all that is told of one pattern."""
    yield told(found)
    grid = Table.grid(padding=(0, 2))
    for name, value in _facts(found):
        if value:
            grid.add_row(dim(name), literal(value))
    yield grid


def history_table(revisions: Sequence[Revision], taken: Sequence[Contribution]) -> Table:
    """Return a pattern's revisions, first to last, each with the part that it took in."""
    parts = {each.revision: each for each in taken}
    rows = (_revision(each, parts.get(each.number)) for each in revisions)
    return table(("#", "Whose part", "When", "What", "After", "Operation"), rows)


def told(found: Pattern) -> Text:
    """Return what a pattern says, with how often it evolved."""
    words = literal(brief(f"{found.explanation} {found.description}".strip())).copy()
    return words.append_text(dim(f" ({evolved(found)})")) if found.evolution_count else words


def evolved(found: Pattern) -> str:
    """Return how often a pattern evolved.

    >>> evolved(Pattern(id="", explanation="", description="", evolution_count=1))
    'evolved once'
    """
    count = found.evolution_count
    return "evolved once" if count == 1 else f"evolved {count:,} times"


def looked_up(found: Sequence[Pattern]) -> Iterator[Text]:
    """Return the patterns that a ranking was given, weightiest first."""
    if found:
        yield bold("What users share that speaks here")
    for each in found:
        yield told(each).append_text(dim(f"  weight {each.weight:.2f}, {short(each.id)}"))


def refreshed(found: Refreshed) -> Iterator[Text]:
    """Return what became of what users share, or of a dry run what would."""
    to = "to be " if found.dry_run else ""
    yield literal(
        f"{counted(found.new, 'new window')} {to}told in general terms,"
        f" {found.withdrawn:,} {to}withdrawn; {counted(found.windows, 'window')} in all"
    )
    if found.redone:
        yield literal(f"{found.redone:,} {to}told anew by the model")
    if found.taken_in or found.waiting:
        waiting = f", {found.waiting:,} still wait" if found.waiting else ""
        yield literal(f"{counted(found.taken_in, 'part')} taken in{waiting}")
    yield from _passed_over(found)
    if found.failed:
        yield literal(f"{counted(found.failed, 'window')} left to the next refresh")
    for reason in found.troubles:
        yield Text("to be tried again: ", style="yellow").append_text(literal(reason))
    if found.calls:
        yield dim(
            f"{counted(found.calls, 'model call')}, {found.input_tokens:,} tokens in,"
            f" {found.output_tokens:,} out"
        )


def _passed_over(found: Refreshed) -> Iterator[Text]:
    if found.silent:
        yield dim(f"{counted(found.silent, 'window')} told nothing in general terms")
    if found.removed:
        yield dim(f"{counted(found.removed, 'window')} passed over: what was told was taken out")
    if found.left:
        yield dim(f"{counted(found.left, 'user')} passed over: they left")


def configuration(found: PoolConfiguration) -> Table:
    """Return what a pool keeps to."""
    grid = Table.grid(padding=(0, 2))
    for name, value in found.to_dict().items():
        if name != "encoder" or value:
            grid.add_row(dim(name.replace("_", " ")), literal(_kept(name, value)))
    return grid


def measures(found: Measured) -> Table:
    """Return how a pool stands."""
    grid = Table.grid(padding=(0, 2))
    for name, value in found.to_dict().items():
        grid.add_row(
            dim(_MEASURES.get(name, name.replace("_", " "))), literal(_measure(name, value))
        )
    return grid


def thresholds(found: Thresholds, setting: str) -> Iterator[Text]:
    """Return what thresholds are proposed, and the call that sets them."""
    yield bold(f"proposed for {found.encoder}: {found.tau_low:.3f} and {found.tau_high:.3f}")
    yield dim(
        f"in use: {found.low_in_use:.3f} and {found.high_in_use:.3f};"
        f" {counted(found.texts, 'text')} looked at"
    )
    yield literal(_change(found))
    for warning in found.warnings:
        yield Text("mind: ", style="yellow").append_text(literal(warning))
    yield unbroken(f"to set them: {setting}")


def _change(found: Thresholds) -> str:
    """Return what what is proposed would change."""
    low = _compared(found.tau_low, found.low_in_use)
    high = _compared(found.tau_high, found.high_in_use)
    if not low and not high:
        return "that changes nothing"
    return (
        f"if set, {low or 'as many'} patterns come into question to be linked, and"
        f" {high or 'as many'} are taken to say the same"
    )


def _compared(proposed: float, in_use: float) -> str:
    """Return whether more or fewer cosines are above what is proposed; nothing if as many."""
    if f"{proposed:.3f}" == f"{in_use:.3f}":
        return ""
    return "fewer" if proposed > in_use else "more"


def tidied(found: Tidied, pairs: Sequence[tuple[str, str]] = ()) -> Iterator[Text | Table]:
    """Return what was tidied, or would be.

    Args:
        found: That.
        pairs: What some of the patterns that were merged say, and those which they went into.
    """
    to = "to be " if found.dry_run else ""
    yield literal(f"{counted(len(found.merged), 'pattern')} {to}merged into another")
    if pairs:
        yield table(("What", "Into"), [(brief(twin), brief(heir)) for twin, heir in pairs])
    if pairs and len(found.merged) > len(pairs):
        yield dim(f"and {len(found.merged) - len(pairs):,} more")
    for why, count in sorted(Counter(found.withdrawn.values()).items()):
        yield literal(f"{counted(count, 'pattern')} {to}withdrawn: {why}")


def _measure(name: str, value: object) -> str:
    if value is None:
        return "none"
    if name == "near_twins":
        return f"{value:.1%}"
    return f"{value:.3f}" if isinstance(value, float) else f"{value:,}"


def _kept(name: str, value: object) -> str:
    if not value and name in _UNSET:
        return _UNSET[name]
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _revision(revision: Revision, part: Contribution | None) -> Sequence[str | Text]:
    cells = (
        part.user if part else "",
        when(part.said_at if part else revision.known_at),
        literal(brief(f"{part.explanation} {part.description}".strip() if part else "")),
    )
    return str(revision.number), *cells, _after(revision), dim(short(revision.operation))


def _after(revision: Revision) -> Text:
    """Return what a pattern said from a revision on, with what that changed."""
    gone = "withdrawn" if revision.withdrawn and not revision.undone_by else ""
    if revision.difference == ONE_MORE:
        return dim("; ".join(filter(None, ("the same words", gone))))
    said = brief(f"{revision.text} {revision.context}".strip())
    words = dim(said) if revision.withdrawn else literal(said)
    phrases = "; ".join(filter(None, (revision.difference, gone)))
    return words.copy().append_text(dim(f"\n{phrases}")) if phrases else words


def _row(found: Pattern) -> Sequence[str | Text]:
    users = f"{found.contributors:,}{', you' if found.yours else ''}"
    return told(found), users, _since(found), dim(short(found.id))


def _since(found: Pattern) -> str:
    return days(found.first_at, found.last_at) if found.first_at and found.last_at else ""


def _facts(found: Pattern) -> Iterator[tuple[str, str]]:
    yield "id", found.id
    yield "keywords", ", ".join(found.keywords)
    yield "supported by", counted(found.contributors, "user")
    yield "the user asked for is among them", "yes" if found.yours else ""
    yield "first supported", day(found.first_at) if found.first_at else ""
    yield "last supported", day(found.last_at) if found.last_at else ""
    yield "hangs together with", ", ".join(map(short, found.links))
