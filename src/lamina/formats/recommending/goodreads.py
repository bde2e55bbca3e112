"""Goodreads, as the UCSD book graph has it: books, shelvings (JSON or CSV), reviews.

A shelving is dated by when the book was put on the shelf; a rating of 0 is none. The CSV of
shelvings has no times and other ids: its rows keep their order, and its ids are replaced by those
of `book_id_map.csv` and `user_id_map.csv`, where these lie beside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

from lamina import times
from lamina.errors import FormatError
from lamina.formats.recommending.fields import identity, moment, number, plain, text
from lamina.formats.recommending.lines import Cells, Made, numbered, table, values
from lamina.formats.recommending.records import ORDER_ONLY, Part, Read
from lamina.items import Interaction, Item

MOST_SHELVES = 12
"""How many of a book's most used shelves become its tags."""
PRIVATE_SHELVES = frozenset(
    (
        "to-read", "currently-reading", "read", "re-read", "owned", "i-own", "books-i-own",
        "owned-books", "default", "favorites", "all-time-favorites", "library", "my-library",
        "my-books", "to-buy", "wish-list", "kindle", "ebook", "ebooks", "audiobook", "audiobooks",
    )
)  # fmt: skip
"""Shelves that say something of who has the book, nothing of the book."""
_ATTRIBUTES = {
    "publication_year": "year", "num_pages": "pages", "language_code": "language",
    "publisher": "publisher", "format": "format",
}  # fmt: skip


def _book(row: dict[str, Any], _: int) -> Made:
    told = {new: text(row.get(old), old) for old, new in _ATTRIBUTES.items()}
    yield Item(
        id=identity(row.get("book_id"), "book_id"),
        title=text(row.get("title") or row.get("title_without_series"), "title"),
        description=text(row.get("description"), "description"),
        tags=_shelves(row.get("popular_shelves")),
        attributes={name: plain(value) for name, value in told.items() if value},
    )


def _shelves(given: Any) -> tuple[str, ...]:
    """Return the shelves that most people put a book on, most used first."""
    shelves = [shelf for shelf in given or () if isinstance(shelf, dict)]
    named = [text(shelf.get("name"), "popular_shelves") for shelf in shelves]
    told = [name for name in named if name and name not in PRIVATE_SHELVES]
    return tuple(dict.fromkeys(told))[:MOST_SHELVES]


def _shelving(row: dict[str, Any], _: int) -> Made:
    at = moment(row.get("date_added"), "date_added")
    if at is None:
        raise FormatError('expected "date_added", which is missing')
    said = text(row.get("review_text", row.get("review_text_incomplete")), "review_text")
    read_at = text(row.get("read_at"), "read_at")
    yield Interaction(
        id="",
        user=identity(row.get("user_id"), "user_id"),
        item=identity(row.get("book_id"), "book_id"),
        at=at,
        action="review" if said else _action(row.get("is_read"), row.get("rating")),
        rating=number(row.get("rating"), "rating") or None,
        text=said,
        metadata={"read_at": read_at} if read_at else {},
    )


def _action(is_read: Any, rating: Any) -> str:
    """Return what somebody did who put a book on a shelf: rated it, read it, or neither yet."""
    if number(rating, "rating"):
        return "rate"
    return "read" if is_read in (True, "1", 1) else "shelve"


def _shelvings_csv(path: Path) -> Iterator[Read]:
    books = _map(path.with_name("book_id_map.csv"))
    users = _map(path.with_name("user_id_map.csv"))

    def make(row: Cells, line: int) -> Made:
        user, book = identity(row["user_id"], "user_id"), identity(row["book_id"], "book_id")
        yield Interaction(
            id="",
            user=users.get(user, user),
            item=books.get(book, book),
            at=times.EPOCH + timedelta(seconds=line),
            action=_action(row.get("is_read"), row.get("rating")),
            rating=number(row.get("rating"), "rating") or None,
            metadata={ORDER_ONLY: True},
        )

    return table(path, make)


def _map(path: Path) -> dict[str, str]:
    """Return the ids of one file to those of the others; empty where there is no such file."""
    if not path.is_file():
        return {}
    pairs = (line.strip().split(",") for _, line in numbered(path))
    return {pair[0]: pair[1] for pair in pairs if len(pair) == 2}


PARTS = (
    Part(
        "goodreads", "items",
        lambda peek: peek.tells("book_id", "title") and not peek.tells("user_id"),
        partial(values, make=_book),
    ),
    Part(
        "goodreads", "interactions",
        lambda peek: peek.tells("user_id", "book_id", "date_added"),
        partial(values, make=_shelving),
    ),
    Part(
        "goodreads", "interactions",
        lambda peek: {"user_id", "book_id", "is_read", "rating"} <= set(peek.columns),
        _shelvings_csv,
    ),
)  # fmt: skip
