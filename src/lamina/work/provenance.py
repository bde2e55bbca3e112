"""Whose words a note may hold: those of all that it was ever formed from, found through the log."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Protocol

from lamina.model import At, Message, Note, Revision, Scope

DEEPEST = 6
"""Notes of notes that are looked through; what lies deeper counts as anybody's."""
ANYBODY = ""
"""Stands for users who are not known."""


class Told(Protocol):
    """What is read of a store."""

    def recorded(self, scope: Scope, ids: Sequence[str]) -> list[Message]:
        """See `Store.recorded`."""
        ...

    def history(self, scope: Scope, note_id: str) -> list[Revision]:
        """See `Store.history`."""
        ...

    def notes(self, scope: Scope, ids: Sequence[str], *, at: At | None = None) -> list[Note]:
        """See `Store.notes`."""
        ...


class Provenance:
    """Shows notes to one user as far as what they were formed from may serve them."""

    def __init__(self, store: Told, scope: Scope, may: Callable[[str], bool], fewest: int) -> None:
        """Look through what a store holds.

        Args:
            store: Where the notes are.
            scope: The recommender.
            may: Whether the words of a user may be shown, by id.
            fewest: How many users make a note one of many, which may be shown whoever they are.
        """
        self._store, self._scope = store, scope
        self._may, self._fewest = may, fewest
        self._history: dict[str, list[Revision]] = {}
        self._users: dict[str, str | None] = {}
        """By message: who did it; `None` for what nobody did."""

    def shown(self, notes: Iterable[Note]) -> list[Note]:
        """Return notes as their last revision says that may be shown; others are left out."""
        return [shown for note in notes if (shown := self._shown(note))]

    def _shown(self, note: Note) -> Note | None:
        users: set[str] = set()
        allowed: Revision | None = None
        for revision in self._counting(note.id):
            if revision.number > note.revision:
                break
            users |= self._behind(revision, DEEPEST)
            if all(map(self._may, users)) or len(users) >= self._fewest:
                allowed = revision
        if allowed is None:
            return None
        return note if allowed.number == note.revision else _as_told(note, allowed)

    def _behind(self, revision: Revision, depth: int) -> set[str]:
        """Return the users whose words a revision may hold, besides those of the one before it."""
        self._look_up(revision.sources)
        users = {user for id_ in revision.sources if (user := self._users.get(id_)) is not None}
        for parent in revision.parents:
            if parent == revision.note:
                continue
            if depth == 0:
                return users | {ANYBODY}
            for each in self._counting(parent):
                if each.recorded_at <= revision.recorded_at:
                    users |= self._behind(each, depth - 1)
        return users

    def _counting(self, id_: str) -> list[Revision]:
        if id_ not in self._history:
            told = self._store.history(self._scope, id_)
            self._history[id_] = [each for each in told if not each.withdrawn]
        return self._history[id_]

    def _look_up(self, ids: Sequence[str]) -> None:
        lacking = [id_ for id_ in ids if id_ not in self._users]
        if lacking:
            found = {m.id: m for m in self._store.recorded(self._scope, lacking)}
            for id_ in lacking:
                said = found.get(id_)
                done = said is not None and said.author is not None
                self._users[id_] = said.speaker if said and done else None


def _as_told(note: Note, revision: Revision) -> Note:
    """Return a note as one of its earlier revisions said."""
    return replace(
        note,
        text=revision.text,
        keywords=revision.keywords,
        tags=revision.tags,
        context=revision.context,
        sources=revision.sources,
        parents=revision.parents,
        known_at=revision.known_at,
        revision=revision.number,
        operation=revision.operation,
        sureness=revision.sureness,
        narrower=revision.narrower,
    )
