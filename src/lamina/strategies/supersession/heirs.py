"""Heirs: which facts take the place of which, where no slot of either is known.

A message takes the place of one that its speaker said just before, if it repairs it (`repairs`):
of several, of that with which it has the most words in common, then of the latest.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from lamina.model import Event, Message, Note
from lamina.ports import StepView
from lamina.strategies.supersession import repairs

LOOKED_BACK = 6
"""Messages before a repair among which the same speaker's statement is looked for."""
REPAIRED_WITHIN = timedelta(hours=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Heirs:
    """What takes the place of facts, by their ids."""

    facts: dict[str, Note] = field(default_factory=dict)
    """The facts that were weighed."""
    of: defaultdict[str, list[Note]] = field(default_factory=lambda: defaultdict(list))
    weighed: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """With which other facts each was weighed, whatever came of it."""

    def weigh(self, earlier: Note, later: Note, *, succeeds: bool) -> None:
        """Note whether a fact takes the place of another one."""
        self.facts[earlier.id] = earlier
        self.weighed[earlier.id].add(later.id)
        if succeeds and later not in self.of[earlier.id]:
            self.of[earlier.id].append(later)


def weigh_repairs(heirs: Heirs, facts: Sequence[Note], view: StepView) -> None:
    """Weigh each repair among new facts, and after them in their session, with what it repairs."""
    told = {note.event for note in facts}
    made = [note.event for note in facts if note.event and repairs.repair(note.text)]
    events = [*(view.events(made) if made else ()), *_after(facts, told, view)]
    for event in events:
        note = _fact(event)
        if note:
            _weigh_repair(heirs, note, event.message, view)


def _after(facts: Sequence[Note], told: set[str | None], view: StepView) -> list[Event]:
    """Return the repairs that were known already and said after one of the new facts."""
    first = min(facts, key=lambda note: note.began_at, default=None)
    [opening] = view.events([first.event])[:1] if first and first.event else [None]
    if opening is None:
        return []
    later = view.following(opening.message, sys.maxsize)
    made = [m.id for m in later if m.id not in told and repairs.repair(m.text)]
    return view.events(made) if made else []


def _weigh_repair(heirs: Heirs, note: Note, message: Message, view: StepView) -> None:
    made = repairs.repair(note.text)
    before = view.preceding(message, LOOKED_BACK)
    own = [m for m in reversed(before) if _may_be_repaired(m, message)]
    if made is None or not own:
        return
    fitting = [m for m in own if repairs.fits(made, m.text)]
    target = max(fitting, key=lambda m: repairs.in_common(made, m.text), default=None)
    for event in view.events([m.id for m in own]):
        stated = _fact(event)
        if stated:
            heirs.weigh(stated, note, succeeds=event.message == target)


def same_voice(one: Message, other: Message) -> bool:
    """Whether two messages are by the same speaker, and nobody else put them in their mouth."""
    return (one.speaker, one.author) == (other.speaker, other.author)


def _may_be_repaired(message: Message, by: Message) -> bool:
    return (
        same_voice(message, by)
        and len(message.text) <= repairs.LONGEST
        and by.said_at - message.said_at <= REPAIRED_WITHIN
        and not repairs.asks(message.text)
    )


def _fact(event: Event) -> Note | None:
    return next((note for note in event.notes if note.kind == "fact"), None)
