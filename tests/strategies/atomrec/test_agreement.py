"""How a note evolves without a model."""

from lamina.strategies.atomrec.agreement import gained
from lamina.strategies.atomrec.stages import Card, Evolution, Evolving
from tests.strategies.atomrec.shown_cards import card


def evolved(target: Card, *others: Card, common: str = "") -> Evolution | None:
    asked = Evolving(new=others[0], target=target, nearby=others[1:])
    return gained(asked, lambda word: word not in common.split())


def test_a_note_gains_what_most_of_those_around_it_have() -> None:
    found = evolved(
        card("t", tags="Crime"),
        card("a", tags="Crime Noir"), card("b", tags="noir"), card("c", tags="Noir Western"),
    )  # fmt: skip

    assert found is not None
    assert found.tags == ("Crime", "Noir")
    assert found.supporting == ("a", "b", "c")
    assert found.confidence == 1.0


def test_what_a_minority_has_it_does_not_gain() -> None:
    two_of_three = (card("a", tags="Noir"), card("b", tags="Noir"), card("c"))

    assert evolved(card("t"), *two_of_three) is None
    assert evolved(card("t"), card("a", tags="Noir")) is None


def test_notes_about_one_item_count_once_and_those_about_its_own_not_at_all() -> None:
    same = [card(id_, tags="Noir", item="m1") for id_ in "abc"]

    assert evolved(card("t"), *same) is None
    assert evolved(card("t", item="m1"), *same, card("d", tags="Noir")) is None


def test_what_is_everywhere_is_no_agreement() -> None:
    both = (card("a", tags="Drama"), card("b", tags="Drama"))

    assert evolved(card("t"), *both) is not None
    assert evolved(card("t"), *both, common="Drama") is None


def test_a_note_does_not_grow_for_ever() -> None:
    full = card("t", tags="a b c d e f g h")

    assert evolved(full, card("a", tags="Noir"), card("b", tags="Noir")) is None


def test_what_it_had_it_keeps() -> None:
    found = evolved(
        card("t", keywords="heist", tags="Crime", context="after Casino"),
        card("a", keywords="heat"), card("b", keywords="heat"),
    )  # fmt: skip

    assert found is not None
    assert (found.keywords, found.tags, found.context) == (
        ("heist", "heat"), ("Crime",), "after Casino",
    )  # fmt: skip
