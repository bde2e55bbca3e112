"""What the items of a batch were described as when they were interacted with."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from lamina.items import Item
from lamina.model import At, Message, Scope
from lamina.ports import Store
from lamina.work import keeping


class Descriptions:
    """The descriptions of some interactions' items, read once."""

    def __init__(self, store: Store, scope: Scope, messages: Sequence[Message]) -> None:
        self._store, self._scope = store, scope
        items = dict.fromkeys(m.item for m in messages if m.item is not None)
        self._latest = store.described(scope, list(items))

    def by(self, done: Message) -> Message | None:
        """Return what said last, by when it was interacted with, what an item is."""
        id_ = done.item
        latest = None if id_ is None else self._latest.get(id_)
        if latest is None or latest.said_at <= done.said_at:
            return latest
        then = At(as_of=done.said_at + timedelta(microseconds=1))
        return self._store.described(self._scope, [latest.item or ""], at=then).get(
            latest.item or ""
        )

    def item(self, done: Message) -> Item:
        """Return the item of an interaction; of one without a description its id is known."""
        said = self.by(done)
        return keeping.item(said) if said else Item(id=done.item or "")
