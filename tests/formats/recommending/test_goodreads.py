import json
from datetime import timedelta
from pathlib import Path
from typing import Any

from tests.formats.recommending.taken import take, write

BOOK: dict[str, Any] = {
    "book_id": "12", "title": "Invented Harbours", "description": "Ships.", "num_pages": "256",
    "publication_year": "2001", "language_code": "eng", "average_rating": "4.03", "isbn": "",
    "popular_shelves": [
        {"count": "90", "name": "to-read"}, {"count": "12", "name": "sea-stories"},
        {"count": "3", "name": "fiction"},
    ],
    "similar_books": ["13"], "authors": [{"author_id": "5", "role": ""}],
}  # fmt: skip
SHELVING: dict[str, Any] = {
    "user_id": "u1", "book_id": "12", "review_id": "r1", "is_read": True, "rating": 4,
    "review_text_incomplete": "", "date_added": "Wed Aug 22 13:47:53 -0700 2012",
    "date_updated": "Wed Aug 22 13:48:33 -0700 2012", "read_at": "", "started_at": "",
}  # fmt: skip


def shelvings(tmp_path: Path, **changes: Any) -> Any:
    write(tmp_path, "interactions.json", json.dumps({**SHELVING, **changes}))
    [done] = take(tmp_path).interactions
    return done


def test_books_are_read_with_the_shelves_that_say_something_of_them(tmp_path: Path) -> None:
    write(tmp_path, "goodreads_books.json", json.dumps(BOOK))

    [book] = take(tmp_path).items

    assert (book.id, book.title, book.description) == ("12", "Invented Harbours", "Ships.")
    assert book.tags == ("sea-stories", "fiction")
    assert book.attributes == {"year": 2001, "pages": 256, "language": "eng"}


def test_a_shelving_is_dated_by_when_it_was_added_in_its_own_offset(tmp_path: Path) -> None:
    done = shelvings(tmp_path)

    assert done.at.isoformat() == "2012-08-22T13:47:53-07:00"
    assert done.at.utcoffset() == timedelta(hours=-7)
    assert (done.user, done.item, done.action, done.rating) == ("u1", "12", "rate", 4.0)


def test_a_rating_of_none_is_no_rating(tmp_path: Path) -> None:
    done = shelvings(tmp_path, rating=0, is_read=False)

    assert (done.action, done.rating) == ("shelve", None)


def test_a_book_that_was_read_and_not_rated_was_read(tmp_path: Path) -> None:
    assert shelvings(tmp_path, rating=0).action == "read"


def test_a_review_keeps_its_words(tmp_path: Path) -> None:
    done = shelvings(tmp_path, review_text="Salty.\nAnd long.")

    assert (done.action, done.text) == ("review", "Salty.\nAnd long.")


def test_the_csv_of_shelvings_keeps_its_order_and_gets_the_ids_of_the_books(tmp_path: Path) -> None:
    write(
        tmp_path, "goodreads_interactions.csv",
        "user_id,book_id,is_read,rating,is_reviewed", "0,948,1,5,0", "0,947,0,0,0",
    )  # fmt: skip
    write(tmp_path, "book_id_map.csv", "book_id_csv,book_id", "948,12")

    taken = take(tmp_path)

    assert [(i.user, i.item, i.action) for i in taken.interactions] == [
        ("0", "12", "rate"), ("0", "947", "shelve"),
    ]  # fmt: skip
    first, second = taken.interactions
    assert first.at < second.at
    assert first.metadata == {"order_only": True}
