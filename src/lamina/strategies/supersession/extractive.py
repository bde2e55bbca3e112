"""Supersession without a language model: by rules that read what has one value at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from lamina.model import Changes, Message, Note
from lamina.ports import Batch, StepView
from lamina.recall.context import strip_recalled
from lamina.strategies.supersession import corrections
from lamina.strategies.supersession.claims import ANY, ELLIPTIC, Claim
from lamina.strategies.supersession.config import SupersessionConfig
from lamina.strategies.supersession.reading import read
from lamina.strategies.supersession.timeline import Statement, revise

LOOKED_BACK = 6
"""Messages before a correction among which the same speaker's statement is looked for."""


class Extractive:
    """Compares statements that fill the same slot. Deterministic, in English and Chinese, and free.

    What no rule recognises costs a look at its words and nothing else.
    """

    name = "supersession-extractive"

    def __init__(self, config: SupersessionConfig | None = None) -> None:
        self._config = config or SupersessionConfig()

    def digest(self, batch: Batch, view: StepView) -> Changes:
        """Return what a `supersede` step wants written. Never asks for a redo."""
        new = list(_statements(batch.notes, view))
        if not new:
            return Changes()
        kin = view.kin([each.note for each in new], self._config.kin)
        fresh = {each.note.id for each in new}
        old = {found.entry.id: found.entry for near in kin for found in near
               if isinstance(found.entry, Note) and found.entry.id not in fresh}  # fmt: skip
        seen = _told_apart([*new, *_statements(list(old.values()), view)], view)
        drafts, links = revise(fresh, seen)
        return Changes(notes=tuple(drafts), links=tuple(links))


def _statements(notes: Sequence[Note], view: StepView) -> Iterator[Statement]:
    """Yield the facts that claim something of a slot."""
    for note in notes:
        claim = read(strip_recalled(note.text)) if note.kind == "fact" else None
        if claim and claim.slot == ELLIPTIC:
            claim = _resolved(claim, note, view)
        if claim:
            yield Statement(note=note, claim=claim)


def _resolved(correction: Claim, note: Note, view: StepView) -> Claim | None:
    """Return what a correction claims of the slot that the same speaker filled just before."""
    events = view.events([note.event]) if note.event else []
    if not events:
        return None
    before = view.preceding(events[0].message, LOOKED_BACK)
    own = (read(strip_recalled(m.text)) for m in reversed(before) if _same_voice(m, note))
    stated = next((claim for claim in own if not (claim and claim.slot == ELLIPTIC)), None)
    return corrections.resolved(correction, stated) if stated and stated.slot != ANY else None


def _same_voice(message: Message, note: Note) -> bool:
    return message.speaker == note.said_by


def _told_apart(statements: Sequence[Statement], view: StepView) -> list[Statement]:
    """Give those that were said at one moment the places of their messages."""
    moments = Counter(each.note.began_at for each in statements)
    tied = [each for each in statements if moments[each.note.began_at] > 1]
    if not tied:
        return list(statements)
    events = view.events([each.note.event for each in tied if each.note.event])
    places = {event.message.id: event.message.position for event in events}
    return [replace(each, position=places.get(each.note.event or "", 0)) for each in statements]
