"""Reads through the views `spoken`, `remembered` and `linked`: as of now, or as of a moment.

For a moment, a query is read with other views of these names, which show what there was then.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from typing import Any

from lamina.adapters.sqlite import scopes
from lamina.adapters.sqlite.in_force import MATTERS
from lamina.adapters.sqlite.indexing import FOREVER
from lamina.adapters.sqlite.queries import load
from lamina.adapters.sqlite.rows import Row
from lamina.model import At, Matter
from lamina.times import to_micros

SQL = load("views")
VIEWS = ("spoken", "remembered", "linked")


def select(
    tx: sqlite3.Connection, query: str, scope: scopes.ScopeRow | None, at: At | None, **given: Any
) -> list[Row]:
    """Return what a query finds in a scope, now or at a moment; nothing in an unknown scope."""
    if scope is None:
        return []
    given["scope"] = scope.key
    if at is None or at == At():
        return tx.execute(query, given).fetchall()
    moment = "as_of" if at.recorded_as_of is None else "recorded"
    given["as_of"] = FOREVER if at.as_of is None else to_micros(at.as_of)
    if at.recorded_as_of is not None:
        given |= _recorded(tx, scope.key, given["as_of"], to_micros(at.recorded_as_of))
    return tx.execute(seen_from(query, moment), given).fetchall()


@cache
def seen_from(query: str, moment: str) -> str:
    """Return a query on what its views show at a moment: `as_of`, or of what was `recorded`."""
    views = [
        f"{view} AS NOT MATERIALIZED ({SQL[f'{view}_{moment}']})"
        for view in VIEWS
        if f" {view}" in query
    ]
    return f"WITH {', '.join(views)} {query}"


def _recorded(
    tx: sqlite3.Connection, scope: int, as_of: int, recorded_as_of: int
) -> dict[str, Any]:
    """Work out what was out of force, of what had been recorded by then."""
    marks: Sequence[Row] = tx.execute(SQL["marks"], (scope, recorded_as_of)).fetchall()
    undone: set[int] = set()
    gone: dict[Matter, set[Any]] = defaultdict(set)
    for operation, what, subject, revision, always, known_at in marks:
        if operation in undone:  # by a later one, whose marks came before these
            continue
        if MATTERS[what] == "operation":
            undone.add(subject)
        elif always or known_at < as_of:
            gone[MATTERS[what]].add((subject, revision) if revision else subject)
    return {
        "recorded_as_of": recorded_as_of,
        "undone": json.dumps(list(undone)),
        "messages": json.dumps(list(gone["message"])),
        "notes": json.dumps(list(gone["note"])),
        "revisions": json.dumps(list(gone["revision"])),
    }
