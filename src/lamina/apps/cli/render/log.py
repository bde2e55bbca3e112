"""What was done, and what undoing it changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from lamina.apps.cli.naming import short
from lamina.apps.cli.render import wording
from lamina.apps.cli.render.table import dim, literal, table
from lamina.apps.cli.render.text import brief, counted, shortened, when

if TYPE_CHECKING:
    from lamina.memory.values import Change, Plan, RolledBack
    from lamina.ports import Operation


def log_table(operations: Sequence[Operation]) -> Table:
    """Return operations in their order; what is undone steps back."""
    columns = ("#", "When", "Kind", "Cause", "Model", "Undone by", "Operation")
    return table(columns, map(_row, operations))


def plan(found: Plan) -> Iterable[Table | Text]:
    """Return what undoing an operation would change."""
    yield literal(f"undoing {_named(found.target)} changes:")
    if found.changes:
        columns = ("Kind", "Before", "After", "Because", "Id")
        yield table(columns, map(_change, found.changes))
    else:
        yield literal("nothing that can be found")
    yield from _afterwards(found)


def rolled_back(done: RolledBack) -> Iterable[Text]:
    """Return what was undone, in short."""
    yield literal(f"rolled back: {_named(done.plan.target)}")
    counts = Counter((_becomes(change), change.kind) for change in done.plan.changes)
    by_fate: dict[str, list[str]] = {}
    for (fate, kind), count in sorted(counts.items()):
        things = "summaries" if kind == "summary" else None
        by_fate.setdefault(fate, []).append(counted(count, kind, things))
    for fate, told in by_fate.items():
        yield literal(f"{fate}: {', '.join(told)}")
    yield from _afterwards(done.plan)


def _row(operation: Operation) -> Sequence[str | Text]:
    cells = (
        str(operation.number),
        when(operation.recorded_at),
        operation.kind,
        shortened(operation.cause),
        operation.model or "",
        short(operation.undone_by) if operation.undone_by else "",
    )
    shown = map(dim, cells) if operation.undone_by else cells
    return *shown, dim(_id(operation))


def _id(operation: Operation) -> str:
    """Return what a table shows of an operation's id; of an erasure which one here it was."""
    if operation.kind == "erasure":
        return f"erasure no. {operation.id.rpartition('-')[2]}"
    return short(operation.id)


def _named(operation: Operation) -> str:
    return f"operation {operation.number} ({operation.kind}, {when(operation.recorded_at)})"


def _change(change: Change) -> Sequence[str | Text]:
    same = change.before == change.after
    after = dim("the same words") if same else _words(change.after)
    return change.kind, _words(change.before), after, change.why, dim(short(change.id))


def _words(text: str | None) -> str | Text:
    return dim("hidden") if text is None else brief(text)


def _becomes(change: Change) -> str:
    if change.after is None:
        return "hidden"
    if change.before is None:
        return "back"
    return "to be formed anew" if change.why == "to be formed anew" else "changed back"


def _afterwards(found: Plan) -> Iterable[Text]:
    if found.steps:
        steps = Counter(step.kind for step in found.steps)
        told = ", ".join(f"{count} {wording.awaited(kind)}" for kind, count in steps.items())
        yield dim(f"left for `lamina process`: {told}")
