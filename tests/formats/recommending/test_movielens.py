import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.formats.recommending.taken import take, write

MOVIES = (
    "movieId,title,genres",
    "1,Slow Boats (1995),Comedy|Drama",
    '2,"Ferryman, The (2001)",(no genres listed)',
    "3,Fog,Drama",
)
RATINGS = ("userId,movieId,rating,timestamp", "0,1,4.5,1260759144", "7,2,1.0,1260759144")


def test_films_ratings_and_tags_of_the_csv_files_are_read(tmp_path: Path) -> None:
    write(tmp_path, "movies.csv", *MOVIES)
    write(tmp_path, "ratings.csv", *RATINGS)
    write(tmp_path, "tags.csv", "userId,movieId,tag,timestamp", "7,2,all at sea,1260759200")
    write(tmp_path, "links.csv", "movieId,imdbId,tmdbId", "1,2,3")
    write(tmp_path, "README.txt", "Invented.")

    taken = take(tmp_path)

    assert taken.layout == "movielens"
    assert [item.title for item in taken.items] == [
        "Slow Boats (1995)", "Ferryman, The (2001)", "Fog",
    ]  # fmt: skip
    assert [dict(item.attributes) for item in taken.items] == [{"year": 1995}, {"year": 2001}, {}]
    assert [item.categories for item in taken.items] == [("Comedy", "Drama"), (), ("Drama",)]
    assert [(i.user, i.item, i.action, i.rating) for i in taken.interactions] == [
        ("0", "1", "rate", 4.5), ("7", "2", "rate", 1.0), ("7", "2", "tag", None),
    ]  # fmt: skip
    assert taken.interactions[0].at == datetime(2009, 12, 14, 2, 52, 24, tzinfo=UTC)
    assert taken.interactions[2].text == "all at sea"
    assert taken.faults == []


def test_what_a_user_tagged_is_no_tag_of_the_film(tmp_path: Path) -> None:
    write(tmp_path, "movies.csv", *MOVIES)
    write(tmp_path, "tags.csv", "userId,movieId,tag,timestamp", "7,2,all at sea,1260759200")

    assert all(item.tags == () for item in take(tmp_path).items)


def test_the_files_of_1m_are_read_in_latin_1(tmp_path: Path) -> None:
    write(tmp_path, "movies.dat", "1::Café (1999)::Comedy|Romance", "2::Ö::War", encoding="latin-1")
    write(tmp_path, "ratings.dat", "1::1::5::978300760", "1::2::3::978300760")
    write(tmp_path, "users.dat", "1::F::1::10::48067")

    taken = take(tmp_path)

    assert [item.title for item in taken.items] == ["Café (1999)", "Ö"]
    assert [i.rating for i in taken.interactions] == [5.0, 3.0]


def test_titles_of_10m_are_read_in_utf_8(tmp_path: Path) -> None:
    write(tmp_path, "movies.dat", "1::Ça va (1999)::Comedy")

    assert [item.title for item in take(tmp_path).items] == ["Ça va (1999)"]


def test_the_files_of_100k_are_read_with_their_flags_of_genres(tmp_path: Path) -> None:
    flags = "|".join("1" if genre in (5, 18) else "0" for genre in range(19))
    write(tmp_path, "u.item", f"4|Prärie (1995)|01-Jan-1995|||{flags}", encoding="latin-1")
    write(tmp_path, "u.data", "196\t4\t3\t881250949", "196\t4\t3\t881250949")
    write(tmp_path, "u.user", "196|49|M|writer|55105")
    write(tmp_path, "u1.base", "196\t4\t3\t881250949")

    taken = take(tmp_path)

    assert [(item.id, item.title, item.categories) for item in taken.items] == [
        ("4", "Prärie (1995)", ("Comedy", "Western"))
    ]
    assert [(i.user, i.item, i.rating) for i in taken.interactions] == [("196", "4", 3.0)] * 2


def test_a_line_that_will_not_do_is_told_and_nothing_of_it_is_read(tmp_path: Path) -> None:
    rows = ("1,1,good,1260759144", "1,1,4.0", ",1,4.0,1260759144", "1,1,4.0,yesterday", "2,1,4.0,5")
    write(tmp_path, "ratings.csv", RATINGS[0], *rows)

    taken = take(tmp_path)

    assert [i.user for i in taken.interactions] == ["2"]
    assert [fault.split(":")[0] for fault in taken.faults] == [
        f"ratings.csv, line {number}" for number in (2, 3, 4, 5)
    ]
    assert "rating: expected a number, found 'good'" in taken.faults[0]
    assert "expected 4 columns, found 3" in taken.faults[1]
    assert "timestamp: expected a time" in taken.faults[3]


def test_a_line_of_a_dat_file_that_is_too_short_is_told(tmp_path: Path) -> None:
    write(tmp_path, "ratings.dat", "1::1::5::978300760", "1::2::3")

    assert take(tmp_path).faults == ["ratings.dat, line 2: expected 4 columns, found 3"]


@pytest.mark.data
def test_the_small_set_is_read_whole() -> None:
    path = Path(os.environ.get("LAMINA_DATA", "../shared/data")) / "ml-latest-small"
    if not path.is_dir():
        pytest.skip(f"there is no {path}; LAMINA_DATA names the folder with the data")

    taken = take(path)

    actions = [interaction.action for interaction in taken.interactions]
    assert (len(taken.items), actions.count("rate"), actions.count("tag")) == (9125, 100004, 1296)
    assert taken.faults == []
    assert len({interaction.user for interaction in taken.interactions}) == 671
