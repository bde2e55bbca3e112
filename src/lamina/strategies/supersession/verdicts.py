"""From verdicts on pairs of facts to revisions, links and withdrawals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from lamina.model import CONTRADICTS, Changes, Link, Note, NoteDraft
from lamina.strategies.supersession.candidates import subject
from lamina.strategies.supersession.judgement import Judged
from lamina.strategies.supersession.revisions import Succession, outranks, revision


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pair:
    """Two facts in the order said, and what was judged of them."""

    earlier: Note
    later: Note
    judged: Judged
    one_author: bool
    """Whether the same wrote both into the space, if it is shared."""


def changes(judged: Sequence[Judged], authors: Mapping[str, str]) -> Changes:
    """Return what verdicts bring about.

    A fact is superseded by the first that updates it, unless another was on record before; where
    one may not put the other out, the two are linked. Of twins the earlier gains the sources of
    the later, which is withdrawn, unless something took the place of the earlier in between.

    Args:
        judged: Pairs of facts.
        authors: Who wrote their messages into a shared space, by message. What one wrote is put
            out or confirmed only by what the same wrote, whoever is named as its speaker.
    """
    pairs = [_ordered(each, authors) for each in judged]
    after = _successions(pairs)
    twins = list(_twins(pairs, after))
    return Changes(
        notes=tuple(_drafts(pairs, after, twins)),
        links=tuple(dict.fromkeys(_links(pairs))),
        withdraw=tuple(dict.fromkeys(later.id for _, later in twins)),
    )


def _ordered(judged: Judged, authors: Mapping[str, str]) -> _Pair:
    earlier, later = sorted((judged.new, judged.known), key=lambda note: (note.began_at, note.id))
    one = authors.get(earlier.event or "") == authors.get(later.event or "")
    return _Pair(earlier=earlier, later=later, judged=judged, one_author=one)


def _replaces(pair: _Pair) -> bool:
    """Whether the later fact may put out the earlier one, which it was judged to update."""
    earlier, later = pair.earlier, pair.later
    speaks_for_self = subject(earlier) == (earlier.said_by or "").casefold()
    return (
        pair.judged.verdict == "updates"
        and pair.one_author
        and not earlier.by_person
        and later.certainty == "stated"
        and outranks(later, earlier)
        and not (speaks_for_self and later.said_by != earlier.said_by)
    )


def _successions(pairs: Sequence[_Pair]) -> dict[str, Succession]:
    """Return what took the place of each fact, by its id."""
    after: dict[str, Succession] = {}
    for pair in pairs:
        for note in (pair.earlier, pair.later):
            recorded = Succession.of(note)
            if recorded:
                after.setdefault(note.id, recorded)
    for pair in filter(_replaces, pairs):
        since = _since(pair.earlier, pair.later)
        known = after.get(pair.earlier.id)
        if known is None or since < known.since:
            after[pair.earlier.id] = Succession(since=since, by=pair.later.id)
    return after


def _since(earlier: Note, later: Note) -> datetime:
    """Return from when on the later one holds; when it was said, if that is not after.

    What was to begin only after that never held.
    """
    told = later.valid_at
    since = told if told and told > earlier.began_at else later.began_at
    return max(since, earlier.valid_at or since)


def _twins(pairs: Sequence[_Pair], after: Mapping[str, Succession]) -> Iterator[tuple[Note, Note]]:
    """Yield the facts that are one, each later one once."""
    successors = {succession.by for succession in after.values()}
    gone: set[str] = set()
    for pair in pairs:
        earlier, later = pair.earlier, pair.later
        over = after.get(earlier.id)
        if (
            pair.judged.verdict == "same"
            and pair.one_author
            and _alike(earlier, later)
            and (over is None or over.since > later.began_at)
            and later.id not in successors | gone | set(after)
            and earlier.id not in gone
        ):
            gone.add(later.id)
            yield earlier, later


def _alike(earlier: Note, later: Note) -> bool:
    """Whether nothing is lost if one stands for both."""
    return (
        not (earlier.by_person or later.by_person)
        and (earlier.role, earlier.certainty, earlier.said_by)
        == (later.role, later.certainty, later.said_by)
        and later.supported
    )


def _drafts(
    pairs: Sequence[_Pair], after: Mapping[str, Succession], twins: Sequence[tuple[Note, Note]]
) -> Iterator[NoteDraft]:
    notes = {note.id: note for pair in pairs for note in (pair.earlier, pair.later)}
    gone = {later.id for _, later in twins}
    for id_, note in notes.items():
        again = [later for earlier, later in twins if earlier.id == id_]
        if id_ not in gone:
            draft = revision(
                note, after.get(id_), again=again, sources=note.sources, seen=frozenset()
            )
            if draft:
                yield draft


def _links(pairs: Sequence[_Pair]) -> Iterator[Link]:
    """Yield which facts disagree."""
    for pair in pairs:
        doubted = pair.judged.verdict == "updates" and not _replaces(pair)
        if pair.judged.verdict == "contradicts" or doubted:
            yield Link(source=pair.later.id, target=pair.earlier.id, relation=CONTRADICTS)
