"""Reading: from a query to hits, and from hits to a block for a prompt.

The stages are functions of their own, so that each can be timed: `take_apart`, `rank`, `told`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from lamina.errors import BadInput
from lamina.memory.write import whole
from lamina.model import Hit, Message, Note, Scope, Variant
from lamina.ports import NOTE_KINDS, Documents
from lamina.recall import scoring, signals
from lamina.recall.context import Context, fill
from lamina.recall.near_duplicates import distinct
from lamina.work.engine import Engine

KINDS = ("message", *NOTE_KINDS)
CONTEXT_HITS = 65
"""Hits that a context is filled from: as the paper reads, 60 entries and 5 summaries."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a search is to return."""

    top_k: int = 10
    kinds: Sequence[str] | None = None
    variant: Variant = "full"
    explain: bool = False
    asked_at: datetime | None = None
    """When the query was asked, from which its "yesterday" counts; now, if not given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Everything in a scope, ranked for one query."""

    asked: signals.Query
    documents: Documents
    ranked: scoring.Ranked


def search(engine: Engine, scope: Scope, text: str, wanted: Wanted) -> list[Hit]:
    """Return the most relevant hits; see `Handle.search`."""
    _check(text, wanted)
    ranking = rank(engine, scope, take_apart(engine, text, wanted), wanted.variant)
    return told(engine, scope, ranking, wanted)


def context(
    engine: Engine, scope: Scope, text: str, max_tokens: int, asked_at: datetime | None = None
) -> Context:
    """Return a block of the most relevant that fits; see `Handle.context`."""
    whole("max_tokens", max_tokens)
    hits = search(engine, scope, text, Wanted(top_k=CONTEXT_HITS, asked_at=asked_at))
    return fill(hits, max_tokens=max_tokens, count=engine.encoder.count_tokens)


def take_apart(engine: Engine, text: str, wanted: Wanted) -> signals.Query:
    """Encode and analyse a query."""
    return signals.query(
        text,
        engine.encoder.encode([text])[0],
        now=wanted.asked_at or engine.clock.now(),
        languages=engine.encoder.space.languages,
    )


def rank(engine: Engine, scope: Scope, asked: signals.Query, variant: Variant) -> Ranking:
    """Rank everything in a scope, in one state of the store."""
    with engine.store.snapshot(scope) as snapshot:
        documents = snapshot.documents
        postings = snapshot.postings(asked.terms)
    found = signals.signals(asked, documents, postings)
    ranked = scoring.rank(found, documents, engine.weights, variant)
    return Ranking(asked=asked, documents=documents, ranked=ranked)


def told(engine: Engine, scope: Scope, ranking: Ranking, wanted: Wanted) -> list[Hit]:
    """Return the best of a ranking as hits with their events.

    Near-duplicates give way, and so does a message to a person's edit of what was read from it;
    further candidates are then looked at, twice as many each time.
    """
    candidates = _candidates(ranking, wanted).tolist()
    looked = wanted.top_k
    while True:
        hits = _hits(engine, scope, ranking, candidates[:looked], wanted)
        if len(hits) >= wanted.top_k or looked >= len(candidates):
            return hits
        looked *= 2


def _hits(
    engine: Engine, scope: Scope, ranking: Ranking, places: Sequence[int], wanted: Wanted
) -> list[Hit]:
    documents, rows = ranking.documents, ranking.ranked.rows
    entries = _entries(engine, scope, documents, rows[places])
    events = _events(engine, scope, list(entries.values()))
    refs = {place: documents.refs[rows[place]] for place in places}
    places = [p for p in places if refs[p] in entries and not _edited(entries[refs[p]], events)]
    found = [entries[refs[place]] for place in places]
    kept = distinct(
        [entry.text for entry in found],
        [entry.said_at for entry in found],
        documents.vectors[rows[places]],
        wanted.top_k,
    )
    return [_hit(found[i], events, _measured(ranking, places[i], wanted)) for i in kept]


def _edited(entry: Message | Note, events: Mapping[str, Sequence[Note]]) -> bool:
    """Whether a person's edit of what was read from a message stands in the message's place."""
    return isinstance(entry, Message) and any(n.by_person for n in events.get(entry.id, ()))


def _measured(ranking: Ranking, place: int, wanted: Wanted) -> dict[str, Any]:
    """Return what a hit has from the ranking alone."""
    documents, row = ranking.documents, ranking.ranked.rows[place]
    turn = documents.turns[row]
    if turn < 0:
        turn = max(documents.rest_turns[documents.rest_rows == row], default=0)
    return {
        "relevance": float(ranking.ranked.relevance[place]),
        "similarity": float(documents.vectors[row] @ ranking.asked.vector),
        "place": int(turn),
        "signals": ranking.ranked.explain(place) if wanted.explain else {},
    }


def _check(text: str, wanted: Wanted) -> None:
    if not isinstance(text, str) or not text.strip():
        raise BadInput("the query is blank; say what to look for")
    whole("top_k", wanted.top_k)
    if wanted.variant not in get_args(Variant):
        raise BadInput(
            f"there is no variant {wanted.variant!r}; use one of {', '.join(get_args(Variant))}"
        )
    if isinstance(wanted.kinds, str):
        raise BadInput(f"kinds is a list of kinds: pass [{wanted.kinds!r}]")
    unknown = [kind for kind in wanted.kinds or () if kind not in KINDS]
    if unknown:
        raise BadInput(f"there is no kind {unknown[0]!r}; use some of {', '.join(KINDS)}")


def _candidates(ranking: Ranking, wanted: Wanted) -> NDArray[np.int64]:
    """Return places in the ranking of the kinds wanted and of any relevance, best first."""
    ranked, documents = ranking.ranked, ranking.documents
    fits = ranked.relevance > 0
    if wanted.kinds is not None:
        kinds = [NOTE_KINDS.index(kind) if kind in NOTE_KINDS else -1 for kind in wanted.kinds]
        fits &= np.isin(documents.kinds[ranked.rows], kinds)
    return np.flatnonzero(fits)


def _entries(
    engine: Engine, scope: Scope, documents: Documents, rows: NDArray[np.int32]
) -> dict[str, Message | Note]:
    """Return the live messages and notes that rows of documents show, by id."""
    is_note = documents.kinds[rows] >= 0
    messages = [documents.refs[row] for row in rows[~is_note]]
    notes = [documents.refs[row] for row in rows[is_note]]
    found: list[Message | Note] = []
    found += engine.store.messages(scope, messages) if messages else []
    found += engine.store.notes(scope, notes) if notes else []
    return {entry.id: entry for entry in found}


def _events(
    engine: Engine, scope: Scope, entries: Sequence[Message | Note]
) -> dict[str, list[Note]]:
    """Return the notes of each event that the entries belong to."""
    of = [e.id if isinstance(e, Message) else e.event for e in entries]
    return engine.store.of_messages(scope, [event for event in dict.fromkeys(of) if event])


def _hit(
    entry: Message | Note, events: Mapping[str, Sequence[Note]], measured: Mapping[str, Any]
) -> Hit:
    if isinstance(entry, Message):
        return Hit(
            kind="message",
            id=entry.id,
            text=entry.text,
            session=entry.session,
            speaker=entry.speaker,
            role=entry.role,
            began_at=entry.said_at,
            said_at=entry.said_at,
            sources=(entry.id,),
            event=tuple(events.get(entry.id, ())),
            **measured,
        )
    others = [note for note in events.get(entry.event or "", ()) if note.id != entry.id]
    return Hit(
        kind=entry.kind,
        id=entry.id,
        text=entry.text,
        session=None,
        speaker=entry.said_by,
        role=entry.role,
        certainty=entry.certainty,
        began_at=entry.began_at,
        said_at=entry.said_at,
        valid_at=entry.valid_at,
        sources=entry.sources,
        event=tuple(others),
        **measured,
    )
