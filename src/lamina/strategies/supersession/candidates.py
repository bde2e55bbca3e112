"""Which known facts are put before a model beside a new one: few, and only where it may matter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lamina.model import Note
from lamina.ports import Found, StepView
from lamina.recall.analysis import terms
from lamina.strategies.supersession.claims import ANY, Claim, compare
from lamina.strategies.supersession.config import SupersessionConfig
from lamina.strategies.supersession.reading import read

_CHANGE = re.compile(
    r"\b(?:no longer|not .{0,40}any ?more|n't .{0,40}any ?more|instead of|moved (?:to|from|out|"
    r"back)|"
    r"relocat\w+|switch\w+ (?:to|from)|changed? .{1,20} (?:to|from)|quit|resigned|gave up|"
    r"stopped|rescheduled|postponed|cancel\w+|correct(?:s|ed)|turned out|now)\b|"
    r"不再|已经不|不.{1,8}了|改[到成为期]|换成|搬到|搬回|辞职|离职|跳槽|戒|取消|推迟|其实|更正|"
    r"说错",
    re.IGNORECASE,
)
"""Words of a change: such a fact need share fewer words with the one that it replaces."""

_PLAIN_VERBS = {
    "is": "am", "has": "have", "doesn't": "don't", "does": "do", "goes": "go", "isn't": "am not",
    "was": "was", "studies": "study", "no": "no", "always": "always", "previously": "previously",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """A new fact and the known ones that it is to be held against."""

    new: Note
    known: tuple[Note, ...]
    weight: float
    """How much there is in common with the most alike of them, in (0, 1]."""


def pairings(notes: Sequence[Note], view: StepView, config: SupersessionConfig) -> list[Pairing]:
    """Return what is worth asking about, in the order of the new facts; [] if nothing is.

    Candidates are of the same subject, read from another message, and fill the same slot, or share
    words that mean something: most of the words, or fewer where one of the two tells of a change.
    At most `facts_a_call` times `calls_a_step` facts are kept, those first that share the most.
    """
    near = view.kin(notes, config.nearest) if notes else []
    free = _not_refused(notes, near, view)
    weighed = [
        pairing
        for note, found in zip(notes, free, strict=True)
        if (pairing := _pairing(note, found, config))
    ]
    most = config.facts_a_call * config.calls_a_step
    kept = sorted(weighed, key=lambda each: -each.weight)[:most]
    chosen = {each.new.id for each in kept}
    return _once([each for each in weighed if each.new.id in chosen])


def _not_refused(
    notes: Sequence[Note], near: Sequence[Sequence[Found]], view: StepView
) -> list[list[Found]]:
    """Return what is near without that of which somebody said that it does not bear on a fact."""
    ids = dict.fromkeys([n.id for n in notes] + [f.entry.id for found in near for f in found])
    refused = view.refused(list(ids))
    return [
        [
            f
            for f in found
            if f.entry.id not in refused.get(note.id, ())
            and note.id not in refused.get(f.entry.id, ())
        ]
        for note, found in zip(notes, near, strict=True)
    ]


def _pairing(note: Note, found: Sequence[Found], config: SupersessionConfig) -> Pairing | None:
    weighed = [
        (weight, near.entry)
        for near in found
        if isinstance(near.entry, Note)
        and _comparable(note, near.entry)
        and (weight := _weight(note, near.entry, config))
    ]
    if not weighed:
        return None
    known = sorted(weighed, key=lambda each: -each[0])[: config.candidates]
    return Pairing(new=note, known=tuple(entry for _, entry in known), weight=known[0][0])


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


def _weight(note: Note, other: Note, config: SupersessionConfig) -> float:
    """Return how much two facts have in common; 0 if that is not worth asking about."""
    ours, theirs = _slot(note), _slot(other)
    if ours and theirs and (ours.slot == theirs.slot or ANY in (ours.slot, theirs.slot)):
        return 1.0 if compare(ours, theirs) or compare(theirs, ours) else 0.0
    count, share = _shared(note, other)
    change = _CHANGE.search(note.text) or _CHANGE.search(other.text)
    fewest = config.changed_terms if change else config.shared_terms
    least = config.changed_share if change else config.shared_share
    return share if count >= fewest and share >= least else 0.0


def _slot(note: Note) -> Claim | None:
    """Return what a fact claims, read as if its subject had said it."""
    names = [name for name in (note.about, note.said_by) if name]
    return read(first_person(note.text, names))


def first_person(text: str, names: Sequence[str]) -> str:
    """Return a sentence about somebody as that person would say it.

    >>> first_person("Ann lives in Oslo.", ["Ann"]), first_person("Ann's bank is Nordea.", ["Ann"])
    ('I live in Oslo.', 'My bank is Nordea.')
    """
    for name in sorted(names, key=len, reverse=True):
        if not text.casefold().startswith(name.casefold()):
            continue
        rest = text[len(name) :]
        if rest.startswith(("'s ", "’s ")):
            return f"My{rest[2:]}"
        if not rest.startswith(" "):
            return f"我{rest}" if "\u3400" <= rest[:1] <= "\u9fff" else text
        verb, _, object_ = rest.strip().partition(" ")
        return f"I {_PLAIN_VERBS.get(verb, _plain(verb))} {object_}".strip()
    return text


def _plain(verb: str) -> str:
    """Return "live" for "lives"."""
    return verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb


def _shared(note: Note, other: Note) -> tuple[int, float]:
    """Return how many words two facts share, and which part of the shorter one that is."""
    names = set(terms(f"{note.about} {note.said_by} {other.about} {other.said_by}"))
    ours, theirs = set(terms(note.text)) - names, set(terms(other.text)) - names
    shorter = min(len(ours), len(theirs))
    return len(ours & theirs), len(ours & theirs) / shorter if shorter else 0.0


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
