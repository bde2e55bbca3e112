"""The sweep: what nothing links to, put beside what is like it and far away in time.

StructMem looks for kin of what was said just now. A plan of half a year ago, or a habit that
returns each spring, may then lie beyond the nearest seeds. The sweep starts from the old event.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from lamina.model import KIN, Event
from lamina.ports import Found, StepView
from lamina.recall.analysis import terms
from lamina.strategies.structmem import past, sentences
from lamina.strategies.structmem.config import StructMemConfig
from lamina.strategies.structmem.dialogue import told_by

LOOKED = 8
"""Times as many entries as kin that are wanted: most of what is near in words is near in time."""
END_OF_TIME = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """An event and its kin of other times."""

    event: Event
    kin: tuple[Event, ...]
    similarity: float
    """Cosine of the event and its nearest kin, in [-1, 1]."""

    @property
    def events(self) -> list[Event]:
        """All of them, oldest first."""
        return sorted(
            (*self.kin, self.event), key=lambda e: (e.message.said_at, e.message.position)
        )


def clusters(events: Sequence[Event], view: StepView, config: StructMemConfig) -> list[Cluster]:
    """Return the events that have kin far away, the most alike first.

    At most `config.far_clusters`; an event that is kin in one of them starts none of its own.
    """
    telling = [event for event in events if _tells(event)]
    found = [c for event in telling if (c := _cluster(event, view, config))]
    found.sort(key=lambda c: (-c.similarity, c.event.message.id))
    chosen: list[Cluster] = []
    taken: set[str] = set()
    for each in found:
        if each.event.message.id not in taken and len(chosen) < config.far_clusters:
            chosen.append(each)
            taken.update(event.message.id for event in each.events)
    return chosen


def _cluster(event: Event, view: StepView, config: StructMemConfig) -> Cluster | None:
    near = view.near_to([event.message.id], config.far_kin * LOOKED, before=END_OF_TIME)
    far = [each for each in near if _is_far(event, each, config)]
    best = {id_: each.similarity for each in reversed(far) if (id_ := past.event_of(each))}
    wanted = sorted(best, key=lambda id_: (-best[id_], id_))[: config.far_kin]
    kin = [other for other in view.events(wanted) if _tells(other)]
    if not kin:
        return None
    return Cluster(event=event, kin=tuple(kin), similarity=max(best.values()))


def _is_far(event: Event, found: Found, config: StructMemConfig) -> bool:
    """Whether an entry is of another time and near, in meaning and by a word that means something.

    Either alone is not enough: everyday sentences of one speaker are all near in meaning.
    """
    gap = abs((found.entry.said_at - event.message.said_at).total_seconds())
    if gap < config.far_days * 86_400 or found.similarity < config.far_similarity:
        return False
    own = set(terms(told_by(event))) - set(terms(event.message.speaker))
    return not own.isdisjoint(terms(found.entry.text))


def _tells(event: Event) -> bool:
    """Whether it says something that holds: no question, no greeting, nothing that was recalled."""
    facts = [note for note in event.notes if note.kind == "fact"]
    if past.quotes_memory(event) or (facts and all(fact.superseded_by for fact in facts)):
        return False
    return any(map(sentences.states, sentences.split(told_by(event))))


def links(cluster: Cluster) -> tuple[tuple[str, str], ...]:
    """Return the links of a summary of these events: to the first note of each."""
    return tuple((event.notes[0].id, KIN) for event in cluster.events if event.notes)


def telling_sentence(event: Event, others: Sequence[Event]) -> str:
    """Return the sentence of an event that shares most terms with other events."""
    shared = {term for other in others for term in terms(told_by(other))}
    parts = [s for s in sentences.split(told_by(event)) if sentences.states(s)]
    return max(parts, key=lambda part: len(shared & set(terms(part))))
