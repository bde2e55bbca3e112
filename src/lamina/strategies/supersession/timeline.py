"""One slot over time: which fact took the place of which, from when, and who said it again.

All is worked out anew from the facts that are seen, so that the order in which they arrived does
not matter: a fact is superseded by the first one after it that cannot hold with it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cached_property

from lamina.model import CONTRADICTS, Link, Note, NoteDraft
from lamina.recall.time_words import resolve
from lamina.strategies.supersession.claims import ANY, UNTOLD, Claim, Verdict, compare, words
from lamina.strategies.supersession.heirs import Heirs
from lamina.strategies.supersession.revisions import Succession, outranks, revision
from lamina.times import from_micros, offset_minutes

LATEST_MOVE = timedelta(days=60)
"""So much later an event of the same name, whose day was not told in full, is another one."""
LOOSELY = timedelta(days=45)
"""So long before something was last said to hold a change that was told later may have been."""
ALIKE_WITHIN = timedelta(days=7)
"""Within so long two times of one event that nobody called moved are taken to disagree."""


@dataclass(frozen=True, kw_only=True)
class Statement:
    """A fact and what it claims."""

    note: Note
    claim: Claim = UNTOLD
    position: int = 0
    """Of its message among those said at the same moment."""
    author: str | None = None
    """Who wrote its message into a shared space."""
    refused: frozenset[str] = frozenset()
    """Ids of the facts that are not to take its place or confirm it."""

    @property
    def certain(self) -> bool:
        """Whether it was said outright; in a correction 应该是 tells what is right, not a guess."""
        return self.note.certainty == "stated" or (
            self.note.certainty == "uncertain"
            and (self.claim.marked or self.claim == UNTOLD)
            and "应该是" in self.note.text
        )

    @property
    def said(self) -> tuple[datetime, int, str]:
        """When it was first said; what gained sources since is as old as ever."""
        return self.note.began_at, self.position, self.note.id

    @cached_property
    def began(self) -> tuple[datetime, datetime]:
        """From when on it holds, as the span that its words name, up to when it was said."""
        said_at, valid_at = self.note.began_at, self.note.valid_at
        if self.claim.moment or valid_at is None or valid_at >= said_at:
            return said_at, said_at
        ends = [span.end for span in resolve(self.note.text, said_at)]
        end = from_micros(min(ends), offset_minutes(said_at)) if ends else valid_at
        return valid_at, min(max(end, valid_at), said_at)

    @cached_property
    def over(self) -> datetime | None:
        """When the time that its words name is over, if they name one."""
        ends = [span.end for span in resolve(self.note.text, self.note.began_at)]
        return from_micros(max(ends), 0) if ends else None


def revise(
    fresh: Set[str],
    seen: Sequence[Statement],
    heirs: Heirs,
    refused: Mapping[str, frozenset[str]],
) -> tuple[list[NoteDraft], list[Link]]:
    """Return the revisions and links that new facts bring about.

    Args:
        fresh: The ids of the new ones.
        seen: All that claim something which may have to do with them, the new ones among them.
        heirs: What takes the place of facts without being of their slot.
        refused: For facts by id: those that are not to take their place or confirm them.
    """
    drafts: list[NoteDraft] = []
    links: list[Link] = []
    told = {each.note.id for each in seen if each.claim.slot != ANY}
    alone = [Statement(note=note) for id_, note in heirs.facts.items() if id_ not in told]
    for statements in [*_by_slot(seen), *([each] for each in alone)]:
        free = [replace(s, refused=refused.get(s.note.id, frozenset())) for s in statements]
        slot = Slot(free, heirs)
        drafts += slot.drafts()
        links += slot.links(fresh)
    return drafts, links


def _by_slot(seen: Sequence[Statement]) -> Iterator[list[Statement]]:
    """Yield the statements about each slot of each subject, with those that end its values."""
    slots: defaultdict[tuple[str | None, str | None, str], list[Statement]] = defaultdict(list)
    for each in seen:
        slots[each.note.about, each.note.said_by, each.claim.slot].append(each)
    for (about, said_by, name), statements in slots.items():
        if name == ANY:
            continue
        enders = slots.get((about, said_by, ANY), [])
        if enders:
            last = {words(each.claim.value)[-1:] for each in statements}
            enders = [each for each in enders if words(each.claim.value)[-1:] in last]
        yield [*statements, *enders]


@dataclass(kw_only=False)
class Slot:
    """Everything that is seen of one slot of one subject."""

    statements: Sequence[Statement]
    heirs: Heirs
    ordered: list[Statement] = field(init=False)
    ids: frozenset[str] = field(init=False)
    after: list[Succession | None] = field(init=False)
    """What took each one's place first."""

    def __post_init__(self) -> None:
        self.ordered = sorted(self.statements, key=lambda each: each.said)
        self.ids = frozenset(each.note.id for each in self.statements)
        self.after = [self._succession(place) for place in range(len(self.ordered))]

    def drafts(self) -> Iterator[NoteDraft]:
        """Yield the next revision of each fact that is to say something new."""
        taken: set[str] = set()
        for place, each in enumerate(self.ordered):
            again = [] if each.note.id in taken else self._repetitions(place)
            taken |= {other.note.id for other in again}
            own = {other.note.event for other in self.ordered} - {each.note.event}
            sources = [source for source in each.note.sources if source not in own]
            draft = revision(
                each.note,
                self.after[place],
                again=[other.note for other in again],
                sources=sources,
                seen=self.ids,
            )
            if draft and each.claim.slot != ANY:
                yield draft

    def links(self, fresh: Set[str]) -> Iterator[Link]:
        """Yield which facts disagree, of pairs with a new one."""
        for place, earlier in enumerate(self.ordered):
            for later in self.ordered[place + 1 :]:
                pair = {earlier.note.id, later.note.id}
                if pair & fresh and _disagree(earlier, later):
                    yield Link(source=later.note.id, target=earlier.note.id, relation=CONTRADICTS)

    def _succession(self, place: int) -> Succession | None:
        """Return what took a fact's place; what is on record stands unless this was before."""
        each = self.ordered[place]
        found = [
            Succession(since=_since(each, later), by=later.note.id)
            for later in self.ordered[place + 1 :]
            if _supersedes(later, each)
        ]
        found += self._heirs(each)
        first = min(found, key=lambda succession: succession.since, default=None)
        recorded = Succession.of(each.note)
        if recorded is None:
            return first
        if recorded.by in self.ids | self.heirs.weighed.get(each.note.id, set()):
            return first
        return recorded if first is None or recorded.since <= first.since else first

    def _heirs(self, each: Statement) -> list[Succession]:
        """Return what took a fact's place without being of its slot."""
        later = [Statement(note=note) for note in self.heirs.of.get(each.note.id, ())]
        return [
            Succession(since=_since(each, other), by=other.note.id)
            for other in later
            if _may_succeed(other, each) and other.note.id not in each.refused
        ]

    def _repetitions(self, place: int) -> list[Statement]:
        """Return who said the same later, before anything took its place."""
        each, after = self.ordered[place], self.after[place]
        return [
            later
            for later in self.ordered[place + 1 :]
            if (after is None or later.note.began_at < after.since)
            and later.author == each.author
            and later.claim.sole
            and later.certain
            and _verdict(each, later) == "same"
        ]


def _verdict(earlier: Statement, later: Statement) -> Verdict | None:
    apart = earlier.note.id == later.note.id or later.note.id in earlier.refused
    return None if apart else compare(earlier.claim, later.claim)


def _supersedes(later: Statement, earlier: Statement) -> bool:
    """Whether a fact takes the place of one that was said before it."""
    return (
        _verdict(earlier, later) == "replaces"
        and later.author == earlier.author
        and _may_succeed(later, earlier)
        and _in_order(earlier, later)
    )


def _may_succeed(later: Statement, earlier: Statement) -> bool:
    """Whether a fact is certain and trusted enough to take the place of another one."""
    trusted = later.certain and outranks(later.note, earlier.note)
    return trusted and not earlier.note.by_person


def _disagree(earlier: Statement, later: Statement) -> bool:
    """Whether both cannot hold, and it is not known which does."""
    verdict = _verdict(earlier, later)
    if verdict == "doubts" and later.claim.moment and not later.claim.fixed:
        return later.note.began_at - earlier.note.began_at <= ALIKE_WITHIN
    if verdict == "replaces" and later.claim.moment and not _in_order(earlier, later):
        return False
    return verdict == "doubts" or (verdict == "replaces" and not _supersedes(later, earlier))


def _in_order(earlier: Statement, later: Statement) -> bool:
    """Whether what was said later also began later, or may have; or the event is still ahead."""
    if not later.claim.moment:
        loosely = (
            LOOSELY if later.claim.marked and earlier.began[0] == earlier.note.began_at else None
        )
        return later.began[1] + (loosely or timedelta(0)) >= earlier.began[0]
    if later.claim.fixed:
        return True
    said = later.note.began_at
    if earlier.over:
        return earlier.over >= said
    return said - earlier.note.began_at <= LATEST_MOVE


def _since(earlier: Statement, later: Statement) -> datetime:
    """Return from when on the earlier one ceased to hold: at the latest when that was said.

    What was to begin only after that never held.
    """
    since = next((t for t in later.began if t > earlier.began[0]), later.note.began_at)
    return max(since, earlier.note.valid_at or since)
