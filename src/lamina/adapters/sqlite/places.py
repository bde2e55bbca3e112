"""Where the messages and notes are that writings name, looked up once for all of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from lamina.adapters.sqlite.queries import load
from lamina.adapters.sqlite.rows import ids_as_json
from lamina.errors import NotFound
from lamina.ports import Writing

SQL = load("notes")


class MessagePlace(NamedTuple):
    """Where a message is."""

    position: int
    withdrawn: bool


class NotePlace(NamedTuple):
    """Where a note is."""

    number: int
    latest: int
    """The number of its last revision that counts; 0 if none does."""
    last: int
    """The number of its last revision; 0 if none is written yet."""
    withdrawn: bool


@dataclass
class Places:
    """What is known of a scope's messages and notes, inside a transaction."""

    tx: sqlite3.Connection
    scope: int
    messages: dict[str, MessagePlace] = field(default_factory=dict)
    notes: dict[str, NotePlace] = field(default_factory=dict)
    _last_note: int | None = None

    def look_up(self, writings: Sequence[Writing]) -> None:
        """Find where every message and note is that some writings name."""
        named = set().union(*map(_named, writings))
        asked = (self.scope, ids_as_json(named))
        for id_, position, gone in self.tx.execute(SQL["message_places"], asked):
            self.messages[id_] = MessagePlace(position, bool(gone))
        for id_, number, *revisions, gone in self.tx.execute(SQL["note_places"], asked):
            self.notes[id_] = NotePlace(number, revisions[0], revisions[1], bool(gone))

    def next_note(self) -> int:
        """Return the number of a note that is added now."""
        if self._last_note is None:
            (self._last_note,) = self.tx.execute(SQL["last_note"], (self.scope,)).fetchone()
        self._last_note = (self._last_note or 0) + 1
        return self._last_note

    def message(self, id_: str) -> MessagePlace:
        """Return the place of a message. Raises `NotFound`."""
        if id_ not in self.messages:
            raise NotFound(f"no message {id_!r} here")
        return self.messages[id_]

    def note(self, id_: str) -> NotePlace:
        """Return the place of a note. Raises `NotFound`."""
        if id_ not in self.notes:
            raise NotFound(f"no note {id_!r} here")
        return self.notes[id_]


def _named(writing: Writing) -> set[str]:
    """Return every id of a message or note that a writing names."""
    named = {*writing.progress, *writing.consolidated, *(gone.id for gone in writing.gone)}
    for note in writing.notes:
        named.update((note.id, *note.sources, *note.parents))
        named.update(id_ for id_ in (note.event, note.superseded_by) if id_ is not None)
    for document in writing.documents:
        named.add(document.ref)
        named.update(() if document.previous is None else (document.previous,))
    for link in writing.links:
        named.update((link.source, link.target))
    return named
