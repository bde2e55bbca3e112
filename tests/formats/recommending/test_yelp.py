import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.formats.recommending.taken import take, write

BUSINESS: dict[str, Any] = {
    "business_id": "b1", "name": "The Invented Anchor", "address": "1 Quay", "city": "Oslo",
    "state": "03", "stars": 4.5, "review_count": 12, "is_open": 1,
    "attributes": {
        "RestaurantsPriceRange2": "1", "WiFi": "u'free'", "OutdoorSeating": "True",
        "BusinessParking": "{'garage': False, 'street': True, 'lot': None}", "Odd": "None",
    },
    "categories": "Fish, Bars, Fish", "hours": None,
}  # fmt: skip


def business(tmp_path: Path, **changes: Any) -> Any:
    write(tmp_path, "yelp_academic_dataset_business.json", json.dumps({**BUSINESS, **changes}))
    [item] = take(tmp_path).items
    return item


def test_a_business_is_read_with_its_categories_and_place(tmp_path: Path) -> None:
    item = business(tmp_path)

    assert (item.id, item.title, item.categories) == (
        "b1", "The Invented Anchor", ("Fish", "Bars"),
    )  # fmt: skip
    assert item.attributes["city"] == "Oslo"
    assert item.attributes["stars"] == 4.5
    assert "review_count" not in item.attributes


def test_attributes_are_read_as_what_they_stand_for(tmp_path: Path) -> None:
    attributes = business(tmp_path).attributes

    assert attributes["price"] == "cheap"
    assert attributes["WiFi"] == "free"
    assert attributes["OutdoorSeating"] is True
    assert attributes["BusinessParking.garage"] is False
    assert not {"BusinessParking.lot", "Odd", "RestaurantsPriceRange2"} & set(attributes)


@pytest.mark.parametrize("missing", ["attributes", "categories"])
def test_a_business_of_which_little_is_told_is_read(tmp_path: Path, missing: str) -> None:
    assert business(tmp_path, **{missing: None}).title == "The Invented Anchor"


def test_reviews_and_tips_are_read(tmp_path: Path) -> None:
    review = {
        "review_id": "r1", "user_id": "u1", "business_id": "b1", "stars": 3.0, "useful": 0,
        "funny": 0, "cool": 0, "text": "Salty.", "date": "2018-07-07 22:09:11",
    }  # fmt: skip
    tip = {"user_id": "u1", "business_id": "b1", "text": "Cash only", "date": "2013-01-02 03:04:05"}
    write(tmp_path, "review.json", json.dumps(review))
    write(tmp_path, "tip.json", json.dumps({**tip, "compliment_count": 0}))
    write(tmp_path, "user.json", json.dumps({"user_id": "u1", "name": "Nobody Atall"}))

    taken = take(tmp_path)

    assert [(i.action, i.rating, i.text) for i in taken.interactions] == [
        ("review", 3.0, "Salty."), ("tip", None, "Cash only"),
    ]  # fmt: skip
    assert taken.interactions[0].at == datetime(2018, 7, 7, 22, 9, 11, tzinfo=UTC)
    assert taken.items == []
