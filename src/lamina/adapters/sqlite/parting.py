"""Erasing one person's part in a shared scope: see `Erasure.forget_part`."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from lamina.adapters.sqlite import in_force
from lamina.adapters.sqlite.queries import load
from lamina.adapters.sqlite.words import pack
from lamina.model import ScopeKind

SQL = load("erasure")
LAST = 2**63 - 1
"""A number above that of every revision."""
Numbers = set[int]
First = dict[int, int]
"""By the number of a note: the first of its revisions that is meant."""


class Span(NamedTuple):
    """Revisions of a note, by their numbers."""

    note: int
    first: int
    last: int = LAST


@dataclass
class Parting:
    """Erases inside a transaction."""

    tx: sqlite3.Connection
    scope: int

    def erase(self, whose: str, name: str, kind: ScopeKind) -> tuple[int, int, int]:
        """Erase the messages that the query `whose` finds by `name`, and all that rests on them.

        Args:
            whose: The query.
            name: Of whom.
            kind: Of the scope, which says what goes of the notes and what is to be done again.

        Returns:
            How many messages, notes and documents went.
        """
        self.tx.execute("PRAGMA defer_foreign_keys = ON")
        messages = _numbers(self.tx.execute(SQL[whose], (self.scope, pack(name))))
        lost = self._lost(kind, messages)
        touched = {span.note for span in lost}
        notes = {span.note for span in lost if span.first == 1}
        left = in_force.Touched(self._found("followers", messages) - messages)
        left.notes = (self._found("unmark_twins", lost) | touched) - notes
        items = Numbers()
        if kind == "recommender":
            items = self._found("items_of", notes)
            self._do("wake_events", "erase_ties_beside", of=notes)
        if kind == "pool":
            self._do("erase_ties_by", of=messages)
            self._do("erase_ties_since", of=[span for span in lost if span.last == LAST])
            self._do("wake_parts", of=lost)
        self._do("reopen", "unmark_revisions", "erase_ties", of=lost)
        self._do("unmark_notes", "restore_places", "erase_links", "erase_formed", of=notes)
        self._do("erase_parents", "erase_sources", "erase_revisions", of=lost)
        documents = self._erase_documents(messages, touched)
        self._do("erase_notes", of=notes)
        self._do("cut_back", "show_first", of=touched - notes)
        self._do("unmark_messages", "erase_interactions", "erase_messages", of=messages)
        self._erase_operations()
        for query in ("drop_replies", "drop_lease", "silence"):
            self.tx.execute(SQL[query], (self.scope,))
        in_force.settle(self.tx, self.scope, left)
        self._do("wake_items", of=items)
        self._erase_names()
        return len(messages), len(notes), documents

    def _lost(self, kind: ScopeKind, messages: Numbers) -> list[Span]:
        """Return what revisions go with some messages."""
        if kind == "pool":
            return self._taking_in(messages)
        if kind == "recommender":
            return [Span(*each) for each in sorted(self._telling(messages).items())]
        return [Span(note, 1) for note in sorted(self._resting_on(messages))]

    def _taking_in(self, messages: Numbers) -> list[Span]:
        """Return the revisions that take in some messages, and what came after one's new words."""
        spans: list[Span] = []
        cut = Numbers()
        given = (self.scope, _listed(messages))
        for note, number, says_other in self.tx.execute(SQL["taking_in"], given):
            if note not in cut:
                spans.append(Span(note, number, LAST if says_other else number))
                cut |= {note} if says_other else set()
        return spans

    def _telling(self, messages: Numbers) -> First:
        """Return the first revision of each note that tells of some messages.

        It rests on one, or was formed from a note that goes whole, or from one that told of it by
        then, or is what the writing of a note that goes changed in another one. What came after it
        may repeat it.
        """
        given = (self.scope, json.dumps(sorted(messages)))
        first: First = dict(self.tx.execute(SQL["first_telling"], given).fetchall())
        waiting = list(first)
        while waiting:
            note = waiting.pop()
            for other, number in self._formed_after(note, first[note]):
                if number < first.get(other, LAST):
                    first[other] = number
                    waiting.append(other)
        return first

    def _formed_after(self, note: int, number: int) -> list[tuple[int, int]]:
        """Return the first revision of each note that tells of one from that revision on."""
        (writer,) = self.tx.execute(SQL["writer"], (self.scope, note, number)).fetchone()
        after = writer if number > 1 else 0
        formed = self.tx.execute(SQL["telling_too"], (self.scope, note, after)).fetchall()
        if number > 1:
            return formed
        return [*formed, *self.tx.execute(SQL["changed_beside"], (self.scope, writer))]

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
        """Erase what shows some messages, and what showed revisions that some notes lost."""
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
        """Erase the names of sessions, speakers and items that nothing uses any more."""
        sessions = _numbers(self.tx.execute(SQL["unused_sessions"], (self.scope,)))
        self._do("drop_work", "erase_sessions", of=sessions)
        speakers = _numbers(self.tx.execute(SQL["unused_participants"], (self.scope,)))
        self._do("erase_participants", of=speakers)
        items = _numbers(self.tx.execute(SQL["unused_items"], (self.scope,)))
        self._do("erase_items", of=items)
        close_gaps(self.tx, self.scope)

    def _do(self, *queries: str, of: Collection[int] | Collection[Span]) -> None:
        for query in queries:
            self.tx.execute(SQL[query], (self.scope, _listed(of)))

    def _found(self, query: str, of: Collection[int] | Collection[Span]) -> Numbers:
        return _numbers(self.tx.execute(SQL[query], (self.scope, _listed(of))))


def close_gaps(tx: sqlite3.Connection, scope: int) -> int:
    """Number sessions, speakers and items 1, 2, ..., as readers count on; return how many moved.

    Sessions that began at once are told in the order of their numbers, which they keep. Of the
    others those with the last numbers fill the gaps: there may be many, and moving one looks
    through all that was said.
    """
    tx.execute("PRAGMA defer_foreign_keys = ON")
    moved = 0
    for numbers, closing, *moves in (
        ("session_numbers", _shifted, "move_session", "move_words"),
        ("participant_numbers", _filled, "move_participant", "move_speech"),
        ("item_numbers", _filled, "move_item", "move_deeds"),
    ):
        gaps = closing(_numbers(tx.execute(SQL[numbers], (scope,))))
        for new, old in gaps:
            for move in moves:
                tx.execute(SQL[move], (new, scope, old))
        moved += len(gaps)
    return moved


def _shifted(numbers: Numbers) -> list[tuple[int, int]]:
    """Return new and old numbers of those that are not 1, 2, ... in their order."""
    return [pair for pair in enumerate(sorted(numbers), 1) if pair[0] != pair[1]]


def _filled(numbers: Numbers) -> list[tuple[int, int]]:
    """Return new and old numbers of those that are above how many there are."""
    wanted = set(range(1, len(numbers) + 1))
    return list(zip(sorted(wanted - numbers), sorted(numbers - wanted), strict=True))


def _numbers(rows: Iterable[tuple[int]]) -> Numbers:
    return {number for (number,) in rows}


def _listed(of: Collection[int] | Collection[Span]) -> str:
    """Return numbers or spans as JSON."""
    return json.dumps(sorted(of))
