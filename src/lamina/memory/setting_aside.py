"""Quarantine: something is set aside with what rests on it, kept but not retrievable, and released.

A quarantined message takes with it every note that rests on it, and a note what was formed from
it: what one does not want to be told must not be told by its summary. It is hidden at every
`as_of`, unlike what is deleted.
"""

from __future__ import annotations

from lamina.errors import BadInput, NotFound
from lamina.memory import edit, rollback
from lamina.memory.write import identifier
from lamina.model import Matter, Scope
from lamina.ports import Operation
from lamina.work.engine import Engine

LONGEST_REASON = 1000
"""Characters."""


def quarantine(engine: Engine, scope: Scope, id_: str, reason: str = "") -> Operation:
    """Set a note or message aside with what rests on it; see `Handle.quarantine`.

    Raises:
        NotFound: There is no such thing here.
        BadInput: The reason is no text, or too long.
        Conflict: Others kept changing what is to go.
    """
    if not isinstance(reason, str) or len(reason) > LONGEST_REASON:
        raise BadInput(f"the reason must be a text of at most {LONGEST_REASON} characters")
    cause = reason.strip() or edit.PERSON
    return edit.withdraw(engine, scope, id_, kind="quarantine", cause=cause, always=True)


def release(engine: Engine, scope: Scope, id_: str) -> Operation:
    """Take back the quarantine of a note or message; see `Handle.release`.

    Raises:
        NotFound: It is not quarantined, or only with something else that is.
        Conflict: Others kept changing what it is about.
    """
    return rollback.rollback(engine, scope, _quarantine_of(engine, scope, id_).id).operation


def _quarantine_of(engine: Engine, scope: Scope, id_: str) -> Operation:
    """Return the operation that set something aside, if it still does."""
    id_ = identifier(id_)
    matters: tuple[Matter, ...] = ("message", "note")
    marking = [by for what in matters for _, by in engine.store.marks_on(scope, what, [id_])]
    for operation in engine.store.operations(scope, marking):
        if operation.kind == "quarantine" and operation.undone_by is None:
            return operation
    raise NotFound(
        f"{id_!r} is not quarantined here; where it went with what it rests on, release that"
    )
