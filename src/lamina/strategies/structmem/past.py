"""What the history holds that is near to the buffer: seeds, and the whole event of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lamina.model import Event, Note
from lamina.ports import Found, StepView
from lamina.recall.context import has_recalled


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """Strictly earlier than the buffer, nearest first."""

    entries: tuple[Event | Note, ...] = ()
    """Events, and the summaries that were seeds themselves."""

    @property
    def events(self) -> list[Event]:
        """The events alone."""
        return [entry for entry in self.entries if isinstance(entry, Event)]


def near(buffer: Sequence[Event], view: StepView, seeds: int) -> Past:
    """Return what the history holds that is near to the buffer, taken as one query.

    Args:
        buffer: What is consolidated now, oldest first, not empty.
        view: Where to look.
        seeds: How many entries to start from; 0 for no history.
    """
    if not seeds:
        return Past()
    found = view.near_to(
        [event.message.id for event in buffer],
        seeds,
        before=min(event.message.said_at for event in buffer),
    )
    return _rebuilt(found, view)


def sound(notes: Iterable[Note]) -> list[Note]:
    """Return the notes that their sources bear out: no summary rests on the others."""
    return [note for note in notes if note.supported]


def quotes_memory(event: Event) -> bool:
    """Whether its message holds something that was recalled: that must not be formed again."""
    return has_recalled(event.message.text)


def _rebuilt(found: Sequence[Found], view: StepView) -> Past:
    """Put the whole event in each seed's place, once. Summaries have none and stay themselves."""
    wanted = {event_of(seed): None for seed in found}
    events = {e.message.id: e for e in view.events([ref for ref in wanted if ref is not None])}
    placed: dict[str, Event | Note] = {}
    for seed in found:
        ref = event_of(seed)
        if ref is None and isinstance(seed.entry, Note) and seed.entry.supported:
            placed[seed.entry.id] = seed.entry
        elif ref in events and not quotes_memory(events[ref]):
            placed[ref] = events[ref]
    return Past(entries=tuple(placed.values()))


def event_of(seed: Found) -> str | None:
    """Return the message that an entry is, or was read from; a summary was read from none."""
    return seed.entry.event if isinstance(seed.entry, Note) else seed.entry.id
