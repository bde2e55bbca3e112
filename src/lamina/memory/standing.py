"""What of the found still stands: superseded entries give their place to what superseded them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lamina.memory.standpoint import Standpoint
from lamina.model import CONTRADICTS, KIN, At, Link, Message, Note, Scope
from lamina.work.engine import Engine

Entry = Message | Note


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An entry at a place of a ranking."""

    place: int
    """Whose relevance it has: its own, or that of what it took the place of."""
    id: str
    supersedes: tuple[str, ...] = ()
    """Ids of the notes whose place it took."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Entries that were looked up, with what was read from them."""

    entries: dict[str, Entry] = field(default_factory=dict)
    """Live ones, by id."""
    events: dict[str, list[Note]] = field(default_factory=dict)
    """The live notes of the events they belong to, by message."""
    facts: dict[str, list[Note]] = field(default_factory=dict)
    """The live facts that each of the entries tells, by the entry's id."""


def look_up(engine: Engine, scope: Scope, ids: Sequence[str], at: At | None) -> Found:
    """Return the live ones of these messages and notes with their events and facts."""
    entries: list[Entry] = [
        *engine.store.messages(scope, ids, at=at),
        *engine.store.notes(scope, ids, at=at),
    ]
    of = dict.fromkeys(e.id if isinstance(e, Message) else e.event for e in entries)
    events = engine.store.of_messages(scope, [event for event in of if event], at=at)
    facts = {e.id: _own_facts(e, events) for e in entries}
    _add_confirmed(engine, scope, entries, facts, at)
    return Found(entries={e.id: e for e in entries}, events=events, facts=facts)


def standing(
    engine: Engine,
    scope: Scope,
    places: Mapping[int, str],
    found: Found,
    standpoint: Standpoint,
) -> list[Candidate]:
    """Return what stands at these places of a ranking, in order.

    A message gives way to a person's edit of what was read from it. What is superseded gives its
    place to its heir, which is added to `found`; or shows for itself, where that is asked for.
    """
    kept = {p: id_ for p, id_ in places.items() if id_ in found.entries}
    kept = {p: id_ for p, id_ in kept.items() if not _edited(found.entries[id_], found.events)}
    moment = standpoint.valid_on
    if moment is not None:
        kept = {p: id_ for p, id_ in kept.items() if _holds(found, id_, standpoint)}
    elif not standpoint.superseded:
        return _with_heirs(engine, scope, kept, found, standpoint.at)
    return [Candidate(place=place, id=id_) for place, id_ in kept.items()]


def is_superseded(facts: Sequence[Note]) -> bool:
    """Whether something took the place of all that an entry tells."""
    return bool(facts) and all(fact.superseded_by for fact in facts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ties:
    """What entries are tied to by links, by the entry's id."""

    against: Mapping[str, tuple[str, ...]]
    """Ids of the notes that contradict one of its facts."""
    kin: Mapping[str, tuple[Note, ...]]
    """Summaries in which a sweep put it beside its kin of other times."""


def ties(engine: Engine, scope: Scope, found: Found, ids: Sequence[str], at: At | None) -> Ties:
    """Return what these entries are tied to."""
    told = {id_: [fact.id for fact in found.facts[id_]] for id_ in ids}
    asked = list(dict.fromkeys(fact for facts in told.values() for fact in facts))
    links = engine.store.links(scope, asked, at=at) if asked else []
    against, kin = _ends(links, CONTRADICTS), _ends(links, KIN)
    wanted = sorted({other for others in kin.values() for other in others} - kin.keys())
    summaries = {n.id: n for n in engine.store.notes(scope, wanted, at=at)} if wanted else {}
    return Ties(
        against={id_: _others(facts, against) for id_, facts in told.items()},
        kin={
            id_: tuple(summaries[o] for o in _others(facts, kin) if o in summaries)
            for id_, facts in told.items()
        },
    )


def _ends(links: Sequence[Link], relation: str) -> dict[str, list[str]]:
    """Return for each end of links of a relation the other ends."""
    found: dict[str, list[str]] = {}
    for link in links:
        if link.relation == relation:
            found.setdefault(link.source, []).append(link.target)
            found.setdefault(link.target, []).append(link.source)
    return found


def _others(facts: Sequence[str], ends: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(other for fact in facts for other in ends.get(fact, ())))


def _own_facts(entry: Entry, events: Mapping[str, Sequence[Note]]) -> list[Note]:
    notes = events.get(entry.id, ()) if isinstance(entry, Message) else [entry]
    return [note for note in notes if note.kind == "fact"]


def _add_confirmed(
    engine: Engine,
    scope: Scope,
    entries: Sequence[Entry],
    facts: dict[str, list[Note]],
    at: At | None,
) -> None:
    """Add the facts of messages that only said again what was known: those rest on them too."""
    bare = [e.id for e in entries if isinstance(e, Message) and not facts[e.id]]
    for note in engine.store.resting_on(scope, bare, at=at) if bare else []:
        if note.kind == "fact":
            for source in note.sources:
                if source in facts and note not in facts[source]:
                    facts[source].append(note)


def _edited(entry: Entry, events: Mapping[str, Sequence[Note]]) -> bool:
    """Whether a person's edit of what was read from a message stands in the message's place."""
    return isinstance(entry, Message) and any(n.by_person for n in events.get(entry.id, ()))


def _holds(found: Found, id_: str, standpoint: Standpoint) -> bool:
    """Whether an entry, or a fact that it tells, holds at the moment asked for."""
    moment = standpoint.valid_on
    assert moment is not None
    entry, facts = found.entries[id_], found.facts[id_]
    if facts:
        return any(fact.holds_on(moment) for fact in facts)
    return entry.said_at <= moment if isinstance(entry, Message) else entry.holds_on(moment)


def _with_heirs(
    engine: Engine, scope: Scope, places: Mapping[int, str], found: Found, at: At | None
) -> list[Candidate]:
    past = {id_ for id_ in places.values() if is_superseded(found.facts[id_])}
    heirs = _heirs(engine, scope, [f for id_ in past for f in found.facts[id_]], at)
    chosen: dict[str, Candidate] = {}
    for place, id_ in places.items():
        if id_ not in past:
            chosen.setdefault(id_, Candidate(place=place, id=id_))
            continue
        for fact in found.facts[id_]:
            heir = heirs.get(fact.id)
            if heir is not None:
                _take_place(chosen, place, fact, heir)
    new = look_up(engine, scope, [id_ for id_ in chosen if id_ not in found.entries], at)
    found.entries.update(new.entries)
    found.events.update(new.events)
    found.facts.update(new.facts)
    return [each for each in chosen.values() if each.id in found.entries]


def _take_place(chosen: dict[str, Candidate], place: int, fact: Note, heir: Note) -> None:
    """Put an heir, or the message that it only repeats, at the place of what it superseded."""
    id_ = heir.id if heir.indexed or heir.event is None else heir.event
    known = chosen.get(id_, Candidate(place=place, id=id_))
    supersedes = tuple(dict.fromkeys((*known.supersedes, fact.id)))
    chosen[id_] = Candidate(place=known.place, id=id_, supersedes=supersedes)


def _heirs(engine: Engine, scope: Scope, facts: Sequence[Note], at: At | None) -> dict[str, Note]:
    """Return for each superseded fact what stands in its place at the end of the chain."""
    known: dict[str, Note] = {fact.id: fact for fact in facts}
    wanted = {fact.superseded_by for fact in facts if fact.superseded_by} - known.keys()
    while wanted:
        notes = engine.store.notes(scope, sorted(wanted), at=at)
        known.update({note.id: note for note in notes})
        wanted = {n.superseded_by for n in notes if n.superseded_by} - known.keys()
    ends = {fact.id: _end(fact, known) for fact in facts}
    return {id_: end for id_, end in ends.items() if end is not None}


def _end(fact: Note, known: Mapping[str, Note]) -> Note | None:
    """Follow a chain to its end; `None` if that is hidden, or the chain closes on itself."""
    passed: set[str] = set()
    here: Note | None = fact
    while here is not None and here.superseded_by:
        if here.id in passed:
            return None
        passed.add(here.id)
        here = known.get(here.superseded_by)
    return here
