"""What is added again although it does not count: known, but undone or withdrawn since."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from lamina.memory.values import Added
from lamina.model import Scope
from lamina.ports import Store


def marked(store: Store, scope: Scope, added: Added, known: Iterable[str]) -> Added:
    """Return what was added with how much of it is hidden, and by which rollbacks.

    Args:
        store: Where it is.
        scope: Whose.
        added: What became of a call.
        known: The ids of messages that were stored before.
    """
    ids = sorted(known)
    gone = [message for message in store.recorded(scope, ids) if message.withdrawn] if ids else []
    if not gone:
        return added
    adding = list(dict.fromkeys(message.operation for message in gone if message.operation))
    undone = [operation.undone_by for operation in store.operations(scope, adding)]
    return replace(
        added,
        hidden=len(gone),
        undone_by=_once(by for by in undone if by),
    )


def together(parts: Sequence[Added]) -> Added:
    """Return what became of several parts of one call."""
    return Added(
        ids=tuple(id_ for part in parts for id_ in part.ids),
        new=sum(part.new for part in parts),
        operation=next((part.operation for part in parts if part.operation), None),
        hidden=sum(part.hidden for part in parts),
        undone_by=_once(by for part in parts for by in part.undone_by),
    )


def _once(ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(ids))
