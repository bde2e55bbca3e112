"""Erasing one person's part in a shared scope: see `Erasure.forget_part`."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from lamina.adapters.sqlite import in_force
from lamina.adapters.sqlite.queries import load
from lamina.adapters.sqlite.words import pack

SQL = load("erasure")
Numbers = set[int]


@dataclass
class Parting:
    """Erases inside a transaction."""

    tx: sqlite3.Connection
    scope: int

    def erase(self, whose: str, name: str) -> tuple[int, int, int]:
        """Erase the messages that the query `whose` finds by `name`, and all that rests on them.

        Returns:
            How many messages, notes and documents went.
        """
        self.tx.execute("PRAGMA defer_foreign_keys = ON")
        messages = _numbers(self.tx.execute(SQL[whose], (self.scope, pack(name))))
        notes = self._resting_on(messages)
        left = in_force.Touched(self._found("followers", messages) - messages)
        documents = self._erase_documents(messages, notes)
        left.notes = self._found("unmark_twins", notes) - notes
        self._do("reopen", "unmark_notes", "restore_places", "erase_links", "erase_formed",
                 "erase_parents", "erase_sources", "erase_revisions", "erase_notes",
                 of=notes)  # fmt: skip
        self._do("unmark_messages", "erase_messages", of=messages)
        self._erase_operations()
        self._erase_names()
        for query in ("drop_replies", "drop_lease", "silence"):
            self.tx.execute(SQL[query], (self.scope,))
        in_force.settle(self.tx, self.scope, left)
        return len(messages), len(notes), documents

    def _resting_on(self, messages: Numbers) -> Numbers:
        """Return the notes that rest on some messages, or say what they say because of one.

        A note that another one took the place of does not: it stays, as if it had not been so.
        """
        notes, new = Numbers(), self._found("resting", messages)
        while new:
            notes |= new
            new = self._found("formed", new) - notes
        return notes

    def _erase_documents(self, messages: Numbers, notes: Numbers) -> int:
        documents = self._found("shown_words", messages) | self._found("shown_notes", notes)
        self._do("erase_postings", "erase_vectors", "erase_documents", of=documents)
        return len(documents)

    def _erase_operations(self) -> None:
        """Erase the operations that nothing is left of; what undid only them is left with nothing.

        What one was about may be told by its cause.
        """
        while empty := _numbers(self.tx.execute(SQL["empty_operations"], (self.scope,))):
            self._do(
                "unmark_operations", "drop_causes", "blank_costs", "erase_operations", of=empty
            )

    def _erase_names(self) -> None:
        """Erase the names of sessions and speakers that nobody uses any more."""
        sessions = _numbers(self.tx.execute(SQL["unused_sessions"], (self.scope,)))
        self._do("drop_work", "erase_sessions", of=sessions)
        speakers = _numbers(self.tx.execute(SQL["unused_participants"], (self.scope,)))
        self._do("erase_participants", of=speakers)
        close_gaps(self.tx, self.scope)

    def _do(self, *queries: str, of: Numbers) -> None:
        for query in queries:
            self.tx.execute(SQL[query], (self.scope, json.dumps(sorted(of))))

    def _found(self, query: str, of: Numbers) -> Numbers:
        return _numbers(self.tx.execute(SQL[query], (self.scope, json.dumps(sorted(of)))))


def close_gaps(tx: sqlite3.Connection, scope: int) -> int:
    """Number sessions and speakers 1, 2, ..., as whoever reads counts on; return how many moved."""
    tx.execute("PRAGMA defer_foreign_keys = ON")
    moved = 0
    for places, *moves in (
        ("session_places", "move_session", "move_words"),
        ("participant_places", "move_participant", "move_speech"),
    ):
        gaps = [(new, old) for new, old in tx.execute(SQL[places], (scope,)) if new != old]
        for new, old in gaps:
            for move in moves:
                tx.execute(SQL[move], (new, scope, old))
        moved += len(gaps)
    return moved


def _numbers(rows: Iterable[tuple[int]]) -> Numbers:
    return {number for (number,) in rows}
