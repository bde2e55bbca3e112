"""Yelp's open data: businesses, reviews and tips, a JSON object a line.

`stars` of a business is the mean of all its reviews, of all times: whoever evaluates under a clock
should know that it tells what came later. How many reviews there are is left out.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import partial
from typing import Any

from lamina.errors import FormatError
from lamina.formats.recommending.fields import identity, moment, number, text, texts
from lamina.formats.recommending.lines import Made, values
from lamina.formats.recommending.records import Part
from lamina.items import Interaction, Item

PRICES = {"1": "cheap", "2": "moderate", "3": "expensive", "4": "very expensive"}
"""What the one to four dollar signs of a price range mean."""
PRICE_RANGE = "RestaurantsPriceRange2"
_PLACE = ("address", "city", "state", "stars")


def _business(row: dict[str, Any], _: int) -> Made:
    categories = row.get("categories")
    yield Item(
        id=identity(row.get("business_id"), "business_id"),
        title=text(row.get("name"), "name"),
        categories=texts(categories, "categories", ","),
        attributes={
            **{name: row[name] for name in _PLACE if row.get(name) not in (None, "")},
            **_attributes(row.get("attributes") or {}),
        },
    )


def _attributes(given: Any) -> dict[str, Any]:
    """Return the attributes with their values read: the file writes them as Python would."""
    if not isinstance(given, Mapping):
        raise FormatError(f"attributes: expected an object, found {given!r:.60}")
    found: dict[str, Any] = {}
    for name, value in given.items():
        read = _value(value)
        if name == PRICE_RANGE and str(read) in PRICES:
            found["price"] = PRICES[str(read)]
        elif isinstance(read, Mapping):
            found |= {f"{name}.{key}": each for key, each in read.items() if each is not None}
        elif read is not None:
            found[name] = read
    return found


def _value(written: Any) -> Any:
    """Return what text such as `"True"`, `"u'free'"` or `"{'lot': True}"` stands for."""
    if not isinstance(written, str):
        return written
    try:
        read = ast.literal_eval(written.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return written.strip() or None
    return read if isinstance(read, str | int | float | bool | dict | None) else written


def _review(row: dict[str, Any], _: int) -> Made:
    yield _said(row, "review", id_=text(row.get("review_id"), "review_id"))


def _tip(row: dict[str, Any], _: int) -> Made:
    yield _said(row, "tip")


def _said(row: Mapping[str, Any], action: str, id_: str = "") -> Interaction:
    at = moment(row.get("date"), "date")
    if at is None:
        raise FormatError('expected "date", which is missing')
    return Interaction(
        id=id_,
        user=identity(row.get("user_id"), "user_id"),
        item=identity(row.get("business_id"), "business_id"),
        at=at,
        action=action,
        rating=number(row.get("stars"), "stars"),
        text=text(row.get("text"), "text"),
    )


PARTS = (
    Part(
        "yelp", "items",
        lambda peek: peek.tells("business_id", "name") and not peek.tells("user_id"),
        partial(values, make=_business),
    ),
    Part(
        "yelp", "interactions",
        lambda peek: peek.tells("review_id", "user_id", "business_id"),
        partial(values, make=_review),
    ),
    Part(
        "yelp", "interactions",
        lambda peek: peek.tells("user_id", "business_id", "text", "date"),
        partial(values, make=_tip),
    ),
)  # fmt: skip
