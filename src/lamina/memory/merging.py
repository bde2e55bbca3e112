"""Merging near-twins: what says the same becomes one note, with the sources of both."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

import numpy as np

from lamina.identity import digest
from lamina.memory import listing
from lamina.model import Gone, Note, Scope
from lamina.ports import VIEWS, Documents, Operation, Writing
from lamina.recall.near_duplicates import twins
from lamina.work.engine import Engine

MOST_ALIKE = 20_000
"""Notes of one subject that are compared: each is compared with every other."""


def merge(engine: Engine, scope: Scope) -> Operation | None:
    """Make one note of those that say the same of the same; return the operation, if any did.

    The one said first stays, or the one that a person wrote, and gains the sources of the others,
    which are withdrawn. What differs in a number, a name, a negation or a time is not the same,
    nor is what different people wrote into a shared space.

    Raises:
        Conflict: Somebody changed one of them at the same time; try again.
    """
    notes = _live(engine, scope)
    with engine.store.snapshot(scope) as snapshot:
        documents = snapshot.documents
    authors = _authors(engine, scope, notes)
    pairs = [pair for group in _groups(notes, authors) for pair in _pairs(group, documents)]
    if not pairs:
        return None
    now = engine.clock.now()
    operation = _operation(scope, [note for pair in pairs for note in pair], now)
    engine.store.apply(scope, _writing(pairs, operation), now=now)
    return operation


def _live(engine: Engine, scope: Scope) -> list[Note]:
    """Return the facts and summaries, those that a person wrote first, then those said first."""
    told = [note for note in listing.every_note(engine, scope) if note.kind != "relation"]
    return sorted(told, key=lambda n: (not n.by_person, n.began_at, n.id))


def _authors(engine: Engine, scope: Scope, notes: Sequence[Note]) -> dict[str, tuple[str, ...]]:
    """Return who wrote what each note rests on into a shared space."""
    if scope.kind != "space":
        return {}
    sources = list(dict.fromkeys(source for note in notes for source in note.sources))
    by = {m.id: m.author or "" for m in engine.store.messages(scope, sources)}
    return {n.id: tuple(sorted({by.get(source, "") for source in n.sources})) for n in notes}


def _groups(notes: Sequence[Note], authors: Mapping[str, tuple[str, ...]]) -> list[list[Note]]:
    """Group notes by what they are about; only those of one group can be twins."""
    found: dict[tuple[object, ...], list[Note]] = defaultdict(list)
    for note in notes:
        told = (note.kind, note.about or "", note.said_by or "", note.role, note.certainty)
        key = (*told, authors.get(note.id, ()))
        found[key].append(note)
    return [group[:MOST_ALIKE] for group in found.values() if len(group) > 1]


def _pairs(group: Sequence[Note], documents: Documents) -> list[tuple[Note, Note]]:
    """Return each note that repeats another one, after that one. What a person wrote stays."""
    rows = _rows(documents)
    seen = [n for n in group if n.id in rows or (n.event or "") in rows]
    places = [rows.get(n.id, rows.get(n.event or "", 0)) for n in seen]
    found = twins(
        [n.text for n in seen],
        [n.said_at for n in seen],
        documents.vectors[np.array(places, dtype=np.int64)],
    )
    pairs = [(seen[first], seen[twin]) for twin, first in found.items()]
    return [(first, twin) for first, twin in pairs if not twin.by_person]


def _rows(documents: Documents) -> dict[str, int]:
    """Return the row of each note and of each turn, by id."""
    exchange = VIEWS.index("exchange")
    shown = zip(documents.refs, documents.views.tolist(), strict=True)
    return {ref: row for row, (ref, view) in enumerate(shown) if view != exchange}


def _operation(scope: Scope, read: Sequence[Note], now: datetime) -> Operation:
    ids = sorted({note.id for note in read})
    return Operation(
        id=digest(scope.tenant, scope.kind, scope.id, "merge", now.isoformat(), *ids),
        kind="merge",
        cause="near-twins",
        known_at=max(note.known_at for note in read),
        recorded_at=now,
    )


def _writing(pairs: Sequence[tuple[Note, Note]], operation: Operation) -> Writing:
    merged: dict[str, list[Note]] = defaultdict(list)
    for first, twin in pairs:
        merged[first.id].append(twin)
    firsts = {first.id: first for first, _ in pairs}
    return Writing(
        operation=operation,
        notes=tuple(_widened(firsts[id_], others, operation) for id_, others in merged.items()),
        gone=tuple(Gone(what="note", id=twin.id, always=False) for _, twin in pairs),
    )


def _widened(first: Note, others: Sequence[Note], operation: Operation) -> Note:
    """Return the revision of a note that rests on what its twins rested on as well."""
    said = (first, *others)
    return replace(
        first,
        sources=tuple(dict.fromkeys(source for note in said for source in note.sources)),
        parents=tuple(dict.fromkeys((*first.parents, *(note.id for note in others)))),
        began_at=min(note.began_at for note in said),
        said_at=max(note.said_at for note in said),
        known_at=operation.known_at,
        recorded_at=operation.recorded_at,
        revision=first.revision + 1,
        operation=operation.id,
    )
