"""What in a shared space is somebody's own, to change and to take back."""

from __future__ import annotations

from collections.abc import Sequence

from lamina.errors import BadInput, NotFound
from lamina.memory.edit import find
from lamina.memory.write import identifier
from lamina.model import Message, Note, Scope
from lamina.ports import SAYING, Operation, Store
from lamina.work.engine import Engine

EDITING = ("update", "delete", "rollback")
"""Kinds of operations that name in their cause who wanted them."""


def check_own(engine: Engine, scope: Scope, principal: str, id_: str) -> None:
    """See that a message is by `principal`, or that a note rests on such messages alone.

    Raises:
        NotFound: There is no such thing here.
        BadInput: It is another's, or in part.
    """
    if not _is_own(engine.store, scope, principal, find(engine, scope, id_)):
        raise BadInput(f"{id_!r} is not by {principal} alone; only its own can it change")


def check_operation(engine: Engine, scope: Scope, principal: str, id_: str) -> None:
    """See that all an operation wrote and put out of force is `principal`'s own.

    Raises:
        NotFound: There is no such operation here.
        BadInput: It is another's, or in part.
    """
    found = engine.store.operations(scope, [identifier(id_)])
    if not found:
        raise NotFound(f"no operation here has the id {id_!r}; the log shows what there is")
    if not _may_undo(engine.store, scope, principal, found[0]):
        raise BadInput(
            f"the operation {id_!r} is not {principal}'s alone; only its own can it undo"
        )


def _may_undo(store: Store, scope: Scope, principal: str, operation: Operation) -> bool:
    if operation.kind in SAYING:
        return _are_by(store, scope, principal, store.added_by(scope, operation.id))
    if operation.kind in EDITING and operation.cause == principal:
        return True
    if store.gone_by(scope, operation.id):
        return False
    written = store.written_by(scope, operation.id)
    return bool(written) and all(_is_own(store, scope, principal, note) for note in written)


def _is_own(store: Store, scope: Scope, principal: str, found: Message | Note) -> bool:
    if isinstance(found, Message):
        return found.author == principal
    return _are_by(store, scope, principal, found.sources)


def _are_by(store: Store, scope: Scope, principal: str, ids: Sequence[str]) -> bool:
    """Whether there are live messages among these, and all of those are by `principal`."""
    found = store.messages(scope, ids)
    return bool(found) and all(message.author == principal for message in found)
