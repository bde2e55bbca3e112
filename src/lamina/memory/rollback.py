"""Undoing what was done to memory: what it would change, and doing so, which can itself be undone.

What the operation did is not done again by itself. What had been built on it is withdrawn with it
and, where its evidence stands, formed anew by the next `process`.
"""

from __future__ import annotations

from typing import Literal

from lamina.errors import BadInput, NotFound
from lamina.memory import edit
from lamina.memory.supporting import undoing_in
from lamina.memory.undoing import Undoing
from lamina.memory.values import Change, Plan, RolledBack
from lamina.memory.write import identifier
from lamina.model import Message, Scope
from lamina.ports import Operation, Writing
from lamina.work.engine import Engine

KINDS = (
    "add", "import", "bind", "supersede", "consolidate", "sweep", "write", "update", "delete",
    "quarantine", "expire", "merge", "withdraw", "tidy", "revisit", "rollback", "restore",
)  # fmt: skip
"""The kinds of operation that can be undone."""


def plan(engine: Engine, scope: Scope, operation: str) -> Plan:
    """Return what undoing an operation would change; nothing is written. See `Handle.diff`.

    Raises:
        NotFound: There is no such operation here.
        BadInput: It cannot be undone, or is undone already; or the id is no text.
    """
    target = _target(engine, scope, operation)
    return _plan(target, *_undone(engine, scope, target))


def rollback(engine: Engine, scope: Scope, operation: str, cause: str = "") -> RolledBack:
    """Undo an operation, as a new one; see `Handle.rollback`.

    Args:
        engine: Whose store it is.
        scope: Where the operation is.
        operation: Its id.
        cause: Who wants it; if not given, the operation is named.

    Raises:
        NotFound: There is no such operation here.
        BadInput: It cannot be undone, or is undone already; or the id is no text.
        Conflict: Others kept changing what it is about.
    """
    plans: list[Plan] = []

    def attempt() -> tuple[Operation, Writing]:
        target = _target(engine, scope, operation)
        standing, shown = _undone(engine, scope, target)
        plans.append(_plan(target, standing, shown))
        made = edit.operation(
            engine,
            scope,
            "rollback",
            target.id,
            cause=cause or f"operation {target.id}",
            read=target.known_at,
        )
        gone = standing.marks(always=True)
        progress, steps = standing.progress(), plans[-1].steps
        return made, Writing(operation=made, gone=gone, progress=progress, steps=steps)

    made = edit.retried(engine, scope, attempt)
    return RolledBack(operation=made, plan=plans[-1])


def _target(engine: Engine, scope: Scope, id_: str) -> Operation:
    found = engine.store.operations(scope, [identifier(id_)])
    if not found:
        raise NotFound(f"no operation here has the id {id_!r}; `operations` shows what was done")
    [target] = found
    if target.kind not in KINDS:
        raise BadInput(
            f"{id_!r} is of the kind {target.kind!r}, which cannot be undone; "
            f"these can: {', '.join(KINDS)}"
        )
    if target.undone_by:
        raise BadInput(
            f"{id_!r} has been undone by {target.undone_by!r}; roll that back to restore it"
        )
    return target


def _undone(engine: Engine, scope: Scope, target: Operation) -> tuple[Undoing, list[Message]]:
    """Return the scope as it will be without an operation, and the messages that come back."""
    standing = undoing_in(engine.store, scope)
    standing.undo(target, root=True)
    standing.settle()
    return standing, engine.store.recorded(scope, list(standing.shown))


def _plan(target: Operation, standing: Undoing, shown: list[Message]) -> Plan:
    notes = sorted({*standing.lost, *standing.regained})
    changes = [*_of_messages(target, standing, shown), *_of_notes(target, standing, notes)]
    return Plan(target=target, changes=tuple(changes), steps=standing.steps(shown))


def _of_messages(target: Operation, standing: Undoing, shown: list[Message]) -> list[Change]:
    changes = [
        Change(
            id=m.id,
            kind="message",
            before=m.text,
            after=None,
            why="made by it" if m.operation == target.id else "rests on it",
        )
        for m in standing.hidden.values()
    ]
    changes += [
        Change(id=m.id, kind="message", before=None, after=m.text, why="restored") for m in shown
    ]
    changes += [
        Change(id=m.id, kind="message", before=m.text, after=m.text, why="to be formed anew")
        for m in standing.reopened()
    ]
    return sorted(changes, key=lambda change: change.id)


def _of_notes(target: Operation, standing: Undoing, ids: list[str]) -> list[Change]:
    changes = []
    for id_ in ids:
        counting = standing.past.counting(id_)
        before = counting[max(counting)] if counting else None
        after = standing.after(id_)
        note = before or after
        if note and before != after:
            changes.append(
                Change(
                    id=id_,
                    kind=note.kind,
                    before=before.text if before else None,
                    after=after.text if after else None,
                    why=_why(target, standing, id_),
                )
            )
    return changes


def _why(
    target: Operation, standing: Undoing, id_: str
) -> Literal["made by it", "rests on it", "restored"]:
    lost = standing.lost.get(id_, {}).values()
    if any(note.operation == target.id for note in lost):
        return "made by it"
    return "rests on it" if lost else "restored"
