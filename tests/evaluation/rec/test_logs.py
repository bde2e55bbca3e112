from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from lamina.errors import FormatError
from lamina.evaluation.rec.logs import Row, ordered
from lamina.evaluation.rec.reading import logged, read
from lamina.items import Interaction, Item
from tests.evaluation.rec.made import catalogue

WHEN = datetime(2024, 1, 1, tzinfo=UTC)


def test_what_is_told_twice_counts_once() -> None:
    rows = [Row(user="a", item="1", at=5), Row(user="a", item="1", at=5)]

    one = ordered(rows, catalogue(3))

    assert (len(one.by), one.repeats) == (1, 1)


def test_ties_do_not_follow_the_ids() -> None:
    rows = [Row(user="a", item=str(n), at=5) for n in range(40)]

    first, again = ordered(rows, catalogue(40)), ordered(rows[::-1], catalogue(40))
    other = ordered(rows, catalogue(40), seed=1)

    def items(one: object) -> list[str]:
        return [one.catalogue.items[i] for i in one.of.tolist()]  # type: ignore[attr-defined]

    assert items(first) == items(again)
    assert items(first) != items(other)
    assert abs(np.corrcoef([int(i) for i in items(first)], range(40))[0, 1]) < 0.5


def test_an_item_with_id_0_is_an_item() -> None:
    one = ordered([Row(user="0", item="0", at=0)], catalogue(1))

    assert (one.users, one.catalogue.items) == (("0",), ("0",))


def test_times_are_kept_to_the_microsecond() -> None:
    at = 1_700_000_000_000_001
    rows = [Row(user="a", item="1", at=at), Row(user="a", item="0", at=at - 1)]

    assert ordered(rows, catalogue(2)).of.tolist() == [0, 1]


def test_where_any_are_rated_those_alone_count() -> None:
    rated = Interaction(id="", user="a", item="1", at=WHEN, rating=4.0)
    tagged = Interaction(id="", user="a", item="2", at=WHEN, action="tag")

    assert logged([Item(id="1", title="One"), rated, tagged]).catalogue.items == ("1",)
    assert logged([tagged]).catalogue.items == ("2",)


def test_a_folder_is_read_in_its_layout(tmp_path: Path) -> None:
    (tmp_path / "movies.csv").write_text("movieId,title,genres\n7,Heat (1995),Crime|Drama\n")
    (tmp_path / "ratings.csv").write_text("userId,movieId,rating,timestamp\n3,7,4.5,10\n")

    one = read(tmp_path)

    assert one.users == ("3",)
    assert one.catalogue.categories == (("Crime", "Drama"),)
    assert one.at.tolist() == [10_000_000]


def test_data_without_interactions_are_refused(tmp_path: Path) -> None:
    (tmp_path / "movies.csv").write_text("movieId,title,genres\n7,Heat (1995),Crime\n")

    with pytest.raises(FormatError):
        read(tmp_path)
