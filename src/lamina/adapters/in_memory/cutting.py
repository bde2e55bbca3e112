"""Which revisions go with one user's part in a recommender, and what is to be written again."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import replace

from lamina.adapters.in_memory.state import State
from lamina.model import Message, Note
from lamina.ports import is_interaction

Place = tuple[str, int]
"""The id of a note and the number of a revision."""


def cut(state: State, messages: AbstractSet[str]) -> set[Place]:
    """Return the revisions from the first on, of each note, that tells of what goes.

    It rests on one of `messages`, or was formed from a note that goes or that told of it by then.
    """
    first: dict[str, Note] = {}
    size = -1
    while size != (size := sum(note.revision for note in first.values())):
        for note in state.revisions.values():
            earlier = note.id not in first or note.revision < first[note.id].revision
            if earlier and _tells(state, note, messages, first):
                first[note.id] = note
    return {
        place
        for place, note in state.revisions.items()
        if note.id in first and note.revision >= first[note.id].revision
    }


def _tells(state: State, note: Note, messages: AbstractSet[str], first: dict[str, Note]) -> bool:
    number = state.operations[note.operation].number
    return bool(messages & {*note.sources, note.event}) or any(
        first[parent].revision == 1 or state.operations[first[parent].operation].number < number
        for parent in note.parents
        if parent in first
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


def _make_pending(state: State, message: Message) -> None:
    if message.progress == "bound":
        kept = state.messages[message.id]
        state.messages[message.id] = replace(kept, progress="pending")
