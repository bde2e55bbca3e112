"""Putting an archive into a state that is still one's own."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import replace

from lamina.adapters.in_memory.indexing import Index
from lamina.adapters.in_memory.state import State, local, recorded, utc
from lamina.adapters.in_memory.writing import check_gone, shown, tidy
from lamina.errors import NotFound
from lamina.model import Note
from lamina.ports import Archive, Document


def load(state: State, index: Index, archive: Archive, documents: Sequence[Document]) -> None:
    """Put all of an archive into a state that holds nothing.

    Raises:
        NotFound: The archive names something that it does not hold.
    """
    last = 0
    for operation in archive.operations:
        last = max(operation.number, last + 1)
        state.operations[operation.id] = recorded(operation, last)
    _load_messages(state, archive)
    _load_notes(state, archive)
    for gone, by in archive.gone:
        _need(by, state.operations)
        check_gone(state, gone, state.operations[by])
        state.gone[gone, by] = None
    for grant in archive.grants:
        state.grants[grant.principal] = replace(grant, given_at=utc(grant.given_at))
    if archive.configuration:
        state.configuration = dict(archive.configuration)
    _load_documents(state, index, documents)


def _load_messages(state: State, archive: Archive) -> None:
    for message in archive.messages:
        _need(message.operation, state.operations)
        state.messages[message.id] = replace(
            message,
            said_at=local(message.said_at),
            recorded_at=utc(message.recorded_at),
            consolidated=False,
            withdrawn=False,
        )
        state.last_position = max(state.last_position, message.position)
        state.closed[message.session] = False
    for session in archive.closed:
        _need(session, state.closed)
        state.closed[session] = True
    for id_, by in archive.consolidated.items():
        _need(id_, state.messages)
        _need(by, state.operations)
        state.consolidated[id_] = by


def _load_notes(state: State, archive: Archive) -> None:
    known = {note.id for note in archive.revisions}
    for note in archive.revisions:
        _need(note.operation, state.operations)
        _need_all([note.event, *note.sources], state.messages)
        _need_all([note.superseded_by, *note.parents], known)
        if note.revision > 1:
            # Of a pattern some may have been erased, but not the first.
            before = 1 if note.kind == "pattern" else note.revision - 1
            _need((note.id, before), state.revisions)
        state.revisions[note.id, note.revision] = tidy(note, state.messages)
    for link, by in archive.links:
        _need(by, state.operations)
        _need_all([link.source, link.target], known)
        state.links[link, by] = None


def _load_documents(state: State, index: Index, documents: Sequence[Document]) -> None:
    for document in documents:
        if document.view == "note":
            number = document.revision or 1
            _need((document.ref, number), state.revisions)
            index.show_note(document, number)
        else:
            _need_all([document.ref, document.previous], state.messages)
            index.show_message(document, state.messages)
    said: dict[tuple[object, ...], Note] = {}
    for note in state.revisions.values():
        before = said.setdefault((note.id, *shown(note)), note)
        index.share((note.id, note.revision), (before.id, before.revision))
        said[note.id, *shown(note)] = note


def _need(name: object, held: Container[object]) -> None:
    if name is not None and name not in held:
        raise NotFound(f"the archive names {name!r}, but does not hold it")


def _need_all(names: Iterable[object], held: Container[object]) -> None:
    for name in names:
        _need(name, held)
