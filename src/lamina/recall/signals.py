"""The signals that fusion adds up, each in [0, 1] for every turn and note of a scope."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

import numpy as np

from lamina.ports import NOTE_KINDS, Documents, Postings
from lamina.recall import analysis, lexical
from lamina.recall.arrays import Floats, Ints
from lamina.recall.fusion import NAMES, of_greatest, scaled
from lamina.recall.layout import (
    best_near,
    best_of_sources,
    handed_on,
    layout,
    session_maxima,
)
from lamina.recall.scripts import readable_share
from lamina.recall.time_words import TimeRange, asks_when, resolve
from lamina.times import to_micros

NOTHING: Floats = np.zeros(0, dtype=np.float32)

_HALF_SUBSTANCE = 20.0
"""Terms with which a turn has half of what substance can give."""
_SAID_THEN = 0.7
"""What it counts that a turn was said at the time asked for, against being about it."""
_OWN_WORDS = {
    "lexical": ("turn_lexical", "exchange_lexical"),
    "dense": ("turn_dense", "exchange_dense"),
}
_NOT_OF_SUMMARIES = [NAMES.index(n) for n in ("speaker", "substance", "near_lexical", "near_dense")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A query, taken apart."""

    terms: tuple[str, ...]
    """Distinct, in order: what `Snapshot.postings` is to be asked for."""
    vector: Floats
    """Shape (dim,), unit length."""
    times: tuple[TimeRange, ...]
    """The times that it names."""
    asks_when: bool
    readable: float
    """Which share of it the encoder reads, in [0, 1]."""
    asked_at: int
    """Microseconds: the moment that ages are counted from."""


def query(text: str, vector: Floats, *, now: datetime, languages: Set[str]) -> Query:
    """Take a query apart.

    Args:
        text: As asked.
        vector: Shape (dim,), unit length.
        now: The moment that "yesterday" is counted from.
        languages: What the encoder declares to read.
    """
    times = tuple(resolve(text, now, prefer_past=True))
    words = text
    for each in times:
        words = words.replace(each.phrase, " ")  # "March" is asked for as a time, not as a word
    return Query(
        terms=tuple(dict.fromkeys(analysis.terms(words))),
        vector=vector,
        times=times,
        asks_when=asks_when(text),
        readable=readable_share(text, languages),
        asked_at=to_micros(now),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Signals:
    """Each signal, in the order of `fusion.NAMES`, of each turn and note."""

    turn_rows: Ints
    """Shape (t,): rows of `Documents`, in the order of the turns."""
    turns: Floats
    """Shape (t, signals)."""
    note_rows: Ints
    """Shape (m,): rows of `Documents`."""
    notes: Floats
    """Shape (m, signals): `turn_*` are of the note's own words, as are a summary's `exchange_*`;
    the rest is the best of the turns that the note rests on."""
    asked_at: int
    """Microseconds: when the query was asked."""


def signals(asked: Query, documents: Documents, postings: Postings) -> Signals:
    """Return every signal of every turn and note.

    Args:
        asked: The query.
        documents: All that is visible.
        postings: Of `asked.terms`, in order.
    """
    reading = _Reading(asked, documents, postings)
    own = {"lexical": reading.words_of_notes(), "dense": reading.meaning(reading.notes)}
    columns = reading.of_turns() | reading.of_sessions() | reading.handed_on(own)
    turns = np.column_stack([columns[name] for name in NAMES])
    return Signals(
        turn_rows=reading.turns,
        turns=turns,
        note_rows=reading.notes,
        notes=reading.of_notes(own, turns),
        asked_at=asked.asked_at,
    )


@lru_cache(maxsize=1024)
def _terms_of_name(name: str) -> frozenset[str]:
    return frozenset(analysis.terms(name))


class _Reading:
    """One query against one state of a scope. Columns are of turns unless they say otherwise."""

    def __init__(self, asked: Query, documents: Documents, postings: Postings) -> None:
        self.asked = asked
        self.documents = documents
        self.layout = layout(documents)
        self.turns, self.notes = self.layout.turn_rows, self.layout.note_rows
        self.table = lexical.entries(postings)
        self.of_turn = lexical.within(self.table, self.layout.turn_places)
        self.cosines = documents.vectors.cosines(asked.vector) if len(documents.ids) else NOTHING

    def words_of_notes(self) -> Floats:
        """Return BM25 within the notes, as shares of the greatest."""
        return self._words(lexical.within(self.table, self.layout.note_places), self.notes)

    def _words(self, table: lexical.Entries, rows: Ints) -> Floats:
        return of_greatest(lexical.bm25(table, self.documents.lengths[rows].astype(np.float32)))

    def meaning(self, rows: Ints) -> Floats:
        """Return cosines within these rows, scaled; less as the encoder reads less of the query."""
        return scaled(self.cosines[rows]) * np.float32(self.asked.readable)

    def of_turns(self) -> dict[str, Floats]:
        """Return what turns have by themselves and by the turns next to them."""
        pairs = self.layout.exchange_rows
        pair_words = self._words(lexical.within(self.table, self.layout.exchange_places), pairs)
        pair_meaning = self.meaning(pairs)
        return {
            "turn_lexical": self._words(self.of_turn, self.turns),
            "turn_dense": self.meaning(self.turns),
            "speaker": self._speaker(),
            "substance": self._substance(),
            "when": self._names_time() * np.float32(self.asked.asks_when),
            "time": self._time(self.turns),
            "exchange_lexical": pair_words,
            "exchange_dense": pair_meaning,
            "near_lexical": best_near(pair_words, self.layout.sessions),
            "near_dense": best_near(pair_meaning, self.layout.sessions),
        }

    def of_sessions(self) -> dict[str, Floats]:
        """Return what turns have by the session they are in."""
        sessions, count = self.layout.sessions, self.layout.session_count
        lengths = np.bincount(sessions, self.documents.lengths[self.turns], minlength=count)
        table = lexical.merged(self.of_turn, sessions, count)
        words = lexical.bm25(table, lengths.astype(np.float32))
        best = session_maxima(self.cosines[self.layout.exchange_rows], sessions)
        return {
            "session_lexical": of_greatest(words)[sessions],
            "session_dense": scaled(best)[sessions] * np.float32(self.asked.readable),
        }

    def handed_on(self, own: dict[str, Floats]) -> dict[str, Floats]:
        """Return what facts, relations and summaries hand on to the turns they rest on."""
        value = (own["lexical"] + own["dense"]) / np.float32(1.0 + self.asked.readable)
        kinds = self.documents.kinds[self.notes]
        return {
            kind: handed_on(np.where(kinds == i, value, 0), self.layout)
            for i, kind in enumerate(NOTE_KINDS)
            if kind in NAMES
        }

    def of_notes(self, own: dict[str, Floats], turns: Floats) -> Floats:
        """Return (m, signals): what notes have by themselves and by the turns they rest on."""
        found = best_of_sources(turns, self.layout)
        summary = self.documents.kinds[self.notes] == NOTE_KINDS.index("summary")
        column = {name: found[:, i] for i, name in enumerate(NAMES)}
        for kind in column.keys() & set(NOTE_KINDS):
            column[kind][:] = 0
        for sort, (turn, pair) in _OWN_WORDS.items():
            column[turn][:] = own[sort]
            column[pair][summary] = own[sort][summary]
        column["time"][:] = np.maximum(column["time"], self._time(self.notes))
        found[np.ix_(summary, _NOT_OF_SUMMARIES)] = 0
        return found

    def _speaker(self) -> Floats:
        """Return 1 where the query names who said it."""
        asked = set(self.asked.terms)
        names = self.documents.speaker_names
        named = [not asked.isdisjoint(_terms_of_name(name)) for name in names]
        spoken: Floats = np.array(named, dtype=np.float32)[self.documents.speakers[self.turns]]
        return spoken

    def _substance(self) -> Floats:
        lengths = self.documents.lengths[self.turns].astype(np.float32)
        share: Floats = lengths / (lengths + np.float32(_HALF_SUBSTANCE))
        return share

    def _names_time(self) -> Floats:
        named: Floats = (self.documents.refers_until[self.turns] != 0).astype(np.float32)
        return named

    def _time(self, rows: Ints) -> Floats:
        """Return which share of what it is about, or else when it was said, the query names."""
        found = np.zeros(len(rows), dtype=np.float32)
        if not self.asked.times:
            return found
        about = (self.documents.refers_from[rows], self.documents.refers_until[rows])
        said = self.documents.said_at[rows]
        for time in self.asked.times:
            shared = np.minimum(about[1], time.end) - np.maximum(about[0], time.start)
            share = np.maximum(shared, 0) / np.maximum(about[1] - about[0], 1)
            then = (said >= time.start) & (said < time.end)
            found = np.maximum(found, np.maximum(share, then * _SAID_THEN)).astype(np.float32)
        return found
