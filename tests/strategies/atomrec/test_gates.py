"""What a change of a note must pass."""

import math
from typing import Any

import pytest

from lamina.strategies.atomrec.gates import admitted, all_admitted
from lamina.strategies.atomrec.stages import Evolution, Relation
from tests.strategies.atomrec.shown_cards import card

TARGET = card("target", keywords="heist robbery", tags="Crime", content="liked a heist in Heat")
NEW, NEARBY = card("new", keywords="noir", tags="Crime Drama"), card("near", tags="Drama")
SHOWN = (NEW, TARGET, NEARBY)


def proposed(**given: Any) -> Evolution:
    defaults: dict[str, Any] = {
        "keywords": ("heist", "robbery", "noir"),
        "tags": ("Crime",),
        "context": "",
        "confidence": 0.8,
        "supporting": ("new",),
    }
    return Evolution(**defaults | given)


def test_a_change_that_is_borne_out_is_had() -> None:
    change = admitted(proposed(links=(Relation(target="near"),)), TARGET, SHOWN, 0.5)

    assert change is not None
    assert change.fields.keywords == ("heist", "robbery", "noir")
    assert change.fields.content == TARGET.fields.content
    assert [link.target for link in change.links] == ["near"]
    assert not change.narrower


@pytest.mark.parametrize(
    "given",
    [
        {"confidence": 0.49},
        {"confidence": 1.01},
        {"confidence": math.nan},
        {"confidence": -1.0},
        {"supporting": ()},
        {"supporting": ("elsewhere",)},
        {"supporting": ("new", "elsewhere")},
        {"supporting": ("target",)},
        {"links": (Relation(target="elsewhere"),)},
        {"links": (Relation(target="target"),)},
    ],
)
def test_one_that_is_not_leaves_the_note_as_it_was(given: dict[str, Any]) -> None:
    assert admitted(proposed(**given), TARGET, SHOWN, 0.5) is None


def test_what_changes_nothing_is_no_change() -> None:
    same = proposed(keywords=("heist", "robbery"), tags=("Crime",))

    assert admitted(same, TARGET, SHOWN, 0.5) is None


def test_words_are_tidied_and_bounded() -> None:
    many = tuple(f"w{i}" for i in range(100))
    change = admitted(
        proposed(keywords=(" Noir ", "noir", "", *many), context=" x" * 1000), TARGET, SHOWN, 0.5
    )

    assert change is not None
    assert change.fields.keywords[:2] == ("Noir", "w0")
    assert len(change.fields.keywords) == 12
    assert len(change.fields.context) <= 600


@pytest.mark.parametrize(
    ("keywords", "tags", "narrower"),
    [
        (("robbery", "noir"), ("Crime",), True),  # its own content says heist
        (("heist", "noir"), ("Crime",), False),  # nothing says robbery
        (("heist", "robbery"), ("Thriller",), True),  # the support says Crime
    ],
)
def test_dropping_what_is_still_borne_out_is_flagged(
    keywords: tuple[str, ...], tags: tuple[str, ...], narrower: bool
) -> None:
    change = admitted(proposed(keywords=keywords, tags=tags), TARGET, SHOWN, 0.5)

    assert change is not None
    assert change.narrower == narrower


def test_only_notes_that_were_shown_may_change() -> None:
    shown = {each.id: each for each in SHOWN}

    changes = all_admitted({"elsewhere": proposed(), "target": proposed()}, shown, 0.5)

    assert [change.target for change in changes] == ["target"]
