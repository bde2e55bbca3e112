"""Putting an archive into an empty scope: see `Transfer.load`."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from lamina.adapters.sqlite import columns, in_force, indexing, interactions
from lamina.adapters.sqlite.queries import load
from lamina.adapters.sqlite.words import pack
from lamina.errors import NotFound
from lamina.model import Gone, Note
from lamina.ports import NOTE_KINDS, Archive, Document, EncoderSpace, Operation
from lamina.times import to_micros

SQL = load("transfer")
Places = dict[str, int]
"""Numbers by id or name."""
Shows = dict[tuple[str, int], int]
"""By a note and the number of its revision: the document that shows it."""


@dataclass
class Loading:
    """Puts an archive into a scope, inside a transaction."""

    tx: sqlite3.Connection
    scope: int
    now: datetime
    expected_space: EncoderSpace | None
    messages: Places = field(default_factory=dict)
    notes: Places = field(default_factory=dict)
    operations: Places = field(default_factory=dict)

    def load(self, archive: Archive, documents: Sequence[Document]) -> None:
        """Put all of it in.

        Raises:
            NotFound: It names something that it does not hold.
        """
        numbered = self._numbered(archive.operations)
        self._put("put_operation", [(n, *columns.logged(each)) for n, each in numbered])
        self._put_messages(archive)
        revisions = {(note.id, note.revision): note for note in archive.revisions}
        for note in archive.revisions:
            self.notes.setdefault(note.id, len(self.notes) + 1)
        shown = self._put_documents(documents, revisions)
        self._put_notes(archive.revisions, _shared(archive.revisions, shown))
        self._put_rest(archive, revisions)
        self._settle(archive)
        last = max(self.messages.values(), default=0)
        self.tx.execute(SQL["put_counts"], (last, len(documents), self.scope))

    def _numbered(self, operations: Sequence[Operation]) -> Iterable[tuple[int, Operation]]:
        """Yield operations with their places in the log, which they keep if those only rise."""
        last = 0
        for operation in operations:
            last = max(operation.number, last + 1)
            self.operations[operation.id] = last
            yield last, operation

    def _put(self, query: str, values: Iterable[tuple[object, ...]]) -> None:
        self.tx.executemany(SQL[query], [(self.scope, *each) for each in values])

    def _put_messages(self, archive: Archive) -> None:
        sessions, speakers, last = Places(), Places(), 0
        for message in archive.messages:
            sessions.setdefault(message.session, len(sessions) + 1)
            speakers.setdefault(message.speaker, len(speakers) + 1)
            last = max(message.position, last + 1)
            self.messages[message.id] = last
        closed = {_place(sessions, name) for name in archive.closed}
        at = to_micros(self.now)
        self._put("put_session", [(n, pack(s), at if n in closed else None)
                                  for s, n in sessions.items()])  # fmt: skip
        self._put("put_participant", [(n, pack(name)) for name, n in speakers.items()])
        by = {
            _place(self.messages, id_): _place(self.operations, operation)
            for id_, operation in archive.consolidated.items()
        }
        self._put(
            "put_message",
            [
                (self.messages[m.id], m.id, sessions[m.session], speakers[m.speaker],
                 *columns.spoken(m), to_micros(m.recorded_at), m.progress,
                 _maybe_place(self.operations, m.operation), by.get(self.messages[m.id], 0),
                 interactions.exchange_due(m))
                for m in archive.messages
            ],
        )  # fmt: skip
        placed = ((self.messages[m.id], m) for m in archive.messages)
        interactions.add(self.tx, self.scope, placed)

    def _put_documents(
        self, documents: Sequence[Document], revisions: Mapping[tuple[str, int], Note]
    ) -> Shows:
        """Put documents in, with the ids 1, 2, ...; return which of them show revisions."""
        if not documents:
            return {}
        space = indexing.check_space(indexing.present_space(self.tx), self.expected_space)
        shown = [self._shown(document, revisions) for document in documents]
        indexing.add(self.tx, self.scope, 1, shown, space)
        return {
            (each.document.ref, each.revision): id_
            for id_, each in enumerate(shown, start=1)
            if each.document.view == "note"
        }

    def _shown(
        self, document: Document, revisions: Mapping[tuple[str, int], Note]
    ) -> indexing.Shown:
        if document.view == "note":
            number = document.revision or 1
            if (document.ref, number) not in revisions:
                raise _missing(document.ref)
            return indexing.Shown(document, self.notes[document.ref], revision=number)
        previous = _maybe_place(self.messages, document.previous)
        return indexing.Shown(document, _place(self.messages, document.ref), previous)

    def _put_notes(self, revisions: Sequence[Note], shown: Shows) -> None:
        last = {note.id: note.revision for note in revisions}
        first = [note for note in revisions if note.revision == 1]
        self._put("put_note", [
            (self.notes[n.id], n.id, NOTE_KINDS.index(n.kind),
             _maybe_place(self.messages, n.event), last[n.id], to_micros(n.said_at))
            for n in first
        ])  # fmt: skip
        ordinals: Counter[str] = Counter()
        written: Counter[str] = Counter()
        for note in revisions:
            before = written[note.id]
            if not _follows(note, before):
                raise _missing(f"{note.id}, revision {before + 1}")
            written[note.id] = note.revision
            self._put_revision(note, ordinals[note.operation], shown.get((note.id, note.revision)))
            ordinals[note.operation] += 1

    def _put_revision(self, note: Note, ordinal: int, document: int | None) -> None:
        revision = (self.notes[note.id], note.revision)
        operation = _place(self.operations, note.operation)
        heir = _maybe_place(self.notes, note.superseded_by)
        self._put("put_revision", [
            (*revision, operation, ordinal, *columns.told(note), heir, document, pack(note.text))
        ])  # fmt: skip
        sources = [(*revision, _place(self.messages, id_), operation) for id_ in note.sources]
        self._put("put_source", sources)
        parents = [(*revision, i, _place(self.notes, id_)) for i, id_ in enumerate(note.parents)]
        self._put("put_parent", parents)

    def _put_rest(self, archive: Archive, revisions: Mapping[tuple[str, int], Note]) -> None:
        self._put("put_link", [
            (_place(self.notes, link.source), _place(self.notes, link.target),
             pack(link.relation), _place(self.operations, by))
            for link, by in archive.links
        ])  # fmt: skip
        self._put("put_mark", [
            (_place(self.operations, by), ordinal, in_force.MATTERS.index(gone.what),
             self._subject(gone, by, revisions), gone.revision, gone.always)
            for ordinal, (gone, by) in enumerate(archive.gone, start=1)
        ])  # fmt: skip
        self._put("put_grant", [
            (pack(g.principal), g.read, g.write, to_micros(g.given_at)) for g in archive.grants
        ])  # fmt: skip
        if archive.configuration:
            interactions.configure(self.tx, self.scope, archive.configuration)

    def _subject(self, gone: Gone, by: str, revisions: Mapping[tuple[str, int], Note]) -> int:
        """Return the number of what an operation put out of force."""
        if gone.what in ("message", "consolidation"):
            return _place(self.messages, gone.id)
        if gone.what == "operation":
            number = _place(self.operations, gone.id)
            if number >= self.operations[by]:
                raise NotFound(f"the archive undoes {gone.id!r} before it was done")
            return number
        if gone.what == "revision" and (gone.id, gone.revision) not in revisions:
            raise _missing(f"{gone.id}, revision {gone.revision}")
        return _place(self.notes, gone.id)

    def _settle(self, archive: Archive) -> None:
        """Work out what is live, of everything."""
        undone = {self.operations[gone.id] for gone, _ in archive.gone if gone.what == "operation"}
        touched = in_force.Touched(set(self.messages.values()), set(self.notes.values()), undone)
        in_force.settle(self.tx, self.scope, touched)


def _shared(revisions: Sequence[Note], shown: Shows) -> Shows:
    """Let revisions without a document share that of the one before that said the same."""
    shared = dict(shown)
    said: dict[tuple[object, ...], Note] = {}
    for note in revisions:
        words = (note.id, note.text, note.keywords, note.tags, note.context)
        before = said.get(words)
        if before and (before.id, before.revision) in shared:
            shared.setdefault((note.id, note.revision), shared[before.id, before.revision])
        said[words] = note
    return shared


def _follows(note: Note, before: int) -> bool:
    """Whether a revision comes after one, or, with 0, first; of a pattern some may lack."""
    return note.revision == before + 1 or (note.kind == "pattern" and 0 < before < note.revision)


def _place(places: Places, name: str) -> int:
    if name not in places:
        raise _missing(name)
    return places[name]


def _maybe_place(places: Places, name: str | None) -> int | None:
    return None if name is None else _place(places, name)


def _missing(name: str) -> NotFound:
    return NotFound(f"the archive names {name!r}, but does not hold it")
