"""A store with something of everything, and the ways in which it can be damaged."""

import sqlite3
from dataclasses import replace
from pathlib import Path

from lamina.adapters.sqlite import SqliteStore
from lamina.model import Step
from lamina.testing.clock import NOON
from lamina.testing.factories import (
    SPACE,
    act,
    append,
    at,
    description,
    draft,
    exchange,
    gone,
    link,
    note,
    operation,
    say,
    scope,
    undo,
    write,
)

ALICE = scope("alice")

DAMAGES = {
    "DELETE FROM document WHERE view = 0 AND subject = 1": "messages without a turn: 1",
    "UPDATE document SET subject = 99 WHERE view = 2 AND hidden = 1": "documents of nothing: 1",
    "UPDATE document SET previous = 99 WHERE view = 1": "documents of nothing: 1",
    "UPDATE document SET hidden = 1 WHERE view = 0 AND subject = 1": (
        "documents shown although withdrawn or the reverse: 1"
    ),
    "UPDATE document SET hidden = NOT hidden WHERE view = 2 AND subject = 1": (
        "documents shown although withdrawn or the reverse: 2"
    ),
    "UPDATE message SET exchange_due = 0": "exchanges that nobody would make: 1",
    "UPDATE message SET exchange_due = 1 WHERE position = 8": (
        "messages that would be in no exchange or the reverse: 1"
    ),
    "UPDATE message SET exchange_due = 2 WHERE position = 1": (
        "messages that would be in no exchange or the reverse: 1"
    ),
    "INSERT INTO item VALUES (1, 2, 'x')": "items that nothing is about: 1",
    "UPDATE item SET number = 2; UPDATE interaction SET item = 2": (
        "names that are not numbered from one: 1"
    ),
    "UPDATE interaction SET item = 9 WHERE position = 8": (
        "a interaction names a item that is not there: 1"
    ),
    "INSERT INTO interaction VALUES (1, 99, 1, 'rate', 4.0)": (
        "a interaction names a message that is not there: 1"
    ),
    "UPDATE document SET subject = 1 WHERE view = 0 AND subject = 2": (
        "documents that show the same: 2"
    ),
    "UPDATE document SET revision = 2 WHERE view = 2 AND subject = 1 AND revision = 1": (
        "documents that differ from their revisions: 1"
    ),
    "UPDATE revision SET document = 1 WHERE note = 1 AND number = 1": (
        "revisions shown by another document: 1"
    ),
    "DELETE FROM posting WHERE document = 2 AND term = 'milk'": (
        "documents whose postings do not add up: 1"
    ),
    "UPDATE posting SET count = 9 WHERE document = 2 AND term = 'milk'": (
        "documents whose postings do not add up: 1"
    ),
    "INSERT INTO posting VALUES (1, 'x', 99, 1), (1, 'y', -9, 2)": (
        "postings without a document: 2"
    ),
    "DELETE FROM vector WHERE document = 2": "documents without a vector: 1",
    "INSERT INTO vector VALUES (1, 1, 99, zeroblob(32))": "vectors without a document: 1",
    "UPDATE vector SET value = zeroblob(4) WHERE document = 2": (
        "vectors of another dimension or space: 1"
    ),
    "UPDATE vector SET space = 7 WHERE document = 2": "vectors of another dimension or space: 1",
    "UPDATE note SET last = 9 WHERE number = 2": (
        "notes whose revisions do not follow each other: 1"
    ),
    "UPDATE note SET said_at = 1 WHERE number = 2": (
        "notes that differ from their latest revision: 1"
    ),
    "UPDATE note SET latest = 1 WHERE number = 1": (
        "notes that differ from their latest revision: 1"
    ),
    "UPDATE operation SET undone_by = NULL WHERE id = 'import1'": (
        "operations undone by none or the reverse: 1"
    ),
    "UPDATE operation SET undone_by = 2 WHERE id = 'op1'": (
        "operations undone by none or the reverse: 1"
    ),
    "UPDATE message SET gone_at = NULL, withdrawn_by = NULL WHERE gone_at IS NOT NULL": (
        "messages withdrawn by none or the reverse: 2"
    ),
    "UPDATE message SET withdrawn_by = 1 WHERE position = 1": (
        "messages withdrawn by none or the reverse: 1"
    ),
    "UPDATE message SET reopened = 0": "messages back in the buffer by none or the reverse: 1",
    "UPDATE revision SET gone_at = 0, withdrawn_by = 1 WHERE note = 1 AND number = 2": (
        "revisions withdrawn by none or the reverse: 1"
    ),
    "UPDATE note SET gone_at = 0, withdrawn_by = 1 WHERE number = 1": (
        "notes withdrawn by none or the reverse: 1"
    ),
    "INSERT INTO gone VALUES (1, 2, 99, 0, 99, 0, 1), (1, 2, 98, 3, 2, 0, 1)": (
        "marks on nothing: 2"
    ),
    "UPDATE revision SET superseded_by = 99 WHERE superseded_by IS NOT NULL": (
        "revisions superseded by nothing: 1"
    ),
    "UPDATE message SET operation = 99 WHERE position = 1": ("messages added by no operation: 1"),
    "UPDATE link SET operation = 99": "links of no operation: 1",
    "UPDATE source SET operation = 99 WHERE note = 2": "sources of no operation: 1",
    "UPDATE scope SET messages = 1": "scopes that would give a number twice: 1",
    "UPDATE scope SET documents = 1": "scopes that would give a number twice: 1",
    "UPDATE session SET number = 5 WHERE number = 2; UPDATE message SET session = 5 "
    "WHERE session = 2": "names that are not numbered from one: 1",
    "INSERT OR REPLACE INTO lease VALUES (1, 9, 'me', 0)": "leases newer than their scope: 1",
    "UPDATE source SET message = 99 WHERE note = 2": (
        "a source names a message that is not there: 1"
    ),
    "UPDATE link SET target = 99": "a link names a note that is not there: 1",
    "UPDATE parent SET parent = 99": "a parent names a note that is not there: 1",
    "INSERT INTO job (scope, kind, subject, due_at) VALUES (99, 'bind', 's', 0)": (
        "rows of job that belong to no scope: 1"
    ),
    "INSERT INTO lease VALUES (99, 1, 'me', 0)": "rows of lease that belong to no scope: 1",
}
"""What SQL does it, and what a check says of it."""


def filled(folder: Path) -> Path:
    """Return the path of a store in which messages and notes went through everything.

    Messages 1 and 2 of session s1 with their exchange; 3 to 5 of s2 without, the middle one
    withdrawn; 6 by an import that is undone; 7 says what an item is, and 8 rates it. Note 1 was
    revised to other words, and then to be superseded by note 2.
    """
    path = folder / "memory.db"
    store = SqliteStore(path)
    store.set_space(SPACE)
    one, two = say(store, ALICE, "tea", "milk", steps=())
    later = [draft(f"s2 {i}", session="s2", said_at=at(2 + i)) for i in range(3)]
    withdrawn = append(store, ALICE, later)[1].id
    lies = [draft("lies", speaker="eve", said_at=at(9))]
    append(store, ALICE, lies, operation=operation("import1", "import"))
    shown = exchange(*store.in_session(ALICE, "s1")[:2])
    first = note("n", "tea is had", event=one)
    write(store, ALICE, first, note("m", "milk is had", event=two), id_="op1",
          links=(link("n", "m"),), consolidated=(one, two),
          progress={one: "bound", two: "bound"})  # fmt: skip
    second = replace(first, text="tea is gone", revision=2)
    write(store, ALICE, second, id_="op2", minute=2)
    third = replace(second, revision=3, superseded_by="m", parents=("m",))
    write(store, ALICE, third, id_="op3", minute=3, documents=(shown,))
    write(store, ALICE, id_="op4", minute=4, gone=(
        *gone("message", withdrawn, always=False), *gone("consolidation", two)
    ))  # fmt: skip
    undo(store, ALICE, "import1", by="op5", minute=5)
    say(store, ALICE, description(), act(), steps=(Step(kind="write", subject=""),))
    store.enqueue(ALICE, [Step(kind="bind", subject="s1")], now=NOON)
    store.close()
    return path


def damage(path: Path, script: str) -> None:
    """Do to a file what no store would."""
    with sqlite3.connect(path) as connection:
        connection.executescript(script)
    connection.close()
