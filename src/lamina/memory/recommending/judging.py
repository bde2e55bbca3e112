"""Asking a model to rank: the best candidates are shown, and its reply is made a permutation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from lamina.identity import digest
from lamina.items import Fallback, Method, Ranked, Ranking
from lamina.memory.lending import Facts
from lamina.memory.pooling.retrieving import NOTHING, LookedUp
from lamina.memory.recommending import sharing
from lamina.memory.recommending.grounds import Grounds
from lamina.model import Note
from lamina.models.failures import error_of
from lamina.ports import LLM, Failure
from lamina.ranking import linked, order
from lamina.strategies.atomrec import reading
from lamina.strategies.atomrec.stages import (
    Candidate,
    Card,
    Fields,
    Reading,
    Scored,
    Stages,
    Synthesis,
    Taste,
)

T = TypeVar("T", Synthesis, Taste)
SHOWN = 20
"""Candidates that a model is shown at most; more are narrowed by the extractive ranker."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shortlist:
    """What is to be ranked, and how it stands without a model."""

    user: str
    instruction: str
    given: tuple[str, ...]
    """Each candidate once, in the order given."""
    best: tuple[str, ...]
    """The same, best first by the extractive ranker."""
    fallback: Fallback = "extractive"
    chat: Facts = ()
    found: LookedUp = NOTHING
    """What users share that was looked up for the user."""
    method: Method = "lamina"


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What a model made of it: all candidates, each once."""

    ids: tuple[str, ...]
    said: dict[str, tuple[float, str]] = field(default_factory=dict)
    """Score and rationale of what it named."""
    synthesis: Synthesis | None = None
    taste: Taste | None = None
    appended: int = 0
    invented: int = 0
    failure: Failure | None = None
    """Why there was no reply that could be used."""
    narrowed_from: int = 0

    def marked(self, ranked: Ranked) -> Ranked:
        """Return an item with what the model said of it."""
        if ranked.item not in self.said:
            return replace(ranked, by="fallback")
        score, rationale = self.said[ranked.item]
        return replace(ranked, by="model", score=score, rationale=rationale or ranked.rationale)

    def told(self, ranking: Ranking) -> Ranking:
        """Return a ranking with what became of the reply."""
        return replace(
            ranking,
            facets=self.taste.facets if self.taste else (),
            synthesis=self.synthesis.summary if self.synthesis else "",
            appended=self.appended,
            invented=self.invented,
            discarded=self.failure is not None,
            failure=str(error_of(self.failure)) if self.failure else "",
            narrowed_from=self.narrowed_from,
        )


def judge(known: Grounds, shortlist: Shortlist) -> Judged | None:
    """Return what a model makes of a shortlist; `None`, if there is none to ask, or nothing."""
    stages = _stages(known, shortlist)
    if stages is None or not shortlist.best:
        return None
    shown = shortlist.best[:SHOWN]
    alone = shortlist.method == "amem4rec"
    read = (
        sharing.reading(shortlist.instruction, shortlist.found)
        if alone
        else _reading(known, shortlist)
    )
    synthesis = _good(stages.synthesise(read)) if read.linked else None
    taste = _good(stages.taste(read, synthesis)) if not alone and (read.own or read.chat) else None
    scored = stages.score(read, synthesis, taste, _candidates(known, shortlist, shown))
    return _judged(shortlist, shown, scored, (synthesis, taste))


def _judged(
    shortlist: Shortlist,
    shown: tuple[str, ...],
    scored: Scored | Failure,
    read: tuple[Synthesis | None, Taste | None],
) -> Judged:
    """Return the reply as a permutation: then what it left out, then what it was not shown."""
    told = () if isinstance(scored, Failure) else scored.scores
    inside = frozenset(shown)
    rest = [id_ for id_ in shortlist.given if id_ in inside]
    ordered = shown if shortlist.fallback == "extractive" else rest
    merged = order.merged([(id_, score) for id_, score, _ in told], ordered)
    said: dict[str, tuple[float, str]] = {}
    for id_, score, rationale in told:
        if id_ in inside:
            said.setdefault(id_, (score, rationale))
    narrowed = len(shortlist.best) > len(shown)
    return Judged(
        ids=(*merged.ids, *shortlist.best[len(shown) :]),
        said=said,
        synthesis=read[0],
        taste=read[1],
        appended=len(shown) - merged.told,
        invented=merged.invented + (0 if isinstance(scored, Failure) else scored.invented),
        failure=scored if isinstance(scored, Failure) else None,
        narrowed_from=len(shortlist.best) if narrowed else 0,
    )


def _stages(known: Grounds, shortlist: Shortlist) -> Stages | None:
    """Return how a model is asked, if one is configured for ranking."""
    engine, scope = known.engine, known.scope
    moment = engine.clock.now().isoformat()
    operation = digest("rank", shortlist.user, shortlist.instruction, moment)
    rank = engine.llm(scope, "rank", operation)
    if rank is None:
        return None
    memory = engine.llm(scope, "memory", operation) or rank
    return _prompted(known, memory, rank)


def _prompted(known: Grounds, memory: LLM, rank: LLM) -> Stages:
    from lamina.strategies.atomrec.prompted import Prompted

    return Prompted(known.engine.atomrec, memory, rank, known.engine.encoder.count_tokens)


def _reading(known: Grounds, shortlist: Shortlist) -> Reading:
    user = shortlist.user
    asking = reading.Asking(
        scope=known.scope,
        user=user,
        instruction=shortlist.instruction,
        as_of=None if known.at is None else known.at.as_of,
        chat=tuple(_card(note) for note, _ in shortlist.chat),
    )
    read = reading.read(
        known.graph,
        known.shown(user),
        asking,
        known.engine.encoder.encode,
        known.engine.atomrec,
        known.rows(user),
    )
    return replace(read, patterns=sharing.cards(shortlist.found))


def _card(note: Note) -> Card:
    return Card(id=note.id, side="own", fields=Fields(content=note.text), at=note.said_at)


def _candidates(known: Grounds, shortlist: Shortlist, shown: Sequence[str]) -> list[Candidate]:
    """Return the candidates with what their notes say; all alike, none by its place.

    By `amem4rec` with what their descriptions say alone.
    """
    places = linked.places(known.graph).items
    alone = shortlist.method == "amem4rec"
    notes = {} if alone else known.item_notes(shortlist.user, [places[id_] for id_ in shown])
    found = []
    for id_ in shown:
        described = known.item(places[id_])
        note = notes.get(places[id_])
        memory = " ".join(filter(None, (note.text, note.context))) if note else ""
        found.append(Candidate(item=described, memory=memory or described.description))
    return found


def _good(outcome: T | Failure) -> T | None:
    return None if isinstance(outcome, Failure) else outcome
