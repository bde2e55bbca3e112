"""Supersession without a language model: by rules that read what has one value at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from lamina.model import Changes, Note
from lamina.ports import Batch, StepView
from lamina.recall.context import strip_recalled
from lamina.strategies.supersession import corrections
from lamina.strategies.supersession.claims import ANY, ELLIPTIC, Claim
from lamina.strategies.supersession.config import SupersessionConfig
from lamina.strategies.supersession.heirs import LOOKED_BACK, Heirs, same_voice, weigh_repairs
from lamina.strategies.supersession.reading import read
from lamina.strategies.supersession.timeline import Statement, revise


class Extractive:
    """Compares statements that fill the same slot. Deterministic, in English and Chinese, and free.

    What no rule recognises costs a look at its words and nothing else.
    """

    name = "supersession-extractive"

    def __init__(self, config: SupersessionConfig | None = None) -> None:
        self._config = config or SupersessionConfig()

    def digest(self, batch: Batch, view: StepView) -> Changes:
        """Return what a `supersede` step wants written. Never asks for a redo."""
        facts = [note for note in batch.notes if note.kind == "fact"]
        new = list(_statements(facts, view))
        heirs = Heirs()
        weigh_repairs(heirs, facts, view)
        seen = [*new, *_statements(self._kin(new, view), view)]
        if not (seen or heirs.facts):
            return Changes()
        weighed = dict.fromkeys([*(each.note.id for each in seen), *heirs.facts])
        apart, refused = _told_apart(seen, view), view.refused(list(weighed))
        drafts, links = revise({note.id for note in facts}, apart, heirs, refused)
        return Changes(notes=tuple(drafts), links=tuple(links))

    def _kin(self, new: Sequence[Statement], view: StepView) -> list[Note]:
        """Return the known facts near to new statements."""
        if not new:
            return []
        fresh = {each.note.id for each in new}
        found = view.kin([each.note for each in new], self._config.kin)
        near = (each.entry for line in found for each in line)
        known = {entry.id: entry for entry in near if isinstance(entry, Note)}
        return [note for id_, note in known.items() if id_ not in fresh]


def _statements(notes: Sequence[Note], view: StepView) -> Iterator[Statement]:
    """Yield the facts that claim something of a slot."""
    authors = view.authors([note.event for note in notes if note.event])
    for note in notes:
        claim = read(strip_recalled(note.text)) if note.kind == "fact" else None
        if claim and claim.slot == ELLIPTIC:
            claim = _resolved(claim, note, view)
        if claim:
            yield Statement(note=note, claim=claim, author=authors.get(note.event or ""))


def _resolved(correction: Claim, note: Note, view: StepView) -> Claim | None:
    """Return what a correction claims of the slot that the same speaker filled just before."""
    events = view.events([note.event]) if note.event else []
    if not events:
        return None
    message = events[0].message
    before = view.preceding(message, LOOKED_BACK)
    own = (read(strip_recalled(m.text)) for m in reversed(before) if same_voice(m, message))
    stated = next((claim for claim in own if not (claim and claim.slot == ELLIPTIC)), None)
    return corrections.resolved(correction, stated) if stated and stated.slot != ANY else None


def _told_apart(statements: Sequence[Statement], view: StepView) -> list[Statement]:
    """Give those that were said at one moment the places of their messages."""
    moments = Counter(each.note.began_at for each in statements)
    tied = [each for each in statements if moments[each.note.began_at] > 1]
    if not tied:
        return list(statements)
    events = view.events([each.note.event for each in tied if each.note.event])
    places = {event.message.id: event.message.position for event in events}
    return [replace(each, position=places.get(each.note.event or "", 0)) for each in statements]
