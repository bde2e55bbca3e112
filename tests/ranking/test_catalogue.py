import numpy as np
import pytest

from lamina.items import Item
from lamina.ranking.catalogue import Catalogue, cut_up, words


def catalogue(*items: Item | None) -> Catalogue:
    return Catalogue(described=tuple(None if item is None else words(item) for item in items))


def titled(*titles: str) -> Catalogue:
    return catalogue(*(Item(id=str(n), title=title) for n, title in enumerate(titles)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Matrix (1999)", ["matrix", "1999"]),
        ("Stories & glasses, bus", ["story", "glasse", "bus"]),
        ("ＦＵＬＬ Café", ["full", "cafe"]),
        ("", []),
        ("???", []),
    ],
)
def test_words_are_cut_up_in_one_form(text: str, expected: list[str]) -> None:
    assert cut_up(text) == expected


def test_chinese_words_are_cut_up_too() -> None:
    assert "喜剧" in cut_up("一部喜剧电影")


def test_a_text_is_nearest_to_itself_and_rare_words_weigh_more() -> None:
    texts = titled("red film", "red wolf", "blue film", "red film wolf", "red").texts
    cosines = texts.cosines(texts.mean([1]), np.arange(5))
    assert cosines.argmax() == 1
    assert cosines[1] == pytest.approx(1.0)
    assert cosines[3] > cosines[0] > 0
    assert cosines[2] == 0


def test_rows_are_told_in_the_order_asked() -> None:
    texts = titled("a red wolf", "blue", "green").texts
    query = texts.query(["blue"])
    assert texts.cosines(query, np.array([2, 1, 1])).tolist() == pytest.approx([0.0, 1.0, 1.0])


def test_a_word_that_all_have_and_one_that_none_has_tell_nothing() -> None:
    texts = titled("film", "film wolf").texts
    assert texts.query(["film"]).tolist() == [0.0, 0.0]
    assert texts.query(["unheard"]).tolist() == [0.0, 0.0]


def test_what_is_not_described_is_like_nothing() -> None:
    texts = catalogue(Item(id="a", title="red"), None, Item(id="c", title="blue")).texts
    assert texts.cosines(texts.mean([1]), np.arange(3)).tolist() == [0.0, 0.0, 0.0]


def test_an_empty_catalogue_can_be_asked() -> None:
    empty = catalogue()
    assert empty.texts.query(["red"]).tolist() == []
    assert empty.kinds.cosines(empty.kinds.mean([]), np.arange(0)).tolist() == []
    assert empty.vocabulary.told == []


def test_categories_are_not_words_of_the_title() -> None:
    kinds = catalogue(
        Item(id="a", title="Horror", categories=("Drama",)),
        Item(id="b", title="Drama", categories=("Horror",)),
        Item(id="c", title="Other", categories=("Horror", "War")),
    ).kinds
    told = kinds.cosines(kinds.mean([1]), np.arange(3))
    assert told[0] == 0.0
    assert told[2] > 0


def test_numbers_are_close_by_how_they_spread() -> None:
    years = [1950, 1980, 1985, 1990, 1995, 2000]
    items = [Item(id=str(year), attributes={"year": year}) for year in years]
    close = catalogue(*items, Item(id="x")).closeness(np.arange(7), np.array([5], dtype=np.int32))
    assert close[5] == 1.0
    assert close[4] > close[3] > close[1] > close[0] > 0
    assert close[6] == 0.0


@pytest.mark.parametrize("value", [True, "1990", None, float("1e400")])
def test_what_is_no_finite_number_is_none(value: object) -> None:
    assert words(Item(id="a", attributes={"year": value})).numbers == ()


def test_a_number_that_all_share_tells_nothing() -> None:
    items = [Item(id=str(n), attributes={"year": 1990}) for n in range(3)]
    close = catalogue(*items).closeness(np.arange(3), np.array([0], dtype=np.int32))
    assert close.tolist() == [0.0, 0.0, 0.0]
