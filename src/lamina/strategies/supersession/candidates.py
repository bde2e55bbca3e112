"""Which known facts are put before a model beside a new one: few, and only where it may matter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lamina.model import Note
from lamina.ports import Found, StepView
from lamina.recall.analysis import terms
from lamina.strategies.supersession.config import SupersessionConfig

_CHANGE = re.compile(
    r"\b(?:no longer|not .{0,40}any ?more|instead of|moved (?:to|from|out|back)|relocat\w+|"
    r"switch\w+ (?:to|from)|changed? \w+ (?:to|from)|quit|resigned|gave up|rescheduled|postponed|"
    r"cancel\w+|corrects?|corrected|actually|used to)\b|不再|已经不|改[到成为期]|换成|搬到|搬回|辞职|离职|"
    r"跳槽|戒[了掉烟酒]|取消|推迟|其实|更正|说错",
    re.IGNORECASE,
)
"""Words of a change: such a fact need share no word with the one that it replaces."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """A new fact and the known ones that it is to be held against."""

    new: Note
    known: tuple[Note, ...]
    weight: float
    """Part of its words that it shares with the nearest in words, at most 1."""


def pairings(notes: Sequence[Note], view: StepView, config: SupersessionConfig) -> list[Pairing]:
    """Return what is worth asking about, in the order of the new facts; [] if nothing is.

    Candidates are of the same subject, read from another message, and share words that mean
    something; beside a fact that tells of a change the nearest stand whatever their words. At
    most `facts_a_call` times `calls_a_step` facts are kept, those first that share the most.
    """
    near = view.kin(notes, config.nearest) if notes else []
    weighed = [
        pairing
        for note, found in zip(notes, near, strict=True)
        if (pairing := _pairing(note, found, config))
    ]
    most = config.facts_a_call * config.calls_a_step
    kept = sorted(weighed, key=lambda each: -each.weight)[:most]
    chosen = {each.new.id for each in kept}
    return _once([each for each in weighed if each.new.id in chosen])


def _pairing(note: Note, found: Sequence[Found], config: SupersessionConfig) -> Pairing | None:
    of_subject = [
        (near.entry, _shared(note, near.entry))
        for near in found
        if isinstance(near.entry, Note) and _comparable(note, near.entry)
    ]
    alike = [pair for pair in of_subject if _alike(pair[1], config)]
    chosen = of_subject[:1] if not alike and _tells_change(note, of_subject) else alike
    if not chosen:
        return None
    known = tuple(entry for entry, _ in chosen[: config.candidates])
    return Pairing(new=note, known=known, weight=max(share for _, (_, share) in chosen))


def _comparable(note: Note, other: Note) -> bool:
    """Whether two facts are of one subject, and not of one message: that told both to hold."""
    return (
        other.kind == "fact"
        and note.event != other.event
        and subject(note) == subject(other)
        and not (note.by_person and other.by_person)
    )


def subject(note: Note) -> str:
    """Return whom or what a fact is about, for comparison."""
    return (note.about or note.said_by or "").casefold()


def _tells_change(note: Note, others: Sequence[tuple[Note, object]]) -> bool:
    return bool(_CHANGE.search(note.text) or any(_CHANGE.search(o.text) for o, _ in others[:1]))


def _shared(note: Note, other: Note) -> tuple[int, float]:
    """Return how many words two facts share, and which part of the shorter one that is."""
    names = set(terms(f"{note.about} {note.said_by} {other.about} {other.said_by}"))
    ours, theirs = set(terms(note.text)) - names, set(terms(other.text)) - names
    shorter = min(len(ours), len(theirs))
    return len(ours & theirs), len(ours & theirs) / shorter if shorter else 0.0


def _alike(shared: tuple[int, float], config: SupersessionConfig) -> bool:
    count, share = shared
    return count >= config.shared_terms and share >= config.shared_share


def _once(found: Sequence[Pairing]) -> list[Pairing]:
    """Ask about two new facts once, not from either side."""
    asked: set[frozenset[str]] = set()
    kept = []
    for each in found:
        known = tuple(_not_asked(each, asked))
        if known:
            kept.append(Pairing(new=each.new, known=known, weight=each.weight))
    return kept


def _not_asked(each: Pairing, asked: set[frozenset[str]]) -> Iterator[Note]:
    for other in each.known:
        pair = frozenset({each.new.id, other.id})
        if pair not in asked:
            asked.add(pair)
            yield other
