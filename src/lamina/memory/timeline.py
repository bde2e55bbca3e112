"""The story of a topic: who mentioned it first, what came later, and how it hangs together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lamina.memory import read
from lamina.memory.standpoint import NOW, Standpoint
from lamina.memory.values import Moment
from lamina.memory.write import whole
from lamina.model import Hit, Scope
from lamina.recall.analysis import terms
from lamina.work.engine import Engine

ABOUT = 0.4
"""Cosine from which a text is about a topic that it does not mention; of the encoders we ship."""


def timeline(
    engine: Engine, scope: Scope, topic: str, limit: int, view: Standpoint = NOW
) -> list[Moment]:
    """Return what was said of a topic, oldest first; see `Handle.timeline`."""
    # A story tells what was, too.
    view = replace(view, superseded=True)
    wanted = read.Wanted(top_k=whole("limit", limit), standpoint=view)
    hits = read.search(engine, scope, topic, wanted)
    asked = _words(topic, hits)
    told = [h for h in hits if h.similarity >= ABOUT or not asked.isdisjoint(terms(h.text))]
    told.sort(key=lambda hit: (hit.said_at, hit.kind == "summary", hit.place, hit.id))
    first = next((hit.id for hit in told if hit.kind != "summary"), None)
    return [_moment(hit, is_first=hit.id == first) for hit in told]


def _words(topic: str, hits: Sequence[Hit]) -> set[str]:
    """Return the terms of a topic, names of speakers apart unless it has no others."""
    asked = set(terms(topic))
    speakers = {hit.speaker for hit in hits if hit.speaker}
    names = {name for speaker in speakers for name in terms(speaker)}
    return asked - names or asked


def _moment(hit: Hit, *, is_first: bool) -> Moment:
    return Moment(
        role="first mention" if is_first else "summary" if hit.kind == "summary" else "later",
        said_at=hit.said_at,
        speaker=hit.speaker,
        text=hit.text,
        why="; ".join(note.text for note in hit.event if note.kind == "relation"),
        sources=hit.sources,
        relevance=hit.relevance,
        until=hit.invalid_at if hit.superseded_by else None,
    )
