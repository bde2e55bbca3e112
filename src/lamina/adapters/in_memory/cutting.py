"""Which revisions go with one user's part in a recommender or pool; what is formed again of it."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from lamina.adapters.in_memory.state import State
from lamina.adapters.in_memory.writing import shown
from lamina.model import Message, Note
from lamina.ports import is_interaction

Place = tuple[str, int]
"""The id of a note and the number of a revision."""


def cut(state: State, messages: AbstractSet[str]) -> set[Place]:
    """Return the revisions from the first on, of each note, that tells of what goes."""
    cutting = _Cutting(state, messages)
    while cutting.go_on():
        pass
    return {
        place
        for place, note in state.revisions.items()
        if note.id in cutting.first and note.revision >= cutting.first[note.id].revision
    }


@dataclass
class _Cutting:
    state: State
    messages: AbstractSet[str]
    first: dict[str, Note] = field(default_factory=dict)
    """By note, the first revision that goes, as far as is known."""
    writers: set[str] = field(default_factory=set)
    """The operations that wrote notes that go whole."""

    def go_on(self) -> bool:
        """Look at every revision once; whether more go than before."""
        found = False
        for note in self.state.revisions.values():
            earlier = note.id not in self.first or note.revision < self.first[note.id].revision
            if earlier and self._tells(note):
                self.first[note.id] = note
                self.writers |= {note.operation} if note.revision == 1 else set()
                found = True
        return found

    def _tells(self, note: Note) -> bool:
        """Whether a revision rests on a message that goes, or on a note as far as that goes.

        Or it is what the writing of a note that goes changed in another one.
        """
        return (
            bool(self.messages & {*note.sources, note.event})
            or (note.revision > 1 and note.operation in self.writers)
            or any(self._told(parent, note) for parent in note.parents)
        )

    def _told(self, parent: str, note: Note) -> bool:
        """Whether a note told of what goes when another one was formed from it."""
        first, operations = self.first.get(parent), self.state.operations
        return first is not None and (
            first.revision == 1
            or operations[first.operation].number < operations[note.operation].number
        )


def write_again(state: State, gone: list[Note]) -> None:
    """Let what notes that went were written for be pending again, where it is somebody else's.

    The event of each, and, where an item has no note left, the first interaction with it.
    """
    for note in gone:
        event = state.messages.get(note.event) if note.event is not None else None
        if event and is_interaction(event):
            _make_pending(state, event)
    noted = {note.item for note in state.revisions.values() if note.kind == "item_note"}
    lacking = {note.item for note in gone if note.kind == "item_note"} - noted - {None}
    live = [m for m in state.copy().at().messages.values() if is_interaction(m)]
    for item in lacking:
        done = [message for message in live if message.item == item]
        bound = [message for message in done if message.progress == "bound"]
        if bound and all(message.progress != "pending" for message in done):
            _make_pending(state, bound[0])


def retold(state: State, messages: AbstractSet[str]) -> dict[str, Note]:
    """Return by pattern the first revision that takes in a part that goes and says something new.

    What came after it may repeat it.
    """
    found: dict[str, Note] = {}
    before: dict[str, Note] = {}
    for note in state.revisions.values():
        old = before.get(note.id)
        if messages & {*note.sources, note.event} and (old is None or shown(old) != shown(note)):
            found.setdefault(note.id, note)
        before[note.id] = note
    return found


def take_in_again(state: State, gone: list[Note]) -> None:
    """Let the parts that revisions which went took in be pending again, where they are left."""
    for id_ in {id_ for note in gone for id_ in note.sources if id_ in state.messages}:
        _make_pending(state, state.messages[id_])


def _make_pending(state: State, message: Message) -> None:
    if message.progress == "bound":
        kept = state.messages[message.id]
        state.messages[message.id] = replace(kept, progress="pending")
