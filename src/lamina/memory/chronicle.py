"""What happened in a scope, read once: the revisions of notes, the log, and who hid what."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from lamina.errors import Conflict
from lamina.model import Matter, Note, Scope
from lamina.ports import Operation, Store

FORMING = ("consolidate", "sweep")
"""Kinds of operation that form summaries."""
AT_ONCE = 1000
"""Operations of the log that are read at once."""


class State(NamedTuple):
    """A revision, and whether it counts now."""

    note: Note
    counts: bool
    undone_by: str | None


class Chronicle:
    """The past of one scope, as it is when it is first asked for."""

    def __init__(self, store: Store, scope: Scope) -> None:
        """Read what is asked for from `store`, and keep it."""
        self.store = store
        self.scope = scope
        self._states: dict[str, dict[int, State]] = {}
        self._operations: dict[str, Operation] = {}
        self._marks: dict[tuple[Matter, str], dict[int, list[str]]] = {}
        """By what it is and its id, then by revision or 0: the operations with a mark on it."""

    def states(self, id_: str) -> dict[int, State]:
        """Return a note's revisions by number, whatever counts."""
        if id_ not in self._states:
            notes = self.store.revisions(self.scope, id_)
            told = self.store.history(self.scope, id_)
            self._states[id_] = {
                note.revision: State(note, not each.withdrawn, each.undone_by)
                # What is written between the two reads is in one alone; then all is read anew.
                for note, each in zip(notes, told, strict=False)
            }
            self.look_up(note.operation for note in notes)
        return self._states[id_]

    def counting(self, id_: str) -> dict[int, Note]:
        """Return the revisions of a note that count now, by number; none if it is hidden."""
        return {n: state.note for n, state in self.states(id_).items() if state.counts}

    def look_up(self, ids: Iterable[str]) -> None:
        """Read operations that will be asked for, at once."""
        unknown = [id_ for id_ in dict.fromkeys(ids) if id_ not in self._operations]
        found = self.store.operations(self.scope, unknown) if unknown else []
        self._operations.update((operation.id, operation) for operation in found)

    def operation(self, id_: str) -> Operation:
        """Return an operation that was there just now. Raises `Conflict` if it was erased since."""
        self.look_up([id_])
        if id_ not in self._operations:
            raise Conflict("this memory was erased meanwhile; nothing was written")
        return self._operations[id_]

    def number(self, id_: str) -> int:
        """Return the place of an operation in the log."""
        return self.operation(id_).number

    def look_up_marks(self, what: Matter, ids: Iterable[str]) -> None:
        """Read what was ever said of some things, at once, where it will be asked for."""
        unknown = [id_ for id_ in dict.fromkeys(ids) if (what, id_) not in self._marks]
        found = self.store.marks_on(self.scope, what, unknown) if unknown else []
        self._marks.update(((what, id_), {}) for id_ in unknown)
        for gone, by in found:
            self._marks[what, gone.id].setdefault(gone.revision, []).append(by)
        self.look_up(by for _, by in found)

    def hidden_by(self, what: Matter, id_: str, revision: int = 0) -> list[Operation]:
        """Return the operations with a mark on something, undone or not, as in the log."""
        self.look_up_marks(what, [id_])
        return [self.operation(by) for by in self._marks[what, id_].get(revision, ())]

    def live(self, ids: Iterable[str]) -> set[str]:
        """Return which of these messages are live."""
        asked = list(dict.fromkeys(ids))
        return {m.id for m in self.store.messages(self.scope, asked)} if asked else set()

    def taken_up_by(self, summary: Note) -> set[str]:
        """Return the messages that left the buffer when a revision of a summary was written.

        Of those that were consolidated again by what is undone now only its sources are known.
        """
        taken = set(self.store.consolidated_by(self.scope, summary.operation))
        return taken | self._taken_in_vain.intersection(summary.sources)

    def formed_after(self, operation: Operation) -> list[Operation]:
        """Return the later operations that formed summaries, latest first."""
        return [each for each in self._formings if each.number > operation.number]

    @cached_property
    def _formings(self) -> list[Operation]:
        return self._log(FORMING)

    @cached_property
    def _taken_in_vain(self) -> set[str]:
        """The messages that an undone operation consolidated last."""
        undone = [operation.id for operation in self._formings if operation.undone_by]
        return {id_ for each in undone for id_ in self.store.consolidated_by(self.scope, each)}

    def _log(self, kinds: tuple[str, ...]) -> list[Operation]:
        found: list[Operation] = []
        while True:
            part = self.store.list_operations(
                self.scope, kinds=kinds, limit=AT_ONCE, offset=len(found)
            )
            found += part
            if len(part) < AT_ONCE:
                self._operations.update((operation.id, operation) for operation in found)
                return found
