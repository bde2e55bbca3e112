"""What was made of it: see `lamina.ports.Notes`."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from lamina.adapters.sqlite import in_force, rows, scopes, views
from lamina.adapters.sqlite.part import Part
from lamina.adapters.sqlite.queries import load
from lamina.adapters.sqlite.rows import Evidence, Row
from lamina.adapters.sqlite.words import Column, pack, unpack
from lamina.adapters.sqlite.writing import write_all
from lamina.model import At, Gone, Link, Matter, Note, NoteKind, Revision, Scope
from lamina.ports import NOTE_KINDS, Lease, Operation, Writing
from lamina.times import from_micros, to_micros

SQL = load("notes")


class SqliteNotes(Part):
    """Notes, their revisions, links and operations."""

    def apply(
        self, scope: Scope, writing: Writing, *, now: datetime, lease: Lease | None = None
    ) -> None:
        """See `Notes.apply`."""
        self.apply_all(scope, (writing,), now=now, lease=lease)

    def apply_all(
        self,
        scope: Scope,
        writings: Sequence[Writing],
        *,
        now: datetime,
        lease: Lease | None = None,
    ) -> None:
        """See `Notes.apply_all`."""
        with self._db.writing() as tx:
            if lease:
                scopes.check_lease(tx, lease)
            write_all(tx, scopes.ensure(tx, scope), writings, now, self._space)

    def notes(self, scope: Scope, ids: Sequence[str], *, at: At | None = None) -> list[Note]:
        """See `Notes.notes`."""
        found = self._notes("by_id", scope, at, ids=rows.ids_as_json(ids))
        return rows.as_asked({note.id: note for note in found}, ids)

    def of_messages(
        self, scope: Scope, message_ids: Sequence[str], *, at: At | None = None
    ) -> dict[str, list[Note]]:
        """See `Notes.of_messages`."""
        found = defaultdict(list)
        for note in self._notes("of_messages", scope, at, ids=rows.ids_as_json(message_ids)):
            found[str(note.event)].append(note)
        return {id_: found[id_] for id_ in message_ids if id_ in found}

    def resting_on(
        self, scope: Scope, message_ids: Sequence[str], *, at: At | None = None
    ) -> list[Note]:
        """See `Notes.resting_on`."""
        found = self._notes("resting_on", scope, at, ids=rows.ids_as_json(message_ids))
        asked = set(message_ids)
        return [note for note in found if asked & set(note.sources)]

    def formed_from(self, scope: Scope, note_ids: Sequence[str]) -> list[Note]:
        """See `Notes.formed_from`."""
        return self._notes("formed_from", scope, ids=rows.ids_as_json(note_ids))

    def list_notes(
        self,
        scope: Scope,
        *,
        kind: NoteKind | None = None,
        limit: int = 100,
        offset: int = 0,
        at: At | None = None,
        valid_on: datetime | None = None,
        superseded: bool = False,
    ) -> list[Note]:
        """See `Notes.list_notes`."""
        return self._notes(
            "list",
            scope,
            at,
            kind=None if kind is None else NOTE_KINDS.index(kind),
            limit=limit,
            offset=offset,
            valid_on=None if valid_on is None else to_micros(valid_on),
            superseded=superseded,
        )

    def history(self, scope: Scope, note_id: str) -> list[Revision]:
        """See `Notes.history`."""
        with self._db.reading() as tx:
            row = scopes.find(tx, scope)
            found = views.select(tx, SQL["history"], row, None, id=pack(note_id))
            if row is None or not found:
                return []
            sources, parents = _evidence(tx, row.key, [found[0][0]])
        return [_revision(note_id, each, sources, parents) for each in found]

    def revisions(self, scope: Scope, note_id: str) -> list[Note]:
        """See `Notes.revisions`."""
        return self._notes("revisions", scope, id=pack(note_id))

    def written_by(self, scope: Scope, operation: str) -> list[Note]:
        """See `Notes.written_by`."""
        return self._notes("written_by", scope, id=pack(operation))

    def gone_by(self, scope: Scope, operation: str) -> list[Gone]:
        """See `Notes.gone_by`."""
        return [gone for gone, _ in self._marks("gone_by", scope, id=pack(operation))]

    def marks_on(self, scope: Scope, what: Matter, ids: Sequence[str]) -> list[tuple[Gone, str]]:
        """See `Notes.marks_on`."""
        number = in_force.MATTERS.index(what)
        return self._marks("marks_on", scope, what=number, ids=rows.ids_as_json(ids))

    def operations(self, scope: Scope, ids: Sequence[str]) -> list[Operation]:
        """See `Notes.operations`."""
        found = self._operations("operations", scope, rows.ids_as_json(ids))
        return rows.as_asked({operation.id: operation for operation in found}, ids)

    def list_operations(
        self, scope: Scope, *, kinds: Sequence[str] = (), limit: int = 100, offset: int = 0
    ) -> list[Operation]:
        """See `Notes.list_operations`."""
        if not kinds:
            return self._operations("log", scope, limit, offset)
        return self._operations("log_of_kinds", scope, rows.ids_as_json(kinds), limit, offset)

    def links(self, scope: Scope, note_ids: Sequence[str], *, at: At | None = None) -> list[Link]:
        """See `Notes.links`."""
        asked = rows.ids_as_json(note_ids)
        with self._db.reading() as tx:
            found = views.select(tx, SQL["links"], scopes.find(tx, scope), at, ids=asked)
        return [Link(source=s, target=t, relation=unpack(relation)) for s, t, relation in found]

    def _notes(self, query: str, scope: Scope, at: At | None = None, **given: Any) -> list[Note]:
        with self._db.reading() as tx:
            row = scopes.find(tx, scope)
            found = views.select(tx, SQL[query], row, at, **given)
            if row is None or not found:
                return []
            sources, parents = _evidence(tx, row.key, {each[1] for each in found})
        return [rows.note(each, sources, parents) for each in found]

    def _marks(self, query: str, scope: Scope, **given: Any) -> list[tuple[Gone, str]]:
        with self._db.reading() as tx:
            row = scopes.find(tx, scope)
            return list(
                map(in_force.mark, views.select(tx, in_force.SQL[query], row, None, **given))
            )

    def _operations(self, query: str, scope: Scope, *given: Column | int) -> list[Operation]:
        with self._db.reading() as tx:
            row = scopes.find(tx, scope)
            found = tx.execute(SQL[query], (row.key, *given)).fetchall() if row else []
        return [rows.operation(each) for each in found]


def _evidence(
    tx: sqlite3.Connection, scope: int, notes: Iterable[int]
) -> tuple[Evidence, Evidence]:
    """Return the sources and the parents of every revision of some notes."""
    given = (scope, json.dumps(list(notes)))
    sources, parents = (tx.execute(SQL[query], given) for query in ("sources", "parents"))
    return rows.evidence(sources), rows.evidence(parents)


def _revision(note_id: str, row: Row, sources: Evidence, parents: Evidence) -> Revision:
    note, number, text, operation, kind, model, prompt_digest, known_at, recorded_at = row[:9]
    valid_at, invalid_at, offset, superseded_by, by_person, undone_by = row[9:15]
    keywords, tags, context, sureness, narrower = row[15:]
    return Revision(
        note=note_id,
        number=number,
        text=unpack(text),
        operation=operation,
        cause=kind,
        model=model,
        prompt_digest=prompt_digest,
        sources=tuple(sources.get((note, number), ())),
        parents=tuple(parents.get((note, number), ())),
        known_at=from_micros(known_at),
        recorded_at=from_micros(recorded_at),
        valid_at=rows.moment(valid_at, offset),
        invalid_at=rows.moment(invalid_at, offset),
        superseded_by=superseded_by,
        by_person=bool(by_person),
        withdrawn=undone_by is not None,
        undone_by=undone_by,
        keywords=rows.words(keywords),
        tags=rows.words(tags),
        context=unpack(context),
        sureness=sureness,
        narrower=bool(narrower),
    )
