import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from lamina.formats.recommending.statistics import Tally
from tests.formats.recommending.taken import take, write

REVIEW: dict[str, Any] = {
    "overall": 2.0, "verified": True, "reviewTime": "09 4, 2015", "reviewerID": "A1", "asin": "B1",
    "style": {"Size:": " Small"}, "reviewerName": "Nobody Atall", "summary": "Too small",
    "reviewText": "It shrank.", "unixReviewTime": 1441324800, "vote": "3",
}  # fmt: skip
PRODUCT: dict[str, Any] = {
    "asin": "B1", "title": "Invented socks", "brand": "by Nobody", "price": "$1,012.50",
    "category": ["Clothing", "Socks", "<span>Page</span>"], "description": ["Warm.", "Green."],
    "rank": "12 in Socks", "also_buy": ["B2"],
}  # fmt: skip


def lines(*values: Any) -> list[str]:
    return [json.dumps(value) for value in values]


def test_reviews_and_products_of_2018_are_read(tmp_path: Path) -> None:
    write(tmp_path, "Socks_5.json", *lines(REVIEW))
    write(tmp_path, "meta_Socks.json", *lines(PRODUCT))

    taken = take(tmp_path)

    [item], [review] = taken.items, taken.interactions
    assert taken.layout == "amazon"
    assert (item.id, item.title, item.description) == ("B1", "Invented socks", "Warm.\nGreen.")
    assert item.categories == ("Clothing", "Socks")
    assert item.attributes == {"price": 1012.5, "brand": "Nobody"}
    assert (review.user, review.item, review.rating) == ("A1", "B1", 2.0)
    assert review.text == "Too small\nIt shrank."
    assert review.at == datetime(2015, 9, 4, tzinfo=UTC)
    assert review.metadata == {"verified": True, "style": {"Size": "Small"}}


def test_who_wrote_a_review_is_kept_by_id_alone(tmp_path: Path) -> None:
    write(tmp_path, "Socks_5.json", *lines(REVIEW))

    assert "Nobody Atall" not in str(take(tmp_path).interactions)


def test_reviews_that_are_written_over_several_lines_are_read_one_after_the_other(
    tmp_path: Path,
) -> None:
    several = [json.dumps({**REVIEW, "asin": f"B{n}"}, indent=2) for n in range(3)]
    path = write(tmp_path, "Socks_5.json", *several)

    assert [i.item for i in take(path).interactions] == ["B0", "B1", "B2"]


def test_of_a_list_with_a_broken_value_the_others_are_read(tmp_path: Path) -> None:
    good = json.dumps(REVIEW, indent=2).replace("\n", "\n  ")
    broken = good.replace('"B1",', '"B1" "B2",')
    cut = good[: good.index('"summary"')]
    listed = [f"  {each}" for each in (f"{good},", f"{broken},", f"{good},", cut, good)]
    path = write(tmp_path, "Socks_5.json", "[", *listed, "]")

    taken = take(path)

    assert [i.item for i in taken.interactions] == ["B1"] * 3
    assert len(taken.faults) == 2
    assert taken.faults[0].startswith("Socks_5.json, line 17: expected a JSON object")


def test_reviews_and_products_of_2023_go_by_the_parent(tmp_path: Path) -> None:
    review = {
        "rating": 5.0, "title": "Fine", "text": "Warm.", "images": [], "asin": "B1",
        "parent_asin": "P1", "user_id": "U1", "timestamp": 1588615855070, "helpful_vote": 0,
        "verified_purchase": False,
    }  # fmt: skip
    product = {
        "main_category": "Clothing", "title": "Invented socks", "average_rating": 4.8,
        "rating_number": 10, "features": ["Soft"], "description": ["Warm."], "price": None,
        "store": "Nobody's", "categories": ["Clothing", "Socks"], "parent_asin": "P1",
        "details": {"Color": "Green", "UPC": "1"},
    }  # fmt: skip
    write(tmp_path, "Socks.jsonl", *lines(review))
    write(tmp_path, "meta_Socks.jsonl", *lines(product))

    taken = take(tmp_path)

    [item], [done] = taken.items, taken.interactions
    assert (item.id, done.item, done.user) == ("P1", "P1", "U1")
    assert item.description == "Warm.\nSoft"
    assert item.categories == ("Clothing", "Socks")
    assert item.attributes == {"store": "Nobody's", "color": "Green"}
    assert done.at == datetime(2020, 5, 4, 18, 10, 55, 70000, tzinfo=UTC)
    assert done.metadata == {"verified": False, "variant": "B1"}


def test_what_others_made_of_a_product_later_is_not_read(tmp_path: Path) -> None:
    write(tmp_path, "meta_Socks.json", *lines({**PRODUCT, "average_rating": 4.9}))

    [item] = take(tmp_path).items

    assert not {"average_rating", "rank", "also_buy"} & set(item.attributes)


@pytest.mark.data
def test_the_reviews_of_fashion_are_read_whole() -> None:
    path = Path(os.environ.get("LAMINA_DATA", "../shared/data")) / "amazon-fashion"
    if not path.is_dir():
        pytest.skip(f"there is no {path}; LAMINA_DATA names the folder with the data")
    tally = Tally()

    taken = take(path)
    for interaction in taken.interactions:
        tally.add(interaction)
    found = tally.statistics()

    assert (len(taken.interactions), taken.items, taken.faults) == (3176, [], [])
    assert (found.users, found.items, found.repeated) == (406, 31, 134)
    assert round(found.last_two_tie, 3) == 0.988
