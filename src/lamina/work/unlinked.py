"""Which events of a session stand alone: no note ties them to another session."""

from __future__ import annotations

from lamina.model import Message, Scope
from lamina.ports import Store


def unlinked(store: Store, scope: Scope, session: str) -> list[Message]:
    """Return the consolidated messages of a session that nothing of another session hangs on.

    A note ties two sessions together if it rests on messages of both, and so does a link between
    their notes. Oldest first.
    """
    messages = [m for m in store.in_session(scope, session, ("bound",)) if m.consolidated]
    own = {message.id for message in messages}
    tied = {
        source
        for note in store.resting_on(scope, sorted(own))
        if not own.issuperset(note.sources)
        for source in note.sources
    }
    return [m for m in messages if m.id not in tied | _linked(store, scope, own)]


def _linked(store: Store, scope: Scope, own: set[str]) -> set[str]:
    """Return the messages whose notes are linked with notes of others."""
    read = store.of_messages(scope, sorted(own))
    event_of = {note.id: id_ for id_, notes in read.items() for note in notes}
    links = store.links(scope, list(event_of)) if event_of else []
    ends = [(link.source, link.target) for link in links]
    crossing = {end for pair in ends if not event_of.keys() >= set(pair) for end in pair}
    return {event_of[end] for end in crossing if end in event_of}
