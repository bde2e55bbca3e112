"""How notes are written and linked without a model."""

from dataclasses import replace
from typing import Any

import pytest

from lamina.items import Item
from lamina.strategies.atomrec.catalogue import Catalogue
from lamina.strategies.atomrec.config import AtomRecConfig
from lamina.strategies.atomrec.extractive import Extractive
from lamina.strategies.atomrec.stages import Evolving, Linking
from tests.strategies.atomrec.shown_cards import card, click

HEAT = Item(id="m1", title="Heat (1995)", categories=("Crime", "Drama"), tags=("heist",))
NEAR = (card("a", tags="Comedy"), card("b", tags="drama"), card("c", keywords="heat"))


@pytest.mark.parametrize(
    ("given", "content"),
    [
        ({"rating": 5.0, "usual": 3.5, "rated": 3}, "Heat (1995) — rated 5, above usual"),
        ({"rating": 2.0, "usual": 3.5, "rated": 3}, "Heat (1995) — rated 2, below usual"),
        ({"rating": 3.5, "usual": 3.5, "rated": 3}, "Heat (1995) — rated 3.5"),
        ({"rating": 5.0}, "Heat (1995) — rated 5"),
        ({"rating": 5.0, "usual": 3.0, "rated": 2}, "Heat (1995) — rated 5"),
        ({"action": "watch"}, "Heat (1995) — watch"),
        ({"action": "tag", "text": "moody"}, "Heat (1995) — tag: moody"),
        ({"rating": 0.0, "usual": 0.0, "rated": 3}, "Heat (1995) — rated 0"),
    ],
)
def test_a_note_says_what_was_done_by_the_users_own_mean(
    given: dict[str, Any], content: str
) -> None:
    [written] = Extractive().write([click(HEAT, **given)])

    assert written.user.content == content
    assert written.user.tags == ("Crime", "Drama", "heist")


def test_chinese_titles_stay_chinese() -> None:
    film = Item(id="m2", title="流浪地球", categories=("科幻",))
    before = card("r", content="三体 — 评分 5", tags="科幻")
    [written] = Extractive().write([click(film, rating=5.0, usual=3.0, rated=3, recent=(before,))])

    assert written.user.content == "流浪地球 — 评分 5，高于平常"
    assert written.user.context == "在 三体 之后"


def test_the_context_tells_of_what_came_before() -> None:
    recent = (
        card("a", content="Casino (1995) — rated 5, above usual", tags="Crime Drama"),
        card("b", content="Star Wars: Episode V (1980) — rated 3", tags="Children Drama"),
        card("c", content="Alien (1979) — rated 1: slow", tags="Horror"),
    )
    [written] = Extractive().write([click(HEAT, recent=recent)])

    assert written.user.context == "after Casino, Star Wars: Episode V; mostly Drama"


def test_an_item_has_a_note_where_it_is_new_of_its_description() -> None:
    film = replace(HEAT, description="A heist in Los Angeles goes wrong.")
    old, new = Extractive().write([click(film), click(film, new_item=True)])

    assert old.item is None
    assert new.item is not None
    assert new.item.content == "Heat (1995). A heist in Los Angeles goes wrong."


def test_an_items_note_does_not_tell_what_its_first_user_said_of_it() -> None:
    given: dict[str, Any] = {"new_item": True, "text": "My neighbour Zbigniew hated it."}
    [written] = Extractive().write([click(HEAT, **given)])

    assert written.item is not None
    assert "zbigniew" not in written.item.keywords
    assert "zbigniew" in written.user.keywords


def test_what_its_first_user_calls_an_item_is_in_its_note_unless_only_metadata_may_be() -> None:
    given: dict[str, Any] = {"new_item": True, "action": "tag", "text": "moody"}
    one = Extractive().write([click(HEAT, metadata_only=True, **given)])[0].item
    other = Extractive().write([click(HEAT, **given)])[0].item

    assert one is not None
    assert other is not None
    assert "moody" not in one.keywords
    assert "moody" in other.keywords


def test_what_holds_sentences_together_is_no_keyword() -> None:
    [written] = Extractive().write([click(HEAT, text="Gave out over there until the harbour.")])

    assert written.user.keywords == ("harbour", "heat")


def test_links_go_to_the_nearest_that_share_a_tag_or_keyword() -> None:
    new = card("new", keywords="Heat", tags="Crime Drama")
    linked = Extractive().link([Linking(new=new, near=NEAR)])[0]

    assert [(link.target, link.relation) for link in linked] == [
        ("b", "both Drama"), ("c", "both Heat"),
    ]  # fmt: skip


def test_links_are_few_by_meaning_by_nearness_alone_or_none() -> None:
    asked = [Linking(new=card("new", tags="Drama", keywords="heat"), near=NEAR)]

    def targets(**config: object) -> list[str]:
        found = Extractive(AtomRecConfig(**config)).link(asked)[0]  # type: ignore[arg-type]
        return [link.target for link in found]

    assert targets(most_links=1) == ["b"]
    assert targets(links="embedding") == ["a", "b", "c"]
    assert targets(links="none") == []


def test_what_is_said_twice_is_written_alike() -> None:
    asked = [click(HEAT, text="Tense, with a shoot-out.", rating=4.0)]

    assert Extractive().write(asked) == Extractive().write(asked)


def test_a_long_description_is_cut_at_a_word() -> None:
    film = replace(HEAT, description="word " * 500)
    item = Extractive().write([click(film, new_item=True)])[0].item

    assert item is not None
    assert item.content.endswith(" word")
    assert len(item.content) < 280


def test_no_note_gains_a_word_that_only_people_said() -> None:
    catalogue = Catalogue()
    for title in ("heist", "babe", "alien", "moon", "rain"):
        catalogue.add([title], 0)
    target = card("t", item="m1")
    others = [card(id_, item=id_, keywords="heist Zbigniew") for id_ in "abc"]
    [evolved] = Extractive(catalogue=catalogue).evolve(
        [Evolving(new=others[0], target=target, nearby=tuple(others[1:]))]
    )

    assert evolved is not None
    assert evolved.keywords == ("heist",)
