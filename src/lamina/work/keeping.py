"""How items and interactions are kept as messages, and read back.

A description is what the catalogue says of an item; an interaction is what a user did with one.
See `lamina.ports.Recommending`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from lamina.items import DESCRIBE, Interaction, Item
from lamina.model import Message
from lamina.ports import MessageDraft

ITEMS = "items"
"""The session of descriptions."""
CATALOGUE = "catalogue"
"""Who says them."""
ALWAYS = datetime(1, 1, 1, tzinfo=UTC)
"""When a description was said that does not tell since when it is known."""
WORDLESS = "wordless"
"""The metadata that marks an interaction whose text is ours, for its user said nothing."""
GIVEN = "given"
"""Under which metadata of the caller's are kept, apart from ours."""


def session(user: str) -> str:
    """Return the session of a user's interactions, which is their name as an author too."""
    return f"user:{user}"


def description(item: Item) -> MessageDraft:
    """Return what says what an item is."""
    return MessageDraft(
        session=ITEMS,
        role="tool",
        speaker=CATALOGUE,
        text=described(item),
        said_at=item.known_since or ALWAYS,
        timed=True,
        metadata={
            "title": item.title,
            "description": item.description,
            "categories": list(item.categories),
            "tags": list(item.tags),
            "attributes": dict(item.attributes),
        },
        infer=False,
        item=item.id,
        action=DESCRIBE,
    )


def described(item: Item) -> str:
    """Return all that is told of an item, as text: never blank, other words for another item."""
    parts = [
        item.title or item.id,
        ", ".join(item.categories),
        ", ".join(item.tags),
        "; ".join(f"{name}: {_shown(value)}" for name, value in item.attributes.items()),
        item.description,
    ]
    return ". ".join(part for part in parts if part.strip())


def item(said: Message) -> Item:
    """Return the item that a description tells of."""
    told = said.metadata
    return Item(
        id=said.item or "",
        title=told.get("title", ""),
        description=told.get("description", ""),
        categories=tuple(told.get("categories", ())),
        tags=tuple(told.get("tags", ())),
        attributes=told.get("attributes", {}),
        known_since=None if said.said_at == ALWAYS else said.said_at,
    )


def act(done: Interaction, key: str | None = None) -> MessageDraft:
    """Return what says what a user did with an item."""
    metadata: dict[str, Any] = {} if done.text.strip() else {WORDLESS: True}
    if done.metadata:
        metadata[GIVEN] = dict(done.metadata)
    return MessageDraft(
        session=session(done.user),
        role="user",
        speaker=done.user,
        text=done.text if done.text.strip() else _doing(done),
        said_at=done.at,
        timed=True,
        key=key,
        metadata=metadata,
        author=session(done.user),
        item=done.item,
        action=done.action,
        rating=done.rating,
    )


def interaction(said: Message) -> Interaction:
    """Return what a user did with an item."""
    return Interaction(
        id=said.id,
        user=said.speaker,
        item=said.item or "",
        at=said.said_at,
        action=said.action or "",
        rating=said.rating,
        text="" if said.metadata.get(WORDLESS) else said.text,
        metadata=said.metadata.get(GIVEN, {}),
    )


def _doing(done: Interaction) -> str:
    return done.action if done.rating is None else f"{done.action} {done.rating:g}"


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping | list | tuple):
        return json.dumps(value, ensure_ascii=False)
    return f"{value:g}" if isinstance(value, float) else str(value)
