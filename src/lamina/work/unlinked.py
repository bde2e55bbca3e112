"""Which events of a session stand alone: nothing formed later links to them."""

from __future__ import annotations

from lamina.model import CONTRADICTS, Message, Scope
from lamina.ports import Store


def unlinked(store: Store, scope: Scope, session: str) -> list[Message]:
    """Return the consolidated messages of a session to whose notes no link leads. Oldest first.

    A consolidation links to what it drew on from the past, and a sweep to all that it put side by
    side; that two notes contradict each other ties neither to anything else.
    """
    messages = [m for m in store.in_session(scope, session, ("bound",)) if m.consolidated]
    read = store.of_messages(scope, [message.id for message in messages])
    notes = [note.id for each in read.values() for note in each]
    links = store.links(scope, notes) if notes else []
    tying = [link for link in links if link.relation != CONTRADICTS]
    ends = {link.source for link in tying} | {link.target for link in tying}
    return [m for m in messages if not any(note.id in ends for note in read.get(m.id, ()))]
