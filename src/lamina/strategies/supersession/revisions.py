"""The next revision of a fact: what took its place, and which messages say it."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from datetime import datetime

from lamina.model import Note, NoteDraft, Role

TRUST: tuple[Role, ...] = ("user", "assistant", "tool", "system")
"""From the most to the least trusted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Succession:
    """That a fact ceased to hold."""

    since: datetime
    by: str
    """The id of the fact that took its place."""

    @classmethod
    def of(cls, note: Note) -> Succession | None:
        """Return what is on record of a note."""
        if note.superseded_by and note.invalid_at:
            return cls(since=note.invalid_at, by=note.superseded_by)
        return None


def outranks(later: Note, earlier: Note) -> bool:
    """Whether a fact is borne out, and as trusted as an earlier one that it is to put out."""
    return later.supported and TRUST.index(later.role) <= TRUST.index(earlier.role)


def revision(
    note: Note,
    after: Succession | None,
    *,
    again: Sequence[Note],
    sources: Sequence[str],
    seen: Set[str],
) -> NoteDraft | None:
    """Return the next revision of a fact; `None` if it would say what the last one says.

    Args:
        note: As it is. What a person wrote is never revised.
        after: What took its place.
        again: Later facts that say the same: their messages become its sources.
        sources: Of its present ones, those that it has of its own.
        seen: The ids of all facts that were weighed; of its parents only others are kept.
    """
    confirming = [source for other in again for source in (other.event, *other.sources) if source]
    told = tuple(dict.fromkeys([*sources, *confirming]))
    if note.by_person or (after == Succession.of(note) and set(told) == set(note.sources)):
        return None
    kept = [p for p in note.parents if p not in seen and p != note.superseded_by]
    parents = [*kept, *([after.by] if after else []), *(other.id for other in again)]
    return NoteDraft(
        kind=note.kind,
        text=note.text,
        event=note.event,
        sources=told,
        parents=tuple(dict.fromkeys(parents)),
        about=note.about,
        said_by=note.said_by,
        certainty=note.certainty,
        supported=note.supported,
        indexed=note.indexed,
        valid_at=note.valid_at,
        invalid_at=after.since if after else note.invalid_at,
        superseded_by=after.by if after else None,
        revises=note.id,
        base=note.revision,
    )
