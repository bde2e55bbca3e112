"""Erasing one person's part from a state that is still one's own."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import datetime

from lamina.adapters.in_memory.cutting import Place, cut, retold, take_in_again, write_again
from lamina.adapters.in_memory.indexing import Index
from lamina.adapters.in_memory.state import State, recorded
from lamina.identity import digest
from lamina.model import Gone, Link, Note, Scope
from lamina.ports import Operation

Ids = AbstractSet[str]


@dataclass
class Parting:
    """Erases from `state`; nothing is left that tells what went or of whom it was."""

    state: State
    index: Index

    def erase(self, scope: Scope, messages: Ids, now: datetime) -> None:
        """Erase messages, every note that rests on one, and whatever shows or names either."""
        places = self._places(scope, messages)
        notes = {id_ for id_, number in places if number == 1}
        erased = [self.state.revisions[place] for place in places]
        self._form_anew(erased)
        self._erase_documents(messages, places)
        self._erase_links(scope, messages, erased, notes)
        self._erase_notes(places, notes)
        self._erase_messages(messages)
        self._erase_marks(messages, places)
        if scope.kind == "recommender":
            write_again(self.state, [note for note in erased if note.id in notes])
        if scope.kind == "pool":
            take_in_again(self.state, erased)
        self._erase_operations()
        self._erase_names()
        self.state.replies = {}
        self.state.lease = None
        self.state.epoch += 1
        self._log(scope, now)

    def _places(self, scope: Scope, messages: Ids) -> set[Place]:
        """Return the revisions that go: some of a note's in a recommender or pool, else all."""
        if scope.kind == "recommender":
            return cut(self.state, messages)
        if scope.kind == "pool":
            return self._taken_back(messages)
        notes = self._resting_on(messages)
        return {place for place in self.state.revisions if place[0] in notes}

    def _taken_back(self, messages: Ids) -> set[Place]:
        """Return the revisions that took in parts that go, and those that may repeat such a one."""
        first = retold(self.state, messages)
        return {
            place
            for place, note in self.state.revisions.items()
            if messages & {*note.sources, note.event}
            or (note.id in first and note.revision > first[note.id].revision)
        }

    def _resting_on(self, messages: Ids) -> set[str]:
        """Return the notes that rest on some messages, or say what they say because of such a note.

        A note that another one took the place of does not: it stays, as if it had not been so.
        """
        revisions = self.state.revisions.values()
        found: set[str] = set()
        new = {n.id for n in revisions if messages & {*n.sources, n.event}}
        while new:
            found |= new
            formed = {n.id for n in revisions if new & set(n.parents) and self._says_other(n)}
            new = formed - found
        return found

    def _says_other(self, note: Note) -> bool:
        """Whether a revision says other words than the one before it, if there is one."""
        before = self.state.revisions.get((note.id, note.revision - 1))
        return before is None or before.text != note.text

    def _form_anew(self, erased: list[Note]) -> None:
        """Let what erased notes stood for be formed again.

        What was withdrawn by the writing that made an erased note of it counts again; the messages
        that such a writing consolidated are back in the buffer.
        """
        state = self.state
        twins = {(note.operation, parent) for note in erased for parent in note.parents}
        marks = [m for m in state.gone if m[0].what != "note" or (m[1], m[0].id) not in twins]
        state.gone = dict.fromkeys(marks)
        writers = {note.operation for note in erased}
        state.consolidated = {m: by for m, by in state.consolidated.items() if by not in writers}

    def _erase_documents(self, messages: Ids, places: AbstractSet[Place]) -> None:
        left = {place: id_ for place, id_ in self.state.shown.items() if place not in places}
        shown = {id_ for place, id_ in self.state.shown.items() if place in places}
        shown -= set(left.values())
        for id_, document in self.state.documents.items():
            if document.view != "note" and messages & {document.ref, document.previous}:
                shown.add(id_)
        self.index.drop(shown)
        self.state.shown = left
        first: dict[int, int] = {}
        for (_, number), id_ in left.items():
            first[id_] = min(number, first.get(id_, number))
        for id_, number in first.items():
            self.state.documents[id_] = replace(self.state.documents[id_], revision=number)

    def _erase_links(self, scope: Scope, messages: Ids, erased: Sequence[Note], notes: Ids) -> None:
        """Erase the links of what goes whole, and those that may tell of what else goes."""
        wrote = {(note.operation, note.id) for note in erased}
        writers = {note.operation for note in erased if note.revision == 1}
        left = [
            (link, by)
            for link, by in self.state.links
            if not notes & {link.source, link.target}
            and (by, link.source) not in wrote
            and (by not in writers or scope.kind != "recommender")
        ]
        if scope.kind == "pool":
            left = self._untold(left, messages)
        self.state.links = dict.fromkeys(left)

    def _untold(self, links: Sequence[tuple[Link, str]], messages: Ids) -> list[tuple[Link, str]]:
        """Return the links that cannot tell of a part that goes: made before, by others' parts."""
        operations = self.state.operations
        revisions = self.state.revisions.values()
        takers = {n.operation for n in revisions if messages & {*n.sources, n.event}}
        first = retold(self.state, messages)
        since = {id_: operations[note.operation].number for id_, note in first.items()}
        return [
            (link, by)
            for link, by in links
            if by not in takers
            and all(
                id_ not in since or operations[by].number < since[id_]
                for id_ in (link.source, link.target)
            )
        ]

    def _erase_notes(self, places: AbstractSet[Place], notes: Ids) -> None:
        left: dict[Place, Note] = {}
        for place, note in self.state.revisions.items():
            if place not in places:
                left[place] = _without(note, left.get((note.id, note.revision - 1)), notes)
        self.state.revisions = left

    def _erase_messages(self, messages: Ids) -> None:
        state = self.state
        state.messages = {id_: m for id_, m in state.messages.items() if id_ not in messages}
        state.consolidated = {
            id_: by for id_, by in state.consolidated.items() if id_ not in messages
        }

    def _erase_marks(self, messages: Ids, places: AbstractSet[Place]) -> None:
        marks = [mark for mark in self.state.gone if not _is_on(mark[0], messages, places)]
        self.state.gone = dict.fromkeys(marks)

    def _erase_operations(self) -> None:
        """Erase the operations that nothing is left of; what undid only them is left with nothing.

        What one was about may be told by its cause.
        """
        state = self.state
        while empty := state.operations.keys() - self._acting():
            state.operations = {i: o for i, o in state.operations.items() if i not in empty}
            marks = [m for m in state.gone if m[0].what != "operation" or m[0].id not in empty]
            state.gone = dict.fromkeys(marks)
            state.jobs = {
                place: job
                for place, job in state.jobs.items()
                if place[0] != "supersede" or place[1] not in empty
            }
            state.calls = tuple(
                replace(call, operation="") if call.operation in empty else call
                for call in state.calls
            )

    def _acting(self) -> set[str | None]:
        """Return the operations of which something is left."""
        state = self.state
        return {
            *(note.operation for note in state.revisions.values()),
            *(message.operation for message in state.messages.values()),
            *(by for _, by in state.gone),
            *(by for _, by in state.links),
            *state.consolidated.values(),
            *(o.id for o in state.operations.values() if o.kind == "erasure"),
        }

    def _erase_names(self) -> None:
        """Erase the sessions that nobody spoke in, their work, and errors that may tell of any."""
        state = self.state
        left = {message.session for message in state.messages.values()}
        erased = state.closed.keys() - left
        state.closed = {name: closed for name, closed in state.closed.items() if name in left}
        state.jobs = {
            place: replace(job, error=None)
            for place, job in state.jobs.items()
            if place[0] not in ("index", "bind", "consolidate") or place[1] not in erased
        }

    def _log(self, scope: Scope, now: datetime) -> None:
        name = digest("erased", scope.tenant, scope.kind, scope.id)
        id_ = f"erasure-{name}-{self.state.epoch}"
        operation = Operation(id=id_, kind="erasure", known_at=now, recorded_at=now)
        self.state.operations[id_] = recorded(operation, self.state.next_number)


def _without(note: Note, before: Note | None, notes: Ids) -> Note:
    """Return a revision that names none of `notes`.

    One that said that one of them took its place ends when the one `before` it does.
    """
    parents = tuple(parent for parent in note.parents if parent not in notes)
    if note.superseded_by not in notes:
        return replace(note, parents=parents)
    ends = before.invalid_at if before else None
    return replace(note, parents=parents, superseded_by=None, invalid_at=ends)


def _is_on(gone: Gone, messages: Ids, places: AbstractSet[Place]) -> bool:
    if gone.what == "operation":
        return False
    if gone.what in ("note", "revision"):
        return (gone.id, gone.revision or 1) in places
    return gone.id in messages
