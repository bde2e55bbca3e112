"""The story of a topic: who mentioned it first, what came later, and how it hangs together."""

from __future__ import annotations

from lamina.memory import read
from lamina.memory.values import Moment
from lamina.memory.write import whole
from lamina.model import Hit, Scope
from lamina.work.engine import Engine

SHARE_OF_BEST = 0.35
"""A hit belongs to the topic if it is at least this share as relevant as the best one."""


def timeline(engine: Engine, scope: Scope, topic: str, limit: int) -> list[Moment]:
    """Return what was said of a topic, oldest first; see `Handle.timeline`."""
    hits = read.search(engine, scope, topic, read.Wanted(top_k=whole("limit", limit)))
    best = max((hit.relevance for hit in hits), default=0.0)
    told = [hit for hit in hits if hit.relevance >= SHARE_OF_BEST * best > 0]
    told.sort(key=lambda hit: (hit.said_at, hit.kind, hit.id))
    first = next((hit.id for hit in told if hit.kind != "summary"), None)
    return [_moment(hit, is_first=hit.id == first) for hit in told]


def _moment(hit: Hit, *, is_first: bool) -> Moment:
    return Moment(
        role="first mention" if is_first else "summary" if hit.kind == "summary" else "later",
        said_at=hit.said_at,
        speaker=hit.speaker,
        text=hit.text,
        why="; ".join(note.text for note in hit.event if note.kind == "relation"),
        sources=hit.sources,
        relevance=hit.relevance,
    )
