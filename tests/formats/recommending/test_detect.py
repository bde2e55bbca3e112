import gzip
import json
from collections.abc import Generator
from pathlib import Path
from typing import cast

import pytest

from lamina.errors import FormatError
from lamina.formats.recommending import Read, detect
from tests.formats.recommending.taken import take, write

RATINGS = ("userId,movieId,rating,timestamp", "1,1,4.5,1260759144")


def test_packed_files_are_read_as_others_are(tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv.gz"
    path.write_bytes(gzip.compress("\n".join(RATINGS).encode()))

    assert [i.rating for i in take(path).interactions] == [4.5]


def test_a_packed_file_that_breaks_off_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv.gz"
    rows = [RATINGS[0], *(f"{n},{n * 7919 % 977},4.5,{n}" for n in range(5000))]
    path.write_bytes(gzip.compress("\n".join(rows).encode())[:-2000])

    with pytest.raises(FormatError, match=r"ratings\.csv\.gz: cannot be read on"):
        take(path)


def test_a_mark_before_the_first_line_is_no_part_of_it(tmp_path: Path) -> None:
    path = write(tmp_path, "ratings.csv", *RATINGS, encoding="utf-8-sig")

    assert take(path).layout == "movielens"


def test_a_file_may_be_named_with_others_that_describe_its_items(tmp_path: Path) -> None:
    done = write(tmp_path, "log.csv", "user,item,timestamp", "ann,1,5")
    films = write(tmp_path, "movies.csv", "movieId,title,genres", "1,Fog (1999),Drama")

    found = detect(done, items=[films])

    assert [source.path.name for source in found.sources] == ["movies.csv", "log.csv"]


def test_tables_of_our_own_give_way_to_a_layout_that_is_known(tmp_path: Path) -> None:
    write(tmp_path, "ratings.csv", *RATINGS)
    write(tmp_path, "more.csv", "user,item", "ann,1")

    found = detect(tmp_path)

    assert (found.layout, found.ignored) == ("movielens", ("more.csv",))


def test_a_layout_that_is_named_is_the_one_that_is_read(tmp_path: Path) -> None:
    write(tmp_path, "ratings.csv", *RATINGS)
    write(tmp_path, "more.csv", "user,item", "ann,1")

    assert [i.user for i in take(tmp_path, "csv").interactions] == ["ann"]


def test_two_layouts_in_one_folder_are_not_guessed_at(tmp_path: Path) -> None:
    write(tmp_path, "ratings.csv", *RATINGS)
    write(tmp_path, "review.json", json.dumps({"reviewerID": "A", "asin": "B"}))

    with pytest.raises(FormatError, match="could be movielens or amazon; name one with --format"):
        detect(tmp_path)


@pytest.mark.parametrize(
    "lines", [(), ("",), ("just words",), ("a,b", "1,2"), ('{"a": 1}',), ("[1, 2]",)]
)
def test_what_is_no_data_is_refused(tmp_path: Path, lines: tuple[str, ...]) -> None:
    path = write(tmp_path, "a.csv", *lines)

    with pytest.raises(FormatError, match="no data in a layout that is known"):
        detect(path)


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="cannot be read"):
        detect(tmp_path / "nowhere")


def test_reading_begins_before_all_is_read(tmp_path: Path) -> None:
    rows = (f"{n},1,4.5,{n}" for n in range(1000))
    path = write(tmp_path, "ratings.csv", RATINGS[0], *rows)

    read = cast("Generator[Read, None, None]", detect(path).read())

    assert next(read) != next(read)
    read.close()


def test_json_that_is_no_objects_is_refused_with_an_example(tmp_path: Path) -> None:
    path = tmp_path / "acts.jsonl"
    path.write_text("[1]\n", encoding="utf-8")

    with pytest.raises(FormatError, match=r'objects such as \{"user": "ann"'):
        detect(path)
