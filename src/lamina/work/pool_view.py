"""What a pool holds when a batch of parts is taken in, and what is made of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING

import numpy as np

from lamina.identity import digest
from lamina.model import Note, Scope
from lamina.ports import NEVER, PATTERN, Document, Graph, Operation
from lamina.strategies.amem4rec.forming import Part
from lamina.strategies.amem4rec.patterns import Patterns
from lamina.strategies.amem4rec.stages import Abstraction, Standing
from lamina.work import encoded, indexing
from lamina.work.engine import Engine
from lamina.work.pools import said_by

if TYPE_CHECKING:
    from numpy.typing import NDArray

UNDOING = ("rollback", "delete", "quarantine", "withdraw", "tidy", "merge", "revisit", "restore")
"""Kinds of operation after which the revisions of a pattern may be numbered with gaps."""


@dataclass(slots=True)
class Taking:
    """What is written as one part is taken in."""

    notes: list[Note] = field(default_factory=list)
    documents: list[Document] = field(default_factory=list)


class PoolView:
    """A pool as it is, and as the parts of a batch left it."""

    def __init__(self, engine: Engine, scope: Scope) -> None:
        """Read the arrays; patterns are read when they are looked at.

        Args:
            engine: Where it is kept, and what encodes.
            scope: The pool.
        """
        self._engine, self._scope = engine, scope
        graph: Graph = engine.store.graph(scope)
        self._graph = graph
        live = (graph.kinds == PATTERN) & (graph.known_until == NEVER)
        self._numbers: dict[str, int] = {}
        """By pattern that was read: its number in the arrays."""
        self._supports: set[tuple[str, str]] = set()
        """Pairs of a part and a pattern that took it in, in this batch."""
        self._stored: dict[str, Note] = {}
        """Patterns as they were read, or as this batch left them, by id."""
        self._made: dict[str, int] = {}
        """By pattern: how many revisions this batch wrote."""
        self._first: dict[str, int] = {}
        """By pattern: the number of its last revision before this batch, undone ones too."""
        self._gaps: bool | None = None
        self.patterns = Patterns(graph.refs, graph.vectors, live, self._load)

    def vectors(self, parts: Sequence[Part]) -> NDArray[np.float32]:
        """Return what parts say as vectors, shape (len(parts), dim), unit rows."""
        return encoded.encode(self._engine.encoder, [part.said.shown for part in parts])

    def known_at(self, near: Iterable[str]) -> list[datetime]:
        """Return since when what patterns say and rest on has been known."""
        return [note.known_at for note in self._notes(list(near))]

    def supports(self, part: str, pattern: str) -> bool:
        """Whether a pattern has taken in a part already."""
        if (part, pattern) in self._supports or pattern not in self._numbers:
            return (part, pattern) in self._supports
        rows, parts = self._counting(pattern), self._graph.support.parts
        return any(parts[row] == part for row in rows.tolist())

    def store(self, part: Part, vector: NDArray[np.float32], taking: Taking, by: Made) -> str:
        """Let a part become a pattern of its own; return its id."""
        place = (self._scope.tenant, self._scope.kind, self._scope.id)
        id_ = digest(*place, "pattern", by.operation.id)
        note = Note(
            id=id_,
            kind="pattern",
            text=part.said.explanation,
            context=part.said.description,
            keywords=part.said.keywords,
            event=None,
            sources=(part.id,),
            began_at=by.said_at,
            said_at=by.said_at,
            known_at=by.operation.known_at,
            recorded_at=by.operation.recorded_at,
            operation=by.operation.id,
        )
        self._write(note, vector, taking)
        self._first[id_], self._made[id_] = 0, 1
        self.patterns.add(Standing(id=id_, said=said_by(note), evolution_count=0), vector, new=True)
        return id_

    def evolve(
        self, id_: str, part: Part, merged: Abstraction | None, taking: Taking, by: Made
    ) -> None:
        """Let a pattern take in a part, with new words or as it is."""
        [old] = self._notes([id_])
        said = merged or said_by(old)
        new = replace(
            old,
            text=said.explanation,
            context=said.description,
            keywords=said.keywords,
            sources=(part.id,),
            began_at=by.said_at,
            said_at=by.said_at,
            known_at=by.operation.known_at,
            recorded_at=by.operation.recorded_at,
            operation=by.operation.id,
            revision=self._next(old),
        )
        if said_by(new) == said_by(old):
            taking.notes.append(new)
            self._stored[id_] = new
            self.patterns.take(id_, None, None)
        else:
            [vector] = encoded.encode(self._engine.encoder, [new.shown])
            self._write(new, vector, taking)
            self.patterns.take(id_, said_by(new), vector)
        self._made[id_] = self._made.get(id_, 0) + 1
        self._supports.add((part.id, id_))

    def _write(self, note: Note, vector: NDArray[np.float32], taking: Taking) -> None:
        taking.notes.append(note)
        taking.documents += indexing.shown_by([indexing.note(note)], vector[np.newaxis])
        self._stored[note.id] = note
        self._supports.add((note.sources[0], note.id))

    def _next(self, old: Note) -> int:
        """Return the number of the next revision, as the store will expect it.

        The store numbers a revision after all that the note ever had, undone ones too.
        """
        if not self._made.get(old.id) or not self._has_gaps():
            return old.revision + 1
        return self._after_all(old.id) + self._made[old.id] + 1

    def _after_all(self, id_: str) -> int:
        if id_ not in self._first:
            had = self._engine.store.revisions(self._scope, id_)
            self._first[id_] = max((note.revision for note in had), default=0)
        return self._first[id_]

    def _has_gaps(self) -> bool:
        if self._gaps is None:
            log = self._engine.store.list_operations(self._scope, kinds=UNDOING, limit=1)
            self._gaps = bool(log)
        return self._gaps

    def _notes(self, ids: Sequence[str]) -> list[Note]:
        lacking = [id_ for id_ in dict.fromkeys(ids) if id_ not in self._stored]
        if lacking:
            found = self._engine.store.notes(self._scope, lacking)
            self._stored.update((note.id, note) for note in found)
        return [self._stored[id_] for id_ in ids if id_ in self._stored]

    def _load(self, ids: Sequence[str]) -> Mapping[str, Standing]:
        self._numbers.update((id_, int(self._graph.notes[self.patterns.row(id_)])) for id_ in ids)
        return {
            note.id: Standing(
                id=note.id, said=said_by(note), evolution_count=self._evolutions(note.id)
            )
            for note in self._notes(ids)
        }

    def _evolutions(self, id_: str) -> int:
        return max(0, len(self._counting(id_)) - 1)

    def _counting(self, id_: str) -> NDArray[np.intp]:
        """Return the rows of the support of a pattern that count."""
        support = self._graph.support
        rows = np.flatnonzero(support.of == self._numbers[id_])
        counting: NDArray[np.intp] = rows[support.known_until[rows] == NEVER]
        return counting


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """By what a part is taken in."""

    operation: Operation
    said_at: datetime
    """When the last of what the part tells was done."""
