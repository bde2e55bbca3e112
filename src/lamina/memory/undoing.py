"""What it comes to if operations are undone, and operations that were undone count again."""

from __future__ import annotations

from collections.abc import Sequence

from lamina.memory.dependents import Dependents
from lamina.model import Gone, Matter, Message, Note, Scope
from lamina.ports import Operation, Store

FELLING = frozenset({"update", "delete", "quarantine", "rollback"})
"""Kinds of operation that put out of force what is wrong; others withdraw what is said twice."""


class Undoing(Dependents):
    """One scope as it will be when some operations are undone."""

    def __init__(self, store: Store, scope: Scope) -> None:
        """Begin with nothing undone."""
        super().__init__(store, scope)
        self._undone: dict[str, bool] = {}
        """By operation that is undone: whether a mark is to say so."""
        self._redone: set[str] = set()
        """The operations that count again, since what undid them is undone."""
        self._twins: set[str] = set()
        """Notes that are withdrawn again because another one says the same."""

    def undo(self, operation: Operation, *, root: bool = False, told: bool = False) -> None:
        """Undo an operation: what it wrote goes, what it put out of force comes back.

        Args:
            operation: Which.
            root: Whether the change is about it, so that what it did is not to be done again.
            told: Whether a mark that is there already says so.
        """
        if operation.id in self._undone:
            return
        self._undone[operation.id] = not told
        for note in self.store.written_by(self.scope, operation.id):
            self.lose(note, root=root, told=True)
        self.hide(self.store.added_by(self.scope, operation.id))
        marks = self.store.gone_by(self.scope, operation.id)
        for mark in marks:
            self._unmark(mark, operation)
        reopened = [mark.id for mark in marks if mark.what == "consolidation"]
        self._undo_what_was_formed_anew(operation, reopened)

    def settle(self) -> None:
        """Find all that goes with what is lost, and what of the regained cannot come back."""
        while True:
            super().settle()
            self._free_twins()
            self._drop_held()
            self._withhold()
            if not self._open:
                return

    def marks(self, *, always: bool) -> tuple[Gone, ...]:
        """Return what is to be put out of force; the operations that are undone come first."""
        undone = [id_ for id_, marked in self._undone.items() if marked]
        return (
            *(Gone(what="operation", id=id_) for id_ in undone),
            *super().marks(always=always),
        )

    # What comes back.

    def _unmark(self, mark: Gone, operation: Operation) -> None:
        """Bring back what one mark of an operation had put out of force."""
        if mark.what == "message":
            self._show([mark.id])
        elif mark.what == "operation":
            if not self._is_marked("operation", mark.id):  # else something else undoes it still
                self._redo(self.past.operation(mark.id), operation)
        elif mark.what in ("note", "revision"):
            for number, state in self.past.states(mark.id).items():
                if not state.counts and mark.revision in (0, number):
                    self._regain(state.note, operation)

    def _redo(self, operation: Operation, undone: Operation) -> None:
        """Let an operation count again, with what it put out of force, since `undone` is undone."""
        self._redone.add(operation.id)
        for note in self.store.written_by(self.scope, operation.id):
            self._regain(note, undone)
        self._show(self.store.added_by(self.scope, operation.id))
        self._kept.update(self.store.consolidated_by(self.scope, operation.id))
        for mark in self.store.gone_by(self.scope, operation.id):
            self._mark_again(mark)
            if operation.kind not in FELLING:
                self._twins.add(mark.id)

    def _mark_again(self, mark: Gone) -> None:
        if mark.what == "message":
            self.hide([mark.id])
        elif mark.what == "operation":
            self.undo(self.past.operation(mark.id), root=True, told=True)
        elif mark.what == "consolidation":
            self._kept.add(mark.id)
            self._waiting.add(mark.id)
        else:
            for number, note in self.past.counting(mark.id).items():
                if mark.revision in (0, number):
                    self.lose(note, root=True, told=True)

    def _show(self, ids: Sequence[str]) -> None:
        live = self.past.live(ids)
        self.shown.update((id_, None) for id_ in ids if id_ not in live)

    def _regain(self, note: Note, since: Operation) -> None:
        """Let a revision count again; what extraction wrote over it since is out of date."""
        self.regained.setdefault(note.id, {})[note.revision] = note
        for later in self.past.counting(note.id).values():
            newer = self.past.number(later.operation) > since.number
            if later.revision > note.revision and newer and not later.by_person:
                self.lose(later)

    def _undo_what_was_formed_anew(self, operation: Operation, reopened: Sequence[str]) -> None:
        """Undo the later consolidations of messages that an operation had put back."""
        self._kept.update(reopened)
        for made in self.past.formed_after(operation) if reopened else ():
            taken = self.store.consolidated_by(self.scope, made.id)
            if not made.undone_by and not self._kept.isdisjoint(taken):
                self.undo(made)

    def _free_twins(self) -> None:
        """Undo what withdrew a note in favour of a revision that is lost: the note says it now."""
        lost = [note for by_number in self.lost.values() for note in by_number.values()]
        for note in lost:
            if note.revision == 1 or (note.id, note.revision) in self._told:
                continue
            marks = self.store.gone_by(self.scope, note.operation)
            twins = [g.id for g in marks if g.what == "note" and g.id in note.parents]
            if any(self._would_live(twin, note.operation) for twin in twins):
                self.undo(self.past.operation(note.operation))

    def _would_live(self, twin: str, operation: str) -> bool:
        """Whether a note would be live if an operation had not withdrawn it."""
        return any(
            self._is_founded(state.note) and not self._is_held(state.note, besides=operation)
            for state in self.past.states(twin).values()
        )

    # What cannot come back.

    def _drop_held(self) -> None:
        """Leave hidden what something else hides as well."""
        self.past.look_up_marks("message", self.shown)
        self.past.look_up_marks("note", self.regained)
        self.past.look_up_marks("revision", self.regained)
        for message in self.store.recorded(self.scope, list(self.shown)):
            if self._is_hidden_still(message):
                del self.shown[message.id]
        for by_number in self.regained.values():
            for note in [note for note in by_number.values() if self._is_held(note)]:
                del by_number[note.revision]

    def _is_hidden_still(self, message: Message) -> bool:
        added = message.operation and self.past.operation(message.operation)
        return bool(added and not self._will_stand(added)) or self._is_marked("message", message.id)

    def _is_held(self, note: Note, *, besides: str = "") -> bool:
        """Whether a revision will be out of force by what is already said."""
        written = self.past.operation(note.operation)
        return (
            not self._will_stand(written)
            or self._is_marked("note", note.id, besides=besides)
            or self._is_marked("revision", note.id, note.revision, besides=besides)
        )

    def _is_marked(self, what: Matter, id_: str, revision: int = 0, *, besides: str = "") -> bool:
        marking = self.past.hidden_by(what, id_, revision)
        return any(self._will_stand(each) for each in marking if each.id != besides)

    def _will_stand(self, operation: Operation) -> bool:
        if operation.id in self._undone:
            return False
        return operation.undone_by is None or operation.id in self._redone

    def _withhold(self) -> None:
        """Keep out of force what would stand on what is out of force."""
        regained = [note for by_number in self.regained.values() for note in by_number.values()]
        for note in [note for note in regained if not self._is_founded(note)]:
            del self.regained[note.id][note.revision]
            self.lost.setdefault(note.id, {})[note.revision] = note
            self._told.discard((note.id, note.revision))
            self._open[note.id] = None

    def _is_founded(self, note: Note) -> bool:
        """Whether all that a revision stands on will be there."""
        live = self.past.live(note.sources).difference(self.hidden).union(self.shown)
        if not live.issuperset(note.sources):
            return False
        return note.by_person or not any(
            self._is_felled(parent) for parent in note.parents if parent != note.id
        )

    def _is_felled(self, id_: str) -> bool:
        """Whether a note will be hidden as wrong, and not as said twice."""
        if self.after(id_) is not None or id_ in self._twins:
            return False
        if self.lost.get(id_):
            return True
        by = {state.undone_by for state in self.past.states(id_).values() if state.undone_by}
        return any(self.past.operation(each).kind in FELLING for each in by)
