"""Moving a store to another encoder: new vectors beside the old ones, then a switch."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lamina.model import Message, Scope, View
from lamina.ports import Encoder, Exchange, Store
from lamina.work import indexing
from lamina.work.engine import Engine

AT_ONCE = 256


def reencode(
    engine: Engine, encoder: Encoder, progress: Callable[[int, int], None] | None = None
) -> int:
    """Encode every document with `encoder` and make its space the store's; return how many.

    It may be stopped and begun again at any time: until the switch, the old vectors serve.
    """
    store = engine.store
    total = store.counts()["documents"]
    done = 0
    for scope in store.scopes():
        after = 0
        while part := store.documents_of(scope, after, AT_ONCE):
            after = part[-1][0]
            shown = _shown(store, scope, part)
            vectors = encoder.encode(list(shown.values()))
            aligned = dict(zip(shown, vectors, strict=True))
            store.reencode(scope, aligned, encoder.space)
            done += len(part)
            if progress:
                progress(done, max(total, done))
    store.switch_space(encoder.space)
    return done


def _shown(store: Store, scope: Scope, part: Sequence[tuple[int, View, str]]) -> dict[int, str]:
    """Return what each document shows, by document id."""
    refs = [ref for _, _, ref in part]
    messages = {m.id: m for m in store.messages(scope, refs)}
    notes = {n.id: n for n in store.notes(scope, refs)}
    shown: dict[int, str] = {}
    for document, view, ref in part:
        if view == "note" and ref in notes:
            shown[document] = indexing.note(notes[ref]).shown
        elif view == "turn" and ref in messages:
            shown[document] = indexing.turn(messages[ref]).shown
        elif view == "exchange" and ref in messages:
            shown[document] = _exchange(store, scope, messages[ref])
    return shown


def _exchange(store: Store, scope: Scope, message: Message) -> str:
    place = (message.said_at, message.position)
    earlier = [
        m for m in store.in_session(scope, message.session) if (m.said_at, m.position) < place
    ]
    return indexing.exchange(Exchange(previous=earlier[-1], message=message)).shown
