"""What one interaction of a batch makes: an operation to be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from lamina.model import Link, Note
from lamina.ports import Operation


@dataclass(slots=True)
class Making:
    """Notes, changes and links of one interaction, and what it read for them."""

    written: dict[str, Note] = field(default_factory=dict)
    """Its new notes, by id."""
    changed: dict[str, Note] = field(default_factory=dict)
    """New revisions of other notes, by id; one a note."""
    links: dict[tuple[str, str], str] = field(default_factory=dict)
    """The relation of each link, by its ends."""
    known: datetime | None = None
    """The latest time of what it read."""
    read: set[int] = field(default_factory=set)
    """The places of the interactions of the batch of which it read what they made."""

    def hand_out(self, known: datetime) -> None:
        """Note that something known since then was read."""
        self.known = known if self.known is None else max(self.known, known)

    def link(self, source: str, target: str, relation: str) -> None:
        """Link two notes; what is linked already stays as it is."""
        if source != target:
            self.links.setdefault((source, target), relation)

    @property
    def notes(self) -> tuple[Note, ...]:
        """All that it writes."""
        return (*self.written.values(), *self.changed.values())


def stamped(making: Making, operation: Operation) -> tuple[Note, ...]:
    """Return its notes as its operation writes them."""
    return tuple(
        replace(
            note,
            operation=operation.id,
            known_at=operation.known_at,
            recorded_at=operation.recorded_at,
        )
        for note in making.notes
    )


def links_of(making: Making) -> tuple[Link, ...]:
    """Return its links, in the order made."""
    return tuple(
        Link(source=source, target=target, relation=relation)
        for (source, target), relation in making.links.items()
    )


def known_at(makings: Sequence[Making]) -> list[datetime | None]:
    """Return when what each read was known: its own log's latest, and that of what it read."""
    found: list[datetime | None] = []
    for making in makings:
        times = [making.known, *(found[place] for place in making.read if place < len(found))]
        found.append(max((time for time in times if time is not None), default=None))
    return found
