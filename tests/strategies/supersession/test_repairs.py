"""Which messages take back what their speaker said just before, and what becomes of it."""

import random
from itertools import permutations

import pytest

from lamina.strategies.supersession.extractive import Extractive
from lamina.strategies.supersession.repairs import fits, repair
from tests.strategies.supersession.facts import FactView, fact


def heirs(view: FactView) -> dict[str, str | None]:
    return {note.id: note.superseded_by for note in view.facts.values()}


@pytest.mark.parametrize(
    ("stated", "repaired"),
    [
        ("Shoe size 43", "scratch that, 42"),
        ("Our house has three bedrooms", "Typo! Four bedrooms"),
        ("5th floor, no lift", "4th* floor"),
        ("The wedding is on the 12th of July", "Sorry, 21st of July. I always flip those"),
        ("We've got a Skoda Octavia", "Not an Octavia, a Superb."),
        ("Interview with Deloitte, nervous", "Did I say Deloitte? KPMG it is"),
        ("鞋码38", "写错，39"),
        ("我们家在12栋", "应该是21栋，数字老写反"),
        ("家里两只鹦鹉", "两只？我糊涂了，是三只"),
        ("本科武大的", "华科！怎么会打成武大"),
    ],
)
def test_a_repair_fits_what_has_another_value_of_its_sort_or_what_it_names(
    stated: str, repaired: str
) -> None:
    made = repair(repaired)

    assert made
    assert fits(made, stated)


@pytest.mark.parametrize(
    ("stated", "said_next"),
    [
        ("work email is ann@studio.example", "Sorry, forgot to add, private is ann@home.example"),
        ("AB negative, that's me", "yes, AB negative, I checked"),
        ("Shoe size 43", "sorry, what about the boots?"),
        ("I live in Turin", "Sorry, I meant 42"),
        ("The remodel starts in March", "Correction to the list: three onions, not two."),
        ("普洱爱好者", "对不起忘讲了，绿茶也爱"),
        ("O型血", "嗯嗯O型，没填错"),
    ],
)
def test_what_adds_asks_or_confirms_repairs_nothing(stated: str, said_next: str) -> None:
    made = repair(said_next)

    assert made is None or not fits(made, stated)
    view = FactView()
    told = [fact("a", stated), fact("b", said_next, day=0.001)]
    view.apply(Extractive().digest(view.tell(*told), view))
    assert heirs(view)["a"] is None


@pytest.mark.parametrize("order", [*permutations(range(4))])
def test_the_end_is_the_same_in_whatever_order_a_session_arrives(order: tuple[int, ...]) -> None:
    told = [
        fact("size", "Shoe size 43"),
        fact("floor", "we are on the 5th floor", day=0.001),
        fact("no-floor", "typo, 4th floor", day=0.002),
        fact("no-size", "scratch that, shoe size 42", day=0.003),
    ]
    view = FactView()
    for place in order:
        view.apply(Extractive().digest(view.tell(told[place]), view))

    ended = {"size": "no-size", "floor": "no-floor", "no-floor": None, "no-size": None}
    assert heirs(view) == ended


def test_a_statement_told_late_takes_over_the_repair_that_was_another_ones() -> None:
    told = [fact("a", "Shoe size 43"), fact("b", "hat size 57", day=0.001)]
    repaired = fact("c", "scratch that, 58", day=0.002)
    view = FactView()
    for each in (told[0], repaired, told[1]):
        view.apply(Extractive().digest(view.tell(each), view))

    assert heirs(view) == {"a": None, "b": "c", "c": None}


def test_what_was_said_long_before_or_by_another_is_not_repaired() -> None:
    view = FactView()
    told = [
        fact("a", "Shoe size 43"),
        fact("b", "Shoe size 44", day=1, speaker="bo"),
        fact("c", "scratch that, 42", day=1.001),
    ]
    random.Random(3).shuffle(told)
    view.apply(Extractive().digest(view.tell(*told), view))

    assert set(heirs(view).values()) == {None}
