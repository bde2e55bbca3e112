from datetime import UTC, datetime
from pathlib import Path

import pytest

from lamina.errors import FormatError
from tests.formats.recommending.taken import take, write

ITEMS = (
    "item_id:token\tmovie_title:token_seq\trelease_year:token\tclass:token_seq\tlength:float",
    '0\tSlow "Boats"\t1995\tComedy Drama\t92.5',
    "2\tFog\t\tHorror, Sci-Fi\t",
)


def test_items_are_read_with_their_types(tmp_path: Path) -> None:
    write(tmp_path, "ml.item", *ITEMS)

    boats, fog = take(tmp_path).items

    assert (boats.id, boats.title, boats.categories) == ("0", 'Slow "Boats"', ("Comedy", "Drama"))
    assert boats.attributes == {"year": 1995, "length": 92.5}
    assert (fog.categories, fog.attributes) == (("Horror", "Sci-Fi"), {})


def test_interactions_are_read_and_users_are_not(tmp_path: Path) -> None:
    head = "user_id:token\titem_id:token\trating:float\ttimestamp:float"
    write(tmp_path, "ml.inter", head, "196\t0\t3\t881250949", "196\t2\t-1\t881250949.5")
    write(tmp_path, "ml.user", "user_id:token\tage:token", "196\t49")

    taken = take(tmp_path)

    assert taken.layout == "recbole"
    assert [(i.user, i.item, i.action, i.rating) for i in taken.interactions] == [
        ("196", "0", "rate", 3.0), ("196", "2", "rate", -1.0),
    ]  # fmt: skip
    assert taken.interactions[0].at == datetime(1997, 12, 4, 15, 55, 49, tzinfo=UTC)
    assert taken.interactions[1].at.microsecond == 500000
    assert taken.items == []


def test_rows_without_times_keep_their_order(tmp_path: Path) -> None:
    write(tmp_path, "a.inter", "user_id:token\tproduct_id:token", "1\tb", "1\ta")

    first, second = take(tmp_path).interactions

    assert (first.item, second.item) == ("b", "a")
    assert first.at < second.at
    assert first.metadata == {"order_only": True}


def test_what_was_shown_and_not_chosen_is_left_out(tmp_path: Path) -> None:
    head = "user_id:token\titem_id:token\tlabel:float\ttimestamp:float"
    write(tmp_path, "a.inter", head, "1\ta\t0\t5", "1\tb\t1\t5")

    assert [(i.item, i.action) for i in take(tmp_path).interactions] == [("b", "click")]


def test_a_head_that_names_no_types_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "a.inter", "user_id:token\titem_id", "1\ta")

    with pytest.raises(FormatError, match=r"a\.inter: expected a head like user_id:token"):
        take(tmp_path)


def test_a_head_without_items_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "a.inter", "user_id:token\trating:float", "1\t3")

    with pytest.raises(FormatError, match="expected a column named item_id:token"):
        take(tmp_path)
