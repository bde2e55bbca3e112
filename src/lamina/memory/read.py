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
from lamina.memory import lending, standing
from lamina.memory.standing import Candidate, Found, Ties
from lamina.memory.standpoint import NOW, Standpoint
from lamina.memory.write import whole
from lamina.model import At, Hit, Message, Note, Scope, Variant
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
    """When the query was asked, from which its "yesterday" counts; if not given, the moment that is
    looked from, or now."""
    standpoint: Standpoint = NOW


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Everything in a scope, ranked for one query."""

    asked: signals.Query
    documents: Documents
    ranked: scoring.Ranked


def search(engine: Engine, scope: Scope, text: str, wanted: Wanted) -> list[Hit]:
    """Return the most relevant hits; see `Handle.search`."""
    _check(text, wanted)
    at = wanted.standpoint.at
    ranking = rank(engine, scope, take_apart(engine, text, wanted), wanted.variant, at)
    hits = told(engine, scope, ranking, wanted)
    if scope.kind != "user" or not _wants_lent(wanted):
        return hits
    query = ranking.asked.vector
    return lending.with_notes(engine, scope, hits, query, wanted.top_k, at or At())


def _wants_lent(wanted: Wanted) -> bool:
    """Whether notes of recommenders may be among the hits."""
    kinds = wanted.kinds is None or "user_note" in wanted.kinds
    return kinds and wanted.standpoint.valid_on is None


def context(
    engine: Engine,
    scope: Scope,
    text: str,
    max_tokens: int,
    *,
    asked_at: datetime | None = None,
    standpoint: Standpoint = NOW,
) -> Context:
    """Return a block of the most relevant that fits; see `Handle.context`."""
    whole("max_tokens", max_tokens)
    wanted = Wanted(top_k=CONTEXT_HITS, asked_at=asked_at, standpoint=standpoint)
    hits: dict[str, Hit] = {}
    for hit in search(engine, scope, text, wanted):
        for told in (hit, *(_hit_of_kin(note, hit) for note in hit.kin)):
            hits.setdefault(told.id, told)
    return fill(list(hits.values()), max_tokens=max_tokens, count=engine.encoder.count_tokens)


def _hit_of_kin(note: Note, beside: Hit) -> Hit:
    """Return a summary as a hit, as relevant as what it stands beside."""
    return Hit(
        kind=note.kind,
        id=note.id,
        text=note.text,
        relevance=beside.relevance,
        place=beside.place,
        session=None,
        speaker=note.said_by,
        role=note.role,
        certainty=note.certainty,
        began_at=note.began_at,
        said_at=note.said_at,
        sources=note.sources,
    )


def take_apart(engine: Engine, text: str, wanted: Wanted) -> signals.Query:
    """Encode and analyse a query."""
    return signals.query(
        text,
        engine.encoder.encode([text])[0],
        now=wanted.asked_at or wanted.standpoint.asked_at or engine.clock.now(),
        languages=engine.encoder.space.languages,
    )


def rank(
    engine: Engine,
    scope: Scope,
    asked: signals.Query,
    variant: Variant,
    at: At | None = None,
) -> Ranking:
    """Rank everything in a scope, in one state of the store."""
    with engine.store.snapshot(scope, at=at) as snapshot:
        documents = snapshot.documents
        postings = snapshot.postings(asked.terms)
    found = signals.signals(asked, documents, postings)
    ranked = scoring.rank(found, documents, engine.weights, variant)
    return Ranking(asked=asked, documents=documents, ranked=ranked)


def told(engine: Engine, scope: Scope, ranking: Ranking, wanted: Wanted) -> list[Hit]:
    """Return the best of a ranking as hits with their events.

    Near-duplicates give way, and so do a message to a person's edit of what was read from it and
    what is superseded to its heir; further candidates are then looked at, twice as many each time.
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
    ids = {place: documents.refs[rows[place]] for place in places}
    view = wanted.standpoint
    found = standing.look_up(engine, scope, list(ids.values()), view.at)
    told = standing.standing(engine, scope, ids, found, view)
    at = {each.id: _row(ranking, each, ids) for each in told}
    told = [c for c in told if at[c.id] >= 0 and _wanted_kind(found.entries[c.id], wanted)]
    entries = [found.entries[each.id] for each in told]
    kept = distinct(
        [entry.text for entry in entries],
        [entry.said_at for entry in entries],
        documents.vectors[[at[each.id] for each in told]],
        wanted.top_k,
    )
    chosen = [told[i] for i in kept]
    ties = standing.ties(engine, scope, found, [each.id for each in chosen], view.at)
    return [
        _hit(each, found, ties, _measured(ranking, each, at[each.id], wanted)) for each in chosen
    ]


def _row(ranking: Ranking, candidate: Candidate, ids: Mapping[int, str]) -> int:
    """Return the row of a candidate's document; -1 for an heir that cannot be found."""
    if ids[candidate.place] == candidate.id:
        return int(ranking.ranked.rows[candidate.place])
    refs = ranking.documents.refs
    return next((int(row) for row in ranking.ranked.rows if refs[row] == candidate.id), -1)


def _wanted_kind(entry: Message | Note, wanted: Wanted) -> bool:
    kind = "message" if isinstance(entry, Message) else entry.kind
    return wanted.kinds is None or kind in wanted.kinds


def _measured(ranking: Ranking, candidate: Candidate, row: int, wanted: Wanted) -> dict[str, Any]:
    """Return what a hit has from the ranking alone."""
    documents = ranking.documents
    turn = documents.turns[row]
    if turn < 0:
        turn = max(documents.rest_turns[documents.rest_rows == row], default=0)
    return {
        "relevance": float(ranking.ranked.relevance[candidate.place]),
        "similarity": float(documents.vectors[row] @ ranking.asked.vector),
        "place": int(turn),
        "signals": ranking.ranked.explain(candidate.place) if wanted.explain else {},
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


def _hit(candidate: Candidate, found: Found, ties: Ties, measured: Mapping[str, Any]) -> Hit:
    entry, facts = found.entries[candidate.id], found.facts[candidate.id]
    past = standing.is_superseded(facts)
    shared = {
        "id": entry.id,
        "text": entry.text,
        "role": entry.role,
        "said_at": entry.said_at,
        "invalid_at": facts[0].invalid_at if past else None,
        "superseded_by": facts[0].superseded_by if past else None,
        "supersedes": candidate.supersedes,
        "disagrees_with": ties.against[entry.id],
        "kin": ties.kin[entry.id],
        **measured,
    }
    if isinstance(entry, Message):
        return Hit(
            kind="message",
            session=entry.session,
            speaker=entry.speaker,
            began_at=entry.said_at,
            sources=(entry.id,),
            event=tuple(found.events.get(entry.id, ())),
            **shared,
        )
    others = [note for note in found.events.get(entry.event or "", ()) if note.id != entry.id]
    return Hit(
        kind=entry.kind,
        session=None,
        speaker=entry.said_by,
        certainty=entry.certainty,
        began_at=entry.began_at,
        valid_at=entry.valid_at,
        sources=entry.sources,
        event=tuple(others),
        **shared | {"invalid_at": entry.invalid_at},
    )
