"""What is known of a user in all; see `Recommender.profile`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np

from lamina.items import Facet
from lamina.memory.recommending.grounds import Grounds, grounds
from lamina.memory.write import identifier
from lamina.model import At, Revision, Scope, Value
from lamina.ports import USER_NOTE
from lamina.ranking import linked
from lamina.strategies.atomrec import extractive_reading, profiles, reading
from lamina.strategies.atomrec.stages import Card, Reading
from lamina.times import from_micros, to_micros
from lamina.work.engine import Engine

NOTES = 200
"""Notes of the user that facets are worked out from, the latest but for ties."""
FACETS = 20
"""Facets that are told at most, the best supported first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile(Value):
    """Sides of a user's taste."""

    user: str
    text: str = ""
    """What is known in all, in words; empty if nothing is."""
    facets: tuple[Facet, ...] = ()
    """Best supported first; `lasting` tells a stable preference from a passing one."""
    interactions: int = 0
    notes: int = 0
    """How many of them have a note."""
    first_at: datetime | None = None
    last_at: datetime | None = None
    """When the first and the last was done."""
    as_of: datetime | None = None


def profile(engine: Engine, scope: Scope, user: str, at: At | None) -> Profile:
    """Return what is known of a user; nothing is known of somebody new."""
    known = grounds(engine, scope, at)
    user = identifier(user)
    graph, place = known.graph, linked.places(known.graph).users.get(user, -1)
    done = graph.said_at[
        (graph.by == place) & (graph.said_at < known.t) & (graph.gone_at >= known.t)
    ]
    noted = linked.visible(graph, known.t) & (graph.whose == place)
    noted &= graph.kinds == USER_NOTE
    read = own_notes(known, user)
    written = as_written(known, user, read)
    return Profile(
        user=user,
        text=read.profile or profiles.told(written),
        facets=facets(known, written),
        interactions=len(done),
        notes=int(np.count_nonzero(noted)) if place >= 0 else 0,
        first_at=from_micros(int(done[0])) if len(done) else None,
        last_at=from_micros(int(done[-1])) if len(done) else None,
        as_of=None if at is None else at.as_of,
    )


def own_notes(known: Grounds, user: str) -> Reading:
    """Return a user's notes by a moment, no links followed."""
    engine = known.engine
    asking = reading.Asking(
        scope=known.scope, user=user, as_of=None if known.at is None else known.at.as_of
    )
    config = replace(engine.atomrec, top=NOTES, hops=0)
    return reading.read(
        known.graph, known.shown(user), asking, engine.encoder.encode, config, known.rows(user)
    )


def as_written(known: Grounds, user: str, read: Reading) -> list[Card]:
    """Return a user's notes with the keywords and tags that they were written with.

    What a note gained from others since says nothing of what the user did; what a person wrote
    does.
    """
    ids = [card.id for card in read.own]
    notes = known.shown(user).notes(known.scope, ids, at=known.at)
    store = known.engine.store
    first = {
        note.id: said(store.history(known.scope, note.id), known.t)
        for note in notes
        if note.revision > 1
    }
    return [
        replace(card, fields=replace(card.fields, keywords=told.keywords, tags=told.tags))
        if (told := first.get(card.id))
        else card
        for card in read.own
    ]


def said(revisions: Sequence[Revision], t: int) -> Revision:
    """Return the first of a note's revisions, or the last by a person that was known before `t`."""
    by_hand = [
        each
        for each in revisions[1:]
        if each.by_person and not each.withdrawn and to_micros(each.known_at) < t
    ]
    return [revisions[0], *by_hand][-1]


def facets(known: Grounds, written: Sequence[Card]) -> tuple[Facet, ...]:
    """Return the sides of a taste that notes bear out."""
    return tuple(extractive_reading.leanings(written, known.engine.atomrec)[:FACETS])
