"""What is out of force: what `gone` says is kept beside each row, so that reads need not ask.

An operation's mark counts unless the operation is undone. Where a mark came, or came to count or
not to, all that it touches is worked out anew from what is stored: so undoing needs no memory of
what was before.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, get_args

from lamina.adapters.sqlite.queries import load
from lamina.adapters.sqlite.rows import Row
from lamina.model import Gone, Matter

SQL = load("gone")
MATTERS: tuple[Matter, ...] = get_args(Matter)


class Mark(NamedTuple):
    """A `Gone` in numbers."""

    what: Matter
    subject: int
    """The position of a message, or the number of a note or operation."""
    revision: int
    always: bool


def mark(row: Row) -> tuple[Gone, str]:
    """Return a mark as it is told, and the id of the operation that made it."""
    what, id_, revision, always, operation = row
    return Gone(what=MATTERS[what], id=id_, revision=revision, always=bool(always)), operation


@dataclass
class Touched:
    """What is to be worked out anew."""

    messages: set[int] = field(default_factory=set)
    """By position."""
    notes: set[int] = field(default_factory=set)
    """By number."""
    operations: set[int] = field(default_factory=set)
    """By number: those that may be undone, or not be any more."""

    def add(self, mark: Mark) -> None:
        """Add what a mark is on."""
        kinds = {"message": self.messages, "consolidation": self.messages,
                 "operation": self.operations}  # fmt: skip
        kinds.get(mark.what, self.notes).add(mark.subject)


def write(tx: sqlite3.Connection, scope: int, operation: int, marks: Sequence[Mark]) -> None:
    """Write the marks of an operation."""
    rows = [
        {"scope": scope, "operation": operation, **mark._asdict(),
         "what": MATTERS.index(mark.what)}
        for mark in marks
    ]  # fmt: skip
    tx.executemany(SQL["add_gone"], rows)


def marks_of(tx: sqlite3.Connection, scope: int, operations: Iterable[int]) -> list[Mark]:
    """Return what some operations put out of force, as they said so."""
    found = tx.execute(SQL["marks_of"], (scope, json.dumps(list(operations))))
    return [
        Mark(MATTERS[what], subject, revision, bool(always))
        for what, subject, revision, always in found
    ]


def settle(tx: sqlite3.Connection, scope: int, touched: Touched) -> None:
    """Work out what is live of all that is touched, and of what hangs on it."""
    turned = _turned(tx, scope, touched.operations)
    if turned:
        _spread(tx, scope, turned, touched)
    if touched.messages:
        _settle_messages(tx, scope, touched.messages)
    if touched.notes:
        notes = json.dumps(list(touched.notes))
        for query in ("settle_revisions", "settle_notes", "settle_as_latest"):
            tx.execute(SQL[query], (scope, notes))
        settle_note_documents(tx, scope, touched.notes)


def settle_note_documents(tx: sqlite3.Connection, scope: int, notes: Iterable[int]) -> None:
    """Let of some notes just the document of the latest revision be found."""
    tx.execute(SQL["settle_note_documents"], (scope, json.dumps(list(notes))))


def settle_exchanges(tx: sqlite3.Connection, scope: int, messages: Iterable[int]) -> None:
    """Let of some messages just the exchange with the last live message before be found."""
    tx.execute(SQL["settle_exchanges"], (scope, json.dumps(list(messages))))


def _turned(tx: sqlite3.Connection, scope: int, operations: Iterable[int]) -> set[int]:
    """Work out which operations are undone; return those of which it is not as it was.

    An operation only undoes what was recorded before it: so the last is settled first.
    """
    turned: set[int] = set()
    waiting = set(operations)
    while waiting:
        number = max(waiting)
        waiting.remove(number)
        (undone_by,) = tx.execute(SQL["undone_by"], (scope, number)).fetchone()
        (before,) = tx.execute(SQL["undone_now"], (scope, number)).fetchone()
        if undone_by == before:
            continue
        tx.execute(SQL["set_undone"], (undone_by, scope, number))
        turned.add(number)
        marks = marks_of(tx, scope, [number])
        waiting.update(mark.subject for mark in marks if mark.what == "operation")
    return turned


def _spread(tx: sqlite3.Connection, scope: int, turned: set[int], touched: Touched) -> None:
    """Add what some operations wrote and what they put out of force."""
    given = (scope, json.dumps(list(turned)))
    touched.messages.update(row[0] for row in tx.execute(SQL["messages_added_by"], given))
    touched.notes.update(row[0] for row in tx.execute(SQL["notes_written_by"], given))
    for mark in marks_of(tx, scope, turned):
        touched.add(mark)


def _settle_messages(tx: sqlite3.Connection, scope: int, messages: set[int]) -> None:
    given = (scope, json.dumps(list(messages)))
    tx.execute(SQL["settle_messages"], given)
    tx.execute(SQL["settle_turns"], given)
    after = {row[0] for row in tx.execute(SQL["shown_after"], given)}
    settle_exchanges(tx, scope, messages | after)
    following = {row[0] for row in tx.execute(SQL["next_live"], given)} - {None}
    tx.execute(SQL["settle_due"], (scope, json.dumps(list(messages | following))))
