"""Our own tables and JSON Lines, and whatever else names its columns plainly.

Items have `id, title, description, categories, tags, attributes, known_since`; what is more is an
attribute. Interactions have `user, item, timestamp, rating, text, action, id`; what is more is
metadata. Only ids are required. In a table, lists have `|` between; `attributes` and `metadata`
are JSON objects. Interactions without a time keep the order of the file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

from lamina import times
from lamina.errors import FormatError
from lamina.formats import documents
from lamina.formats.recommending.fields import identity, moment, number, plain, text, texts, year
from lamina.formats.recommending.lines import Cells, Made, table, values
from lamina.formats.recommending.records import ORDER_ONLY, Part, Peek, Read
from lamina.items import DESCRIBE, Interaction, Item

ITEM_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "item", "item_id", "itemid", "product_id", "sku", "asin", "parent_asin"),
    "title": ("title", "name"),
    "description": ("description", "text", "abstract"),
    "categories": ("categories", "category", "genres", "genre"),
    "tags": ("tags",),
    "attributes": ("attributes",),
    "known_since": ("known_since", "since", "published_at"),
}
INTERACTION_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "user": ("user", "user_id", "userid", "reviewer", "customer_id", "visitor_id"),
    "item": ("item", "item_id", "itemid", "product_id", "sku", "asin", "parent_asin", "movie_id"),
    "timestamp": ("timestamp", "time", "at", "date", "datetime", "unix_time", "created_at"),
    "rating": ("rating", "stars", "score", "overall"),
    "text": ("text", "review", "review_text", "comment"),
    "action": ("action", "event", "event_type", "type"),
    "id": ("id", "interaction_id", "review_id"),
    "metadata": ("metadata",),
}
"""What each column may be called, in lower case, the documented name first."""


def item(row: Mapping[str, Any], _: int = 0) -> Made:
    """Make an item of a row. Raises `FormatError`."""
    told, rest = _placed(row, ITEM_COLUMNS)
    title = text(told.get("title"), "title")
    yield Item(
        id=identity(told.get("id"), "id"),
        title=title,
        description=text(told.get("description"), "description"),
        categories=texts(told.get("categories"), "categories"),
        tags=texts(told.get("tags"), "tags"),
        attributes={**year(title), **rest, **_object(told.get("attributes"), "attributes")},
        known_since=moment(told.get("known_since"), "known_since"),
    )


def interaction(row: Mapping[str, Any], line: int = 0) -> Made:
    """Make an interaction of a row. Raises `FormatError`."""
    told, rest = _placed(row, INTERACTION_COLUMNS)
    at, words = moment(told.get("timestamp")), text(told.get("text"), "text")
    rating = number(told.get("rating"), "rating")
    action = documents.name(told["action"], "action").strip() if told.get("action") else ""
    if action == DESCRIBE:
        raise FormatError(f"action: {DESCRIBE!r} is what items are described by")
    kept = {**rest, **_object(told.get("metadata"), "metadata")}
    yield Interaction(
        id=identity(told["id"], "id") if told.get("id") not in (None, "") else "",
        user=identity(told.get("user"), "user"),
        item=identity(told.get("item"), "item"),
        at=at or times.EPOCH + timedelta(seconds=line),
        action=action or _action(rating, words),
        rating=rating,
        text=words,
        metadata=kept if at else {**kept, ORDER_ONLY: True},
    )


def _action(rating: float | None, words: str) -> str:
    """Return what must have been done, where a file does not say."""
    if rating is not None:
        return "rate"
    return "review" if words else "click"


def _either(row: Mapping[str, Any], line: int) -> Made:
    return interaction(row, line) if _told(row, "user") else item(row, line)


def _told(row: Iterable[str], column: str) -> bool:
    return any(name.lower() in INTERACTION_COLUMNS[column] for name in row)


def _placed(
    row: Mapping[str, Any], columns: Mapping[str, tuple[str, ...]]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what stands under a name that is known, and the rest of what is told.

    Where two names mean the same, the first in the list counts, and the other is left as it is.
    """
    names = {name.lower(): name for name in row}
    found = {
        column: next((names[each] for each in known if each in names), None)
        for column, known in columns.items()
    }
    taken = set(found.values())
    told = {column: row[name] for column, name in found.items() if name is not None}
    rest = {name: _cell(value) for name, value in row.items() if name not in taken}
    return told, {name: value for name, value in rest.items() if value not in ("", None)}


def _cell(value: Any) -> Any:
    return plain(value.strip()) if isinstance(value, str) else value


def _object(value: Any, what: str) -> dict[str, Any]:
    if value in (None, ""):
        return {}
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError as error:
            raise FormatError(f"{what}: expected a JSON object, found {value!r:.60}") from error
    return documents.expect(value, dict, what)


def _table(make: Callable[[Cells, int], Made]) -> Callable[[Path], Iterator[Read]]:
    return partial(table, make=make, separator=None)


def _names_interactions(peek: Peek) -> bool:
    return _told(peek.columns, "user") and _told(peek.columns, "item")


def _names_items(peek: Peek) -> bool:
    names = {name.lower() for name in peek.columns}
    more = names - set(ITEM_COLUMNS["id"])
    return not _told(peek.columns, "user") and more != names and bool(more)


def _is_value(peek: Peek) -> bool:
    return peek.value is not None and (
        (_told(peek.value, "user") and _told(peek.value, "item"))
        or (not _told(peek.value, "user") and bool({"id", "item", "item_id"} & set(peek.value)))
    )


PARTS = (
    Part("csv", "items", _names_items, _table(item)),
    Part("csv", "interactions", _names_interactions, _table(interaction)),
    Part("jsonl", "both", _is_value, partial(values, make=_either)),
)
