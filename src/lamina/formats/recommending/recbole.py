"""RecBole's atomic files: `.inter` and `.item`, tables whose head names the type of each column.

A column of type `token_seq` is a list with blanks (or commas) between, but for a title. Rows that
are labelled 0 were shown and not chosen: they are left out. What is told of users is not read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from lamina import times
from lamina.errors import FormatError
from lamina.formats.recommending.fields import identity, moment, number, plain, text, texts, year
from lamina.formats.recommending.lines import Cells, FromCells, Made, numbered, table
from lamina.formats.recommending.records import ORDER_ONLY, Part, Peek, Read
from lamina.items import Interaction, Item

_TITLES = ("title", "name")
_CATEGORIES = ("class", "genre", "genres", "category", "categories", "venue_category_name")
_DESCRIPTIONS = ("description", "abstract", "desc")
_TAGS = ("tags", "tag_value", "tag")
_USERS = ("user_id", "user", "session_id", "reviewer_id")
_ITEMS = ("item_id", "item", "product_id", "business_id", "movie_id", "book_id", "venue_id")
_RATINGS = ("rating", "stars", "overall", "score")
_TIMES = ("timestamp", "time", "date", "unix_time")
_TEXTS = ("review_text", "review", "text")
_TYPES = ("token", "token_seq", "float", "float_seq")


@dataclass(frozen=True, slots=True)
class _Column:
    """A column of the head, such as `class:token_seq`."""

    head: str
    name: str
    type: str

    @property
    def many(self) -> bool:
        return self.type.endswith("_seq")


def _columns(path: Path) -> list[_Column]:
    _, head = next(numbered(path), (0, ""))
    found = []
    for cell in head.rstrip("\r\n").split("\t"):
        name, _, type_ = cell.strip().rpartition(":")
        if not name or type_ not in _TYPES:
            raise FormatError(
                f"{path.name}: expected a head like user_id:token, found {cell.strip()!r:.60}"
            )
        found.append(_Column(cell.strip(), name, type_))
    return found


def _first(columns: list[_Column], names: tuple[str, ...]) -> _Column | None:
    """Return the column with the first of these names, or one that ends with it."""
    by_name = {column.name.lower(): column for column in columns}
    exact = (by_name[name] for name in names if name in by_name)
    ending = (c for name in names for c in columns if c.name.lower().endswith(f"_{name}"))
    return next(exact, None) or next(ending, None)


def _needed(path: Path, columns: list[_Column], names: tuple[str, ...]) -> _Column:
    found = _first(columns, names)
    if found is None:
        raise FormatError(f"{path.name}: expected a column named {names[0]}:token")
    return found


def _items(path: Path) -> Iterator[Read]:
    columns = _columns(path)
    id_ = _needed(path, columns, _ITEMS)
    rest = [column for column in columns if column is not id_]
    title, description = _first(rest, _TITLES), _first(rest, _DESCRIPTIONS)
    categories, tags = _first(rest, _CATEGORIES), _first(rest, _TAGS)
    placed = (title, description, categories, tags)
    others = [column for column in rest if column not in placed]

    def make(row: Cells, _: int) -> Made:
        named = text(row[title.head], title.name) if title else ""
        told = {column.name: _value(column, row[column.head]) for column in others}
        yield Item(
            id=identity(row[id_.head], id_.name),
            title=named,
            description=text(row[description.head], description.name) if description else "",
            categories=_list(categories, row),
            tags=_list(tags, row),
            attributes={**year(named), **_attributes(told)},
        )

    return _read(path, make)


def _interactions(path: Path) -> Iterator[Read]:
    columns = _columns(path)
    user, item = _needed(path, columns, _USERS), _needed(path, columns, _ITEMS)
    rating, at = _first(columns, _RATINGS), _first(columns, _TIMES)
    words, label = _first(columns, _TEXTS), _first(columns, ("label",))
    placed = (user, item, rating, at, words, label)
    others = [column for column in columns if column not in placed]

    def make(row: Cells, line: int) -> Made:
        if label and number(row[label.head], "label") == 0:
            return
        told = moment(row[at.head], at.name) if at else None
        kept = {column.name: _value(column, row[column.head]) for column in others}
        yield Interaction(
            id="",
            user=identity(row[user.head], user.name),
            item=identity(row[item.head], item.name),
            at=told or times.EPOCH + timedelta(seconds=line),
            action="rate" if rating else "click",
            rating=number(row[rating.head], rating.name) if rating else None,
            text=text(row[words.head], words.name) if words else "",
            metadata={**_attributes(kept), **({} if told else {ORDER_ONLY: True})},
        )

    return _read(path, make)


def _read(path: Path, make: FromCells) -> Iterator[Read]:
    return table(path, make, separator="\t", quoted=False)


def _list(column: _Column | None, row: Cells) -> tuple[str, ...]:
    if column is None:
        return ()
    cell = row[column.head]
    if not column.many:
        return texts([cell], column.name)
    return texts(cell, column.name, next((mark for mark in ("|", ",") if mark in cell), " "))


def _value(column: _Column, cell: str) -> Any:
    if column.type == "float":
        return number(cell, column.name)
    if column.type == "float_seq":
        return [number(each, column.name) for each in cell.split(", " if "," in cell else None)]
    return plain(cell.strip()) if column.type == "token" else cell.strip()


def _attributes(told: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is told; a year of release under the name that all layouts have for it."""
    named = {"release_year": "year", "year": "year"}
    return {named.get(k, k): v for k, v in told.items() if v is not None and v != "" and v != []}


def _ends(suffix: str) -> Any:
    def fits(peek: Peek) -> bool:
        return peek.name.endswith(suffix) and ":" in peek.first

    return fits


PARTS = (
    Part("recbole", "items", _ends(".item"), _items),
    Part("recbole", "interactions", _ends(".inter"), _interactions),
)
