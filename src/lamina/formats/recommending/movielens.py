"""MovieLens: the CSV files of 20M and later, 1M and 10M with `::`, 100K with tabs and bars.

A tag is something that a user did at a moment, so it is an interaction (action `tag`); it is not
counted among what people call the film, for that would tell before its time who called it so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from lamina.errors import FormatError
from lamina.formats.recommending.fields import identity, moment, number, text, texts, year
from lamina.formats.recommending.lines import (
    Cells,
    FromCells,
    FromFields,
    Made,
    fields,
    table,
)
from lamina.formats.recommending.records import Part, Peek, Read
from lamina.items import Interaction, Item

NO_GENRES = "(no genres listed)"
GENRES_100K = (
    "unknown", "Action", "Adventure", "Animation", "Children's", "Comedy", "Crime", "Documentary",
    "Drama", "Fantasy", "Film-Noir", "Horror", "Musical", "Mystery", "Romance", "Sci-Fi",
    "Thriller", "War", "Western",
)  # fmt: skip
"""The genres whose flags end a line of `u.item`, in their order."""
_BEFORE_FLAGS = 5


def _movie(id_: str, title: str, genres: tuple[str, ...]) -> Item:
    named = text(title, "title")
    return Item(
        id=identity(id_, "movieId"),
        title=named,
        categories=tuple(genre for genre in genres if genre != NO_GENRES),
        attributes=year(named),
    )


def _rating(user: str, movie: str, rating: str, timestamp: str) -> Interaction:
    at = moment(timestamp)
    stars = number(rating, "rating")
    if at is None or stars is None:
        raise FormatError(f"expected a rating and a time, found {rating!r} and {timestamp!r}")
    return Interaction(
        id="", user=identity(user, "userId"), item=identity(movie, "movieId"), at=at, rating=stars
    )


def _tag(user: str, movie: str, tag: str, timestamp: str) -> Interaction:
    at, words = moment(timestamp), text(tag, "tag")
    if at is None or not words:
        raise FormatError(f"expected a tag and a time, found {tag!r} and {timestamp!r}")
    return Interaction(
        id="",
        user=identity(user, "userId"),
        item=identity(movie, "movieId"),
        at=at,
        action="tag",
        text=words,
    )


def _movies_csv(row: Cells, _: int) -> Made:
    return (_movie(row["movieId"], row["title"], texts(row["genres"], "genres")),)


def _ratings_csv(row: Cells, _: int) -> Made:
    return (_rating(row["userId"], row["movieId"], row["rating"], row["timestamp"]),)


def _tags_csv(row: Cells, _: int) -> Made:
    return (_tag(row["userId"], row["movieId"], row["tag"], row["timestamp"]),)


def _movies_dat(cut: Sequence[str], _: int) -> Made:
    return (_movie(cut[0], cut[1], texts(_exactly(3, cut)[2], "genres")),)


def _ratings_dat(cut: Sequence[str], _: int) -> Made:
    return (_rating(*_exactly(4, cut)),)


def _tags_dat(cut: Sequence[str], _: int) -> Made:
    return (_tag(*_exactly(4, cut)),)


def _u_item(cut: Sequence[str], _: int) -> Made:
    _exactly(_BEFORE_FLAGS + len(GENRES_100K), cut)
    flags = zip(GENRES_100K, cut[_BEFORE_FLAGS:], strict=True)
    genres = (genre for genre, flag in flags if flag == "1" and genre != GENRES_100K[0])
    return (_movie(cut[0], cut[1], tuple(genres)),)


def _exactly(count: int, cut: Sequence[str]) -> Sequence[str]:
    if len(cut) != count:
        raise FormatError(f"expected {count} columns, found {len(cut)}")
    return cut


def _headed(*columns: str) -> Callable[[Peek], bool]:
    return lambda peek: set(columns) <= set(peek.columns)


def _called(name: str, separator: str) -> Callable[[Peek], bool]:
    return lambda peek: peek.name == name and separator in peek.first


def _csv(make: FromCells) -> Callable[[Path], Iterator[Read]]:
    return partial(table, make=make)


def _cut(separator: str, make: FromFields) -> Callable[[Path], Iterator[Read]]:
    return partial(fields, separator=separator, make=make, latin=True)


PARTS = (
    Part("movielens", "items", _headed("movieId", "title", "genres"), _csv(_movies_csv)),
    Part("movielens", "items", _called("movies.dat", "::"), _cut("::", _movies_dat)),
    Part("movielens", "items", _called("u.item", "|"), _cut("|", _u_item)),
    Part(
        "movielens", "interactions", _headed("userId", "movieId", "rating", "timestamp"),
        _csv(_ratings_csv),
    ),
    Part("movielens", "interactions", _called("ratings.dat", "::"), _cut("::", _ratings_dat)),
    Part("movielens", "interactions", _called("u.data", "\t"), _cut("\t", _ratings_dat)),
    Part(
        "movielens", "interactions", _headed("userId", "movieId", "tag", "timestamp"),
        _csv(_tags_csv),
    ),
    Part("movielens", "interactions", _called("tags.dat", "::"), _cut("::", _tags_dat)),
)  # fmt: skip
