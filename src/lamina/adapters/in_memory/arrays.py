"""What is visible of a state, as the arrays that search reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from lamina.adapters.in_memory.visible import Visible
from lamina.model import Message
from lamina.ports import NOTE_KINDS, VIEWS, Document, Documents, EncoderSpace, Postings, VectorRows
from lamina.times import to_micros

if TYPE_CHECKING:
    from numpy.typing import NDArray


def documents(visible: Visible, space: EncoderSpace | None) -> Documents:
    """Return the documents that are visible."""
    shown = list(visible.documents.items())
    turns = _turns(visible)
    numbers = {message.id: number for number, message in enumerate(turns)}
    sessions = {session.id: i for i, session in enumerate(visible.sessions)}
    speakers = {name: i for i, name in enumerate(visible.participants)}
    owners = [_owner(visible, document, numbers) for _, document in shown]
    rests = [
        (row, numbers[source])
        for row, (_, document) in enumerate(shown)
        if document.view == "note"
        for source in visible.notes[document.ref].sources
        if source in numbers
    ]
    return Documents(
        ids=_array([id_ for id_, _ in shown], np.int64),
        views=_array([VIEWS.index(d.view) for _, d in shown], np.int8),
        kinds=_array([_kind(visible, d) for _, d in shown], np.int8),
        refs=tuple(d.ref for _, d in shown),
        turns=_array([numbers[o.id] if o else -1 for o in owners], np.int32),
        sessions=_array([sessions[o.session] if o else -1 for o in owners], np.int32),
        session_names=tuple(sessions),
        speakers=_array([speakers[o.speaker] if o else -1 for o in owners], np.int32),
        speaker_names=tuple(speakers),
        said_at=_array([_said_at(visible, d) for _, d in shown], np.int64),
        refers_from=_array([d.refers_from for _, d in shown], np.int64),
        refers_until=_array([d.refers_until for _, d in shown], np.int64),
        lengths=_array([sum(d.terms.values()) for _, d in shown], np.int32),
        vectors=VectorRows(_vectors(visible, space)),
        rest_rows=_array([row for row, _ in rests], np.int32),
        rest_turns=_array([turn for _, turn in rests], np.int32),
        turn_refs=tuple(message.id for message in turns),
    )


def postings(visible: Visible, terms: Sequence[str]) -> Postings:
    """Return the postings of `terms`."""
    found = [
        [
            (row, d.terms[term])
            for row, (_, d) in enumerate(visible.documents.items())
            if d.terms.get(term, 0) > 0
        ]
        for term in terms
    ]
    entries = [entry for each in found for entry in each]
    return Postings(
        starts=np.cumsum([0, *map(len, found)], dtype=np.int64),
        rows=_array([row for row, _ in entries], np.int32),
        counts=_array([count for _, count in entries], np.int32),
    )


def _turns(visible: Visible) -> list[Message]:
    began = {session.id: i for i, session in enumerate(visible.sessions)}
    return sorted(visible.messages.values(), key=lambda message: began[message.session])


def _owner(visible: Visible, document: Document, numbers: dict[str, int]) -> Message | None:
    """Return the live message that a document belongs to: its own, or its note's event."""
    id_: str | None = document.ref
    if document.view == "note":
        id_ = visible.notes[document.ref].event
    return visible.messages[id_] if id_ in numbers else None


def _kind(visible: Visible, document: Document) -> int:
    if document.view != "note":
        return -1
    return NOTE_KINDS.index(visible.notes[document.ref].kind)


def _said_at(visible: Visible, document: Document) -> int:
    if document.view == "note":
        return to_micros(visible.notes[document.ref].said_at)
    return to_micros(visible.messages[document.ref].said_at)


def _vectors(visible: Visible, space: EncoderSpace | None) -> NDArray[np.float32]:
    """Return a row for each live document; zeros, near to nothing, where one is missing."""
    vectors = np.zeros((len(visible.documents), space.dim if space else 0), np.float32)
    stored = visible.state.vectors.get(space.id, {}) if space else {}
    for row, id_ in enumerate(visible.documents):
        if id_ in stored:
            vectors[row] = stored[id_]
    return vectors


def _array(values: Sequence[int], dtype: Any) -> NDArray[Any]:
    return np.array(values, dtype=dtype)
