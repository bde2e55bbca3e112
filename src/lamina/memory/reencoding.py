"""Moving a store to another encoder: new vectors beside the old ones, then a switch."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lamina.model import Message, Note, Scope
from lamina.ports import Encoder, Exchange, Indexed, Store
from lamina.work import indexing
from lamina.work.engine import Engine

AT_ONCE = 256


def reencode(
    engine: Engine, encoder: Encoder, progress: Callable[[int, int], None] | None = None
) -> int:
    """Encode every document with `encoder` and make its space the store's; return how many.

    Also those of the past, by which a search as of a moment finds. It may be stopped and begun
    again at any time: until the switch, the old vectors serve.
    """
    store = engine.store
    total = store.counts()["documents"]
    done = 0
    for scope in store.scopes():
        texts = _Texts(store, scope)
        after = 0
        while part := store.documents_of(scope, after, AT_ONCE):
            after = part[-1].id
            shown = texts.of(part)
            vectors = encoder.encode(list(shown.values()))
            aligned = dict(zip(shown, vectors, strict=True))
            store.reencode(scope, aligned, encoder.space)
            done += len(part)
            if progress:
                progress(done, max(total, done))
    store.switch_space(encoder.space)
    return done


class _Texts:
    """What the documents of a scope show, live or of the past."""

    def __init__(self, store: Store, scope: Scope) -> None:
        self._store = store
        self._scope = scope
        self._messages: dict[str, Message] = {}
        self._notes: dict[tuple[str, int], Note] = {}

    def of(self, part: Sequence[Indexed]) -> dict[int, str]:
        """Return what documents show, by their ids; those that went meanwhile are left out."""
        found = [self._shown(document) for document in part]
        if None in found:  # the first part, or others have written since
            self._read()
            found = [self._shown(document) for document in part]
        return {d.id: text for d, text in zip(part, found, strict=True) if text is not None}

    def _read(self) -> None:
        archive = self._store.dump(self._scope)
        self._messages = {message.id: message for message in archive.messages}
        self._notes = {(note.id, note.revision): note for note in archive.revisions}

    def _shown(self, document: Indexed) -> str | None:
        if document.view == "note":
            note = self._notes.get((document.ref, document.revision))
            return indexing.note(note).shown if note else None
        message = self._messages.get(document.ref)
        if message and document.view == "turn":
            return indexing.turn(message).shown
        previous = self._messages.get(document.previous or "")
        if message and previous:
            return indexing.exchange(Exchange(previous=previous, message=message)).shown
        return None
