"""Documents and postings from a few words, as a store would give them."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from lamina.model import NoteKind
from lamina.ports import NOTE_KINDS, Documents, Postings, VectorRows
from lamina.recall import signals
from lamina.recall.analysis import terms
from lamina.recall.signals import Query, Signals
from lamina.recall.time_words import resolve
from lamina.times import to_micros

DIM = 64
BEGIN = datetime(2023, 5, 8, 12, tzinfo=UTC)


def bag(text: str) -> NDArray[np.float32]:
    """Return a vector that texts with the same terms share: an encoder that knows no synonyms."""
    found = np.zeros(DIM, dtype=np.float32)
    for term in terms(text):
        found[sum(term.encode("utf-8", "surrogatepass")) % DIM] += 1
    length = np.linalg.norm(found)
    return (found / length if length else found).astype(np.float32)


@dataclass(frozen=True)
class Turn:
    text: str
    speaker: str = "ann"
    session: str = "s1"
    said_at: datetime = BEGIN


@dataclass(frozen=True)
class Told:
    kind: NoteKind
    text: str
    turns: tuple[int, ...]


@dataclass(frozen=True)
class _Row:
    view: int
    text: str
    turn: int = -1
    kind: int = -1


class Shelf:
    """Turns by session, their exchanges, and notes that rest on them."""

    def __init__(
        self, turns: Sequence[Turn], notes: Sequence[Told] = (), *, exchanges: bool = True
    ) -> None:
        rows = [_Row(0, f"{turn.speaker}: {turn.text}", i) for i, turn in enumerate(turns)]
        if exchanges:
            rows += _exchanges(turns)
        first_note = len(rows)
        rows += [_note(note) for note in notes]
        self._counts = [Counter(terms(row.text)) for row in rows]
        rests = [(first_note + i, t) for i, note in enumerate(notes) for t in note.turns]
        self.documents = _documents(turns, rows, self._counts, rests)

    def postings(self, asked: Sequence[str]) -> Postings:
        found = defaultdict(list)
        for row, counts in enumerate(self._counts):
            for term, count in counts.items():
                found[term].append((row, count))
        entries = [found.get(term, []) for term in asked]
        flat = [entry for each in entries for entry in each]
        return Postings(
            starts=np.cumsum([0, *map(len, entries)]).astype(np.int64),
            rows=np.array([row for row, _ in flat], dtype=np.int32),
            counts=np.array([count for _, count in flat], dtype=np.int32),
        )

    def signals(self, asked: Query) -> Signals:
        return signals.signals(asked, self.documents, self.postings(asked.terms))


def ask(text: str, languages: Sequence[str] = ("en",), days_later: int = 100) -> Query:
    now = BEGIN + timedelta(days=days_later)
    return signals.query(text, bag(text), now=now, languages=frozenset(languages))


def _exchanges(turns: Sequence[Turn]) -> list[_Row]:
    return [
        _Row(1, f"{before.speaker}: {before.text}\n{turn.speaker}: {turn.text}", i)
        for i, (before, turn) in enumerate(pairwise(turns), start=1)
        if before.session == turn.session
    ]


def _note(note: Told) -> _Row:
    turn = -1 if note.kind == "summary" else note.turns[-1]
    return _Row(2, note.text, turn, NOTE_KINDS.index(note.kind))


def _documents(
    turns: Sequence[Turn],
    rows: Sequence[_Row],
    counts: Sequence[Counter[str]],
    rests: Sequence[tuple[int, int]],
) -> Documents:
    sessions = list(dict.fromkeys(turn.session for turn in turns))
    speakers = list(dict.fromkeys(turn.speaker for turn in turns))
    of = [turns[row.turn] if row.turn >= 0 else None for row in rows]
    said = [turn.said_at if turn else BEGIN for turn in of]
    spans = [
        [(r.start, r.end) for r in resolve(row.text, at)]
        for row, at in zip(rows, said, strict=True)
    ]
    return Documents(
        ids=np.arange(1, len(rows) + 1),
        views=np.array([row.view for row in rows], dtype=np.int8),
        kinds=np.array([row.kind for row in rows], dtype=np.int8),
        refs=tuple(f"r{i}" for i in range(len(rows))),
        turns=np.array([row.turn for row in rows], dtype=np.int32),
        sessions=np.array([sessions.index(t.session) if t else -1 for t in of], dtype=np.int32),
        session_names=tuple(sessions),
        speakers=np.array([speakers.index(t.speaker) if t else -1 for t in of], dtype=np.int32),
        speaker_names=tuple(speakers),
        said_at=np.array([to_micros(at) for at in said], dtype=np.int64),
        refers_from=np.array([min((s for s, _ in each), default=0) for each in spans]),
        refers_until=np.array([max((e for _, e in each), default=0) for each in spans]),
        lengths=np.array([each.total() for each in counts], dtype=np.int32),
        vectors=VectorRows(np.array([bag(row.text) for row in rows], np.float32).reshape(-1, DIM)),
        rest_rows=np.array([row for row, _ in rests], dtype=np.int32),
        rest_turns=np.array([turn for _, turn in rests], dtype=np.int32),
        turn_refs=tuple(f"m{i}" for i in range(len(turns))),
    )
