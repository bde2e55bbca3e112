"""What is formed anew since a person changed something is known since then, not before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from lamina.model import Scope
from lamina.ports import Store

CHANGING = ("update", "delete")
"""Kinds of operation before which what they change still shows; what is rolled back never did."""
LOG_READ = 100
"""How many of them are looked at, the latest first."""


def changes_behind(store: Store, scope: Scope, ids: Iterable[str]) -> Iterator[datetime]:
    """Yield when the edits and deletions were known that put some of these out of force.

    Args:
        store: Where it is kept.
        scope: Whose.
        ids: Of messages that are in the buffer, or notes that are compared with others.
    """
    asked = set(ids)
    for operation in store.list_operations(scope, kinds=CHANGING, limit=LOG_READ):
        if operation.undone_by is None:
            marks = store.gone_by(scope, operation.id)
            if any(mark.id in asked for mark in marks):
                yield operation.known_at
