"""What a step may read and ask. It keeps a log, from which `known_at` is told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lamina.model import Event, Message, Note, Scope
from lamina.ports import LLM, VIEWS, Documents, Found
from lamina.times import to_micros
from lamina.work import kinship
from lamina.work.engine import Engine
from lamina.work.refused import refused

if TYPE_CHECKING:
    from lamina.model import Vectors


class RecordingView:
    """A `StepView` of one scope for one operation."""

    def __init__(self, engine: Engine, scope: Scope, operation: str) -> None:
        self._engine = engine
        self._scope = scope
        self._llm = engine.llm(scope, "memory", operation)
        self._sessions: dict[str, list[Message]] = {}
        self.known_at: datetime | None = None
        """The latest `said_at` among everything that was handed out."""

    @property
    def llm(self) -> LLM | None:
        """See `StepView.llm`."""
        return self._llm

    def hand_out(self, said: Iterable[datetime]) -> None:
        """Note that something said at these times was read."""
        times = [*said, *([self.known_at] if self.known_at else [])]
        self.known_at = max(times, default=None)

    def preceding(self, message: Message, count: int) -> list[Message]:
        """See `StepView.preceding`."""
        place = (message.said_at, message.position)
        before = [m for m in self._session(message.session) if (m.said_at, m.position) < place]
        shown = before[-count:] if count > 0 else []
        self.hand_out(m.said_at for m in shown)
        return shown

    def following(self, message: Message, count: int) -> list[Message]:
        """See `StepView.following`."""
        place = (message.said_at, message.position)
        latest = self._engine.store.latest(self._scope, 1, session=message.session)
        if all((m.said_at, m.position) <= place for m in latest):
            return []
        after = (m for m in self._session(message.session) if (m.said_at, m.position) > place)
        shown = [m for m in after if m.progress == "bound"][:count]
        self.hand_out(m.said_at for m in shown)
        return shown

    def _session(self, session: str) -> list[Message]:
        """Return its messages, oldest first; read once."""
        if session not in self._sessions:
            self._sessions[session] = self._engine.store.in_session(self._scope, session)
        return self._sessions[session]

    def nearest(
        self, texts: Sequence[str], k: int, *, before: datetime, exclude: Iterable[str] = ()
    ) -> list[list[Found]]:
        """See `StepView.nearest`."""
        documents = self._documents()
        rows = _entries(documents, before, frozenset(exclude))
        if not len(rows) or not texts:
            return [[] for _ in texts]
        return [self._found(documents, rows, query, k) for query in self.encode(texts)]

    def near_to(self, message_ids: Sequence[str], k: int, *, before: datetime) -> list[Found]:
        """See `StepView.near_to`."""
        documents, asked = self._documents(), frozenset(message_ids)
        own = _turns(documents, asked)
        rows = _entries(documents, before, asked)
        if not len(own) or not len(rows):
            return []
        query = documents.vectors[own].mean(axis=0)
        length = float((query @ query) ** 0.5)
        return self._found(documents, rows, query / length if length else query, k)

    def _documents(self) -> Documents:
        with self._engine.store.snapshot(self._scope) as snapshot:
            return snapshot.documents

    def _found(
        self, documents: Documents, rows: NDArray[np.int64], query: NDArray[np.float32], k: int
    ) -> list[Found]:
        line = documents.vectors.cosines(query)[rows]
        best = (-line).argsort(kind="stable")[:k]
        near = {documents.refs[rows[i]]: float(line[i]) for i in best}
        store = self._engine.store
        entries: list[Note | Message] = [
            *store.notes(self._scope, list(near)),
            *store.messages(self._scope, list(near)),
        ]
        self.hand_out(_known(entry) for entry in entries)
        found = [Found(entry=entry, similarity=near[entry.id]) for entry in entries]
        return sorted(found, key=lambda f: (-f.similarity, f.entry.id))

    def kin(self, notes: Sequence[Note], k: int) -> list[list[Found]]:
        """See `StepView.kin`."""
        near = kinship.nearest(self._documents(), notes, k)
        facts = self._facts({ref for each in near for ref, _ in each})
        found = [
            kinship.chosen(note, each, facts, k) for note, each in zip(notes, near, strict=True)
        ]
        self.hand_out(_known(f.entry) for each in found for f in each)
        return found

    def _facts(self, refs: set[str]) -> dict[str, list[Note]]:
        """Return the live facts that documents stand for, by what those show."""
        asked = sorted(refs)
        own = self._engine.store.notes(self._scope, asked)
        read = self._engine.store.of_messages(self._scope, asked)
        facts = {id_: [n for n in notes if n.kind == "fact"] for id_, notes in read.items()}
        return facts | {note.id: [note] for note in own if note.kind == "fact"}

    def events(self, message_ids: Sequence[str]) -> list[Event]:
        """See `StepView.events`."""
        messages = self._engine.store.messages(self._scope, message_ids)
        notes = self._engine.store.of_messages(self._scope, [m.id for m in messages])
        events = [Event(message=m, notes=tuple(notes.get(m.id, ()))) for m in messages]
        self.hand_out(e.message.said_at for e in events)
        self.hand_out(note.known_at for e in events for note in e.notes)
        return events

    def authors(self, message_ids: Sequence[str]) -> dict[str, str]:
        """See `StepView.authors`. Only a space has several."""
        if self._scope.kind != "space":
            return {}
        messages = self._engine.store.messages(self._scope, message_ids)
        return {m.id: m.author for m in messages if m.author is not None}

    def refused(self, note_ids: Sequence[str]) -> dict[str, frozenset[str]]:
        """See `StepView.refused`. What was rolled back never was, so nothing is known by it."""
        return refused(self._engine.store, self._scope, note_ids)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """See `StepView.encode`."""
        return self._engine.encoder.encode(texts)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """See `StepView.count_tokens`."""
        return self._engine.encoder.count_tokens(texts)


def _known(entry: Note | Message) -> datetime:
    return entry.known_at if isinstance(entry, Note) else entry.said_at


def _entries(documents: Documents, before: datetime, excluded: frozenset[str]) -> NDArray[np.int64]:
    """Return the rows of entries all of whose messages were said before a time.

    An entry is a note with a document of its own, or a turn; exchanges repeat turns.
    """
    limit = to_micros(before)
    rows = (documents.views != VIEWS.index("exchange")) & (documents.said_at < limit)
    left_out = np.array([ref in excluded for ref in documents.turn_refs], dtype=bool)
    turns = documents.turns
    if len(left_out):
        rows &= ~np.where(turns >= 0, left_out[turns], False)
        rows[documents.rest_rows[left_out[documents.rest_turns]]] = False
    return np.flatnonzero(rows)


def _turns(documents: Documents, message_ids: frozenset[str]) -> NDArray[np.int64]:
    """Return the rows of the turns of these messages."""
    rows = np.flatnonzero(documents.views == VIEWS.index("turn"))
    return np.array([row for row in rows if documents.refs[row] in message_ids], dtype=np.int64)
