"""Erasing one person's part from a state that is still one's own."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import replace

from lamina.adapters.in_memory.indexing import Index
from lamina.adapters.in_memory.state import State
from lamina.model import Gone, Note


def erase(state: State, index: Index, messages: AbstractSet[str]) -> None:
    """Erase messages, every note that rests on one, and whatever shows or names either."""
    revisions = state.revisions.values()
    notes = {n.id for n in revisions if messages & {*n.sources, n.event}}
    erased = [note for note in revisions if note.id in notes]
    _form_anew(state, erased)
    shown = {id_ for place, id_ in state.shown.items() if place[0] in notes}
    for id_, document in state.documents.items():
        if document.view != "note" and messages & {document.ref, document.previous}:
            shown.add(id_)
    index.drop(shown)
    _take_out(state, messages, notes)
    state.replies = {}
    state.lease = None
    state.epoch += 1


def _form_anew(state: State, erased: list[Note]) -> None:
    """Let what erased notes stood for be formed again.

    What was withdrawn by the writing that made an erased note of it counts again; the messages
    that such a writing consolidated are back in the buffer.
    """
    twins = {(note.operation, parent) for note in erased for parent in note.parents}
    state.gone = {
        (gone, by): None
        for gone, by in state.gone
        if gone.what != "note" or (by, gone.id) not in twins
    }
    writers = {note.operation for note in erased}
    state.consolidated = {id_: by for id_, by in state.consolidated.items() if by not in writers}


def _take_out(state: State, messages: AbstractSet[str], notes: AbstractSet[str]) -> None:
    """Take out messages and notes with the marks, links and names of them in other notes."""
    state.messages = {id_: m for id_, m in state.messages.items() if id_ not in messages}
    left = {message.session for message in state.messages.values()}
    state.closed = {session: closed for session, closed in state.closed.items() if session in left}
    state.revisions = {
        place: _without(note, notes)
        for place, note in state.revisions.items()
        if place[0] not in notes
    }
    state.links = {
        (link, by): None for link, by in state.links if not notes & {link.source, link.target}
    }
    state.gone = {(gone, by): None for gone, by in state.gone if not _is_on(gone, messages, notes)}
    state.consolidated = {id_: by for id_, by in state.consolidated.items() if id_ not in messages}


def _without(note: Note, notes: AbstractSet[str]) -> Note:
    """Return a note that names none of `notes`; what only they superseded holds again."""
    parents = tuple(parent for parent in note.parents if parent not in notes)
    if note.superseded_by in notes:
        return replace(note, parents=parents, superseded_by=None, invalid_at=None)
    return note if parents == note.parents else replace(note, parents=parents)


def _is_on(gone: Gone, messages: AbstractSet[str], notes: AbstractSet[str]) -> bool:
    if gone.what == "operation":
        return False
    return gone.id in (notes if gone.what in ("note", "revision") else messages)
