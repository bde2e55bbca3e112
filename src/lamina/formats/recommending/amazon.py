"""Amazon reviews: the files of 2018 (reviewerID, asin, overall) and of 2023 (user_id, parent_asin).

A review is one interaction; its title stands before its text. Who wrote it is kept by id alone.
What counts others' ratings (average, rank, number) is left out: it tells what came later.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from lamina.errors import FormatError
from lamina.formats.recommending.fields import identity, moment, number, price, text, texts
from lamina.formats.recommending.lines import Made, values
from lamina.formats.recommending.records import Part
from lamina.items import Interaction, Item

LONGEST_CATEGORY = 80
"""Characters; what is longer in a list of categories is no category but a piece of a page."""
_DETAILS = ("Brand", "Color", "Material", "Size", "Author", "Publisher", "Language", "Format")
"""Of the many details of 2023, those that are asked for."""


def _review_2018(row: dict[str, Any], _: int) -> Made:
    yield _review(
        row, "reviewerID", "asin",
        rating="overall", at="unixReviewTime", words=("summary", "reviewText"),
        kept={"verified": row.get("verified"), "style": _style(row.get("style"))},
    )  # fmt: skip


def _review_2023(row: dict[str, Any], _: int) -> Made:
    item = "parent_asin" if row.get("parent_asin") else "asin"
    variant = row.get("asin") if row.get("asin") != row.get(item) else None
    yield _review(
        row, "user_id", item,
        rating="rating", at="timestamp", words=("title", "text"),
        kept={"verified": row.get("verified_purchase"), "variant": variant},
    )  # fmt: skip


def _review(
    row: Mapping[str, Any],
    user: str,
    item: str,
    *,
    rating: str,
    at: str,
    words: tuple[str, ...],
    kept: Mapping[str, Any],
) -> Interaction:
    done = moment(row.get(at), at)
    if done is None:
        raise FormatError(f'expected "{at}", which is missing')
    said = (text(row.get(name), name) for name in words)
    return Interaction(
        id="",
        user=identity(row.get(user), user),
        item=identity(row.get(item), item),
        at=done,
        action="review",
        rating=number(row.get(rating), rating),
        text="\n".join(filter(None, said)),
        metadata={name: value for name, value in kept.items() if value not in (None, {}, "")},
    )


def _style(given: Any) -> dict[str, str]:
    """Return what was bought, such as `{"Size": "Big Boys"}`."""
    if not isinstance(given, dict):
        return {}
    return {str(name).strip(": "): text(value, "style") for name, value in given.items()}


def _product_2018(row: dict[str, Any], _: int) -> Made:
    yield Item(
        id=identity(row.get("asin"), "asin"),
        title=_without_page(row.get("title"), "title"),
        description=_without_page(row.get("description"), "description"),
        categories=_categories(row.get("category", row.get("categories"))),
        attributes=_told({**price(row.get("price")), "brand": _brand(row.get("brand"))}),
    )


def _product_2023(row: dict[str, Any], _: int) -> Made:
    paragraphs = [*texts(row.get("description"), "description", "\n")]
    paragraphs += texts(row.get("features"), "features", "\n")
    details = row.get("details")
    details = details if isinstance(details, dict) else {}
    asked = {name.lower(): details.get(name) for name in _DETAILS}
    main = text(row.get("main_category"), "main_category")
    attributes = {**price(row.get("price")), "store": row.get("store"), **asked}
    yield Item(
        id=identity(row.get("parent_asin"), "parent_asin"),
        title=text(row.get("title"), "title"),
        description="\n".join(paragraphs),
        categories=_categories([*filter(None, [main]), *(row.get("categories") or [])]),
        attributes=_told(attributes),
    )


def _categories(given: Any) -> tuple[str, ...]:
    """Return the categories, general first; the early files have a list of paths."""
    paths = given if isinstance(given, list) else []
    flat = [each for path in paths for each in (path if isinstance(path, list) else [path])]
    known = texts(flat, "category")
    return tuple(each for each in known if len(each) <= LONGEST_CATEGORY and "<" not in each)


def _brand(given: Any) -> str:
    return text(given, "brand").removeprefix("by").strip() if given else ""


def _without_page(given: Any, what: str) -> str:
    """Return text, but for pieces of the page's own code that were taken for it."""
    said = text(given, what)
    return "" if said.startswith(("var ", "function", "<span", "getTime(")) else said


def _told(attributes: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: value
        for name, value in attributes.items()
        if value not in ("", None) and isinstance(value, str | int | float)
    }


PARTS = (
    Part(
        "amazon", "items",
        lambda peek: peek.tells("parent_asin", "main_category"),
        partial(values, make=_product_2023),
    ),
    Part(
        "amazon", "items",
        lambda peek: peek.tells("asin") and not peek.tells("reviewerID")
        and not peek.tells("user_id") and any(map(peek.tells, ("title", "category", "brand"))),
        partial(values, make=_product_2018),
    ),
    Part(
        "amazon", "interactions",
        lambda peek: peek.tells("reviewerID", "asin"), partial(values, make=_review_2018),
    ),
    Part(
        "amazon", "interactions",
        lambda peek: peek.tells("user_id", "asin", "timestamp"),
        partial(values, make=_review_2023),
    ),
)  # fmt: skip
