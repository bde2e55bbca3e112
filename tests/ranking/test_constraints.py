from collections.abc import Sequence

import pytest

from lamina.items import Item
from lamina.ranking.constraints import Kept
from lamina.ranking.constraints import kept as kept_among
from lamina.ranking.vocabulary import vocabulary
from lamina.ranking.wording import wanted

PLACES = [
    Item(id="a", categories=("Horror", "War"), tags=("cosy",),
         attributes={"area": "north", "price": 12.5, "year": 1985, "parking": "yes"}),
    Item(id="b", categories=("Comedy",), attributes={"area": "south", "price": 40, "year": 1999}),
    Item(id="c", categories=("Drama", "Comedy"),
         attributes={"area": "centre", "price": "20", "year": 1990}),
    Item(id="untold"),
]  # fmt: skip


def kept(instruction: str, items: Sequence[Item]) -> Kept:
    return kept_among(instruction, vocabulary(items), range(len(items)))


def stands(instruction: str) -> list[list[int]]:
    return [list(map(int, row)) for row in kept(instruction, PLACES).stands]


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("somewhere in the north", [1, -1, -1, 0]),
        ("in the south, please", [-1, 1, -1, 0]),
        ("北边的", [1, -1, -1, 0]),
        ("under 20", [1, -1, -1, 0]),
        ("no more than 20", [1, -1, 1, 0]),
        ("at least 20 euros", [-1, 1, 1, 0]),
        ("over $20", [-1, 1, -1, 0]),
        ("$20 or less", [1, -1, 1, 0]),
        ("between 15 and 25", [-1, -1, 1, 0]),
        ("20元以下", [1, -1, 1, 0]),
        ("２０元以上", [-1, 1, 1, 0]),
        ("价格不超过20", [1, -1, 1, 0]),
        ("低于20元", [1, -1, -1, 0]),
        ("after 1990", [-1, 1, -1, 0]),
        ("since 1990", [-1, 1, 1, 0]),
        ("before 1990", [1, -1, -1, 0]),
        ("from 1980 to 1990", [1, -1, 1, 0]),
        ("1990年之前", [1, -1, -1, 0]),
        ("1990年以后的", [-1, 1, -1, 0]),
        ("1980到1990年", [1, -1, 1, 0]),
        ("something from the 80s", [1, -1, -1, 0]),
        ("90年代", [-1, 1, 1, 0]),
        ("something from the eighties", [1, -1, -1, 0]),
        ("the nineties", [-1, 1, 1, 0]),
        ("八十年代的", [1, -1, -1, 0]),
        ("from 1990", [-1, -1, 1, 0]),
        ("from 1990 on", [-1, 1, 1, 0]),
        ("made in 1990", [-1, -1, 1, 0]),
        ("1990年的", [-1, -1, 1, 0]),
        ("from 20 euros", [-1, 1, 1, 0]),
        ("non-horror", [-1, 1, 1, 0]),
        ("非常恐怖", [1, -1, -1, 0]),
        ("not horror", [-1, 1, 1, 0]),
        ("nothing scary", [-1, 1, 1, 0]),
        ("I don't want horror", [-1, 1, 1, 0]),
        ("不要恐怖片", [-1, 1, 1, 0]),
        ("a comedy", [-1, 1, 1, 0]),
        ("Comedies", [-1, 1, 1, 0]),
        ("喜剧", [-1, 1, 1, 0]),
        ("comedy or war", [1, 1, 1, 0]),
        ("喜剧或战争", [1, 1, 1, 0]),
        ("cheap", [1, -1, -1, 0]),
        ("便宜", [1, -1, -1, 0]),
        ("not expensive", [1, -1, 1, 0]),
        ("cosy", [1, 0, 0, 0]),
    ],
)
def test_one_constraint(instruction: str, expected: list[int]) -> None:
    assert stands(instruction) == [expected]


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("not horror, a comedy please", [[-1, 1, 1, 0], [-1, 1, 1, 0]]),
        ("a cheap one in the north", [[1, -1, -1, 0], [1, -1, -1, 0]]),
        ("under $20 and after 1980", [[1, -1, -1, 0], [1, 1, 1, 0]]),
        ("北边便宜的", [[1, -1, -1, 0], [1, -1, -1, 0]]),
        ("a comedy and a drama", [[-1, 1, 1, 0], [-1, -1, 1, 0]]),
        ("without horror or war", [[-1, 1, 1, 0], [-1, 1, 1, 0]]),
    ],
)
def test_several_constraints(instruction: str, expected: list[list[int]]) -> None:
    assert stands(instruction) == expected


@pytest.mark.parametrize("instruction", ["", "  ", "something light", "随便", "(((", "20", "not"])
def test_what_no_item_tells_of_is_no_constraint(instruction: str) -> None:
    found = kept(instruction, PLACES)
    assert found.said == ()
    assert found.broken.tolist() == [0, 0, 0, 0]
    assert found.fits.tolist() == [0, 0, 0, 0]


def test_words_of_the_items_win_over_thirds_of_prices() -> None:
    items = [
        Item(id="a", attributes={"price": "cheap", "cost": 90}),
        Item(id="b", attributes={"price": "expensive", "cost": 5}),
    ]
    assert [row.tolist() for row in kept("便宜", items).stands] == [[1, -1]]


def test_how_many_are_kept_and_broken_is_told() -> None:
    found = kept("a comedy under 30, in the centre", PLACES)
    assert found.broken.tolist() == [2, 2, 0, 0]
    assert found.fits.tolist() == [-5.0, -5.0, 3.0, 0.0]
    assert found.told(0, 1) == ("price: under 30",)
    assert len(found.told(0, -1)) == 2
    assert len(found.said) == 3


def test_a_number_of_one_kind_is_not_held_against_another() -> None:
    items = [Item(id="a", attributes={"pages": 300, "year": 1999})]
    assert kept("under 20 euros", items).said == ()
    assert kept("under 400 pages", items).stands.tolist() == [[1]]
    assert kept("before 2000", items).stands.tolist() == [[1]]


def test_science_fiction_is_asked_for_in_many_ways() -> None:
    items = [Item(id="a", categories=("Sci-Fi",)), Item(id="b", categories=("War",))]
    for asked in ("sci fi", "sci-fi", "SciFi", "science fiction", "科幻"):
        assert kept(asked, items).stands.tolist() == [[1, -1]]


@pytest.mark.parametrize(
    ("instruction", "left"),
    [
        ("A Comedy", "A Comedy"),
        ("not a thriller", ""),
        ("not a thriller, but a comedy", ", but a comedy"),
        ("不要恐怖", ""),
        ("除了茶馆，安静的", "，安静的"),
        ("非常安静", "非常安静"),
        ("no more than 20 euros", "no more than 20 euros"),
    ],
)
def test_what_is_refused_is_not_asked_for(instruction: str, left: str) -> None:
    assert wanted(instruction) == left


def test_what_a_word_means_depends_on_all_items_not_on_the_candidates() -> None:
    found = kept_among("a cheap horror film", vocabulary(PLACES), [1])
    assert found.broken.tolist() == [2]
