"""From what a step wants written to notes: with their ids, and what their sources tell."""

from __future__ import annotations

from collections.abc import Sequence

from lamina.identity import note_id
from lamina.model import Message, Note, NoteDraft, Role, Scope
from lamina.ports import Operation

TRUST: tuple[Role, ...] = ("user", "assistant", "tool", "system")
"""From the most to the least trusted: a note is as trusted as the least of its sources."""


def note_of(
    scope: Scope, draft: NoteDraft, sources: Sequence[Message], operation: Operation
) -> Note:
    """Return the note that a draft becomes.

    Args:
        scope: Whose.
        draft: What it says.
        sources: The messages that it rests on, at least one.
        operation: What writes it.
    """
    ordered = sorted(sources, key=lambda m: (m.said_at, m.position))
    event = next((m for m in ordered if m.id == draft.event), None)
    return Note(
        id=draft.revises or note_id(scope, draft),
        kind=draft.kind,
        text=draft.text,
        event=draft.event,
        sources=tuple(m.id for m in ordered),
        parents=draft.parents,
        role=max((m.role for m in ordered), key=TRUST.index),
        about=draft.about,
        said_by=draft.said_by,
        certainty=draft.certainty,
        supported=draft.supported,
        indexed=draft.indexed,
        began_at=ordered[0].said_at,
        said_at=ordered[-1].said_at,
        valid_at=draft.valid_at,
        invalid_at=draft.invalid_at,
        superseded_by=draft.superseded_by,
        known_at=operation.known_at,
        recorded_at=operation.recorded_at,
        revision=draft.base + 1 if draft.revises else 1,
        operation=operation.id,
        item=event.item if event else None,
        keywords=draft.keywords,
        tags=draft.tags,
        context=draft.context,
        sureness=draft.sureness,
        narrower=draft.narrower,
    )
