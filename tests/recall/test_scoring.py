from dataclasses import fields, replace
from datetime import timedelta

import numpy as np
import pytest

from lamina.model import Variant
from lamina.recall.fusion import NAMES, Weights
from lamina.recall.scoring import SIGNALS, Ranked, rank, weights_of
from tests.recall.shelf import BEGIN, Shelf, Told, Turn, ask

NOTES = (
    Told("fact", "Ann keeps bees.", (0,)),
    Told("relation", "Bo asks Ann about bees.", (0, 1)),
    Told("summary", "They talk of bees.", (0, 1)),
)
SHELF = Shelf([Turn("I keep bees."), Turn("How many?", "bo")], NOTES)
ONLY_WORDS = Weights(**{field.name: 0.0 for field in fields(Weights)} | {"turn_lexical": 1.0})


def ranked(
    shelf: Shelf, text: str, variant: Variant = "full", weights: Weights | None = None
) -> Ranked:
    found = shelf.signals(ask(text))
    return rank(found, shelf.documents, weights or Weights(), variant)


def test_the_best_comes_first() -> None:
    shelf = Shelf([Turn("I bake bread."), Turn("I keep bees."), Turn("Nice weather.")])
    found = ranked(shelf, "bees")

    assert found.rows[0] == 1
    assert np.all(np.diff(found.relevance) <= 0)


def test_ties_go_to_what_was_said_earlier() -> None:
    found = ranked(
        Shelf([Turn("Plums."), Turn("Plums.", session="s2")]), "pears", weights=ONLY_WORDS
    )

    assert found.rows.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("variant", "kinds"), [("flat", {-1, 0}), ("events", {-1, 0, 1}), ("full", {-1, 0, 1, 2})]
)
def test_each_variant_shows_its_kinds_of_notes(variant: Variant, kinds: set[int]) -> None:
    found = ranked(SHELF, "bees", variant)

    assert set(SHELF.documents.kinds[found.rows].tolist()) == kinds


def test_each_variant_has_the_signals_of_the_one_before() -> None:
    assert set(SIGNALS["flat"]) < set(SIGNALS["events"]) < set(SIGNALS["full"]) == set(NAMES)


def test_a_variant_uses_its_own_signals_alone() -> None:
    found = ranked(SHELF, "bees", "flat")
    others = [i for i, name in enumerate(NAMES) if name not in SIGNALS["flat"]]

    assert not found.shares[:, others].any()


@pytest.mark.parametrize("exchanges", [False, True])
@pytest.mark.parametrize("place", [0, 1, 2, 3])
def test_a_find_stands_above_its_neighbours_wherever_it_is(place: int, exchanges: bool) -> None:
    said = ["Nice long weather we are having.", "So it is indeed today.", "Shall we go out then?"]
    said.insert(place, "I keep bees.")
    shelf = Shelf([Turn(text) for text in said], exchanges=exchanges)

    assert ranked(shelf, "蜜 bees").rows[0] == place


def test_the_turn_stands_in_for_the_views_a_variant_lacks() -> None:
    weights = Weights()
    flat, full = (dict(zip(NAMES, weights_of(v, weights), strict=True)) for v in ("flat", "full"))

    assert full["turn_dense"] == pytest.approx(weights.turn_dense)
    assert flat["turn_dense"] == pytest.approx(
        weights.turn_dense + weights.exchange_dense + weights.near_dense + weights.session_dense
    )
    assert flat["near_dense"] == 0


def test_the_shares_add_up_to_the_relevance() -> None:
    found = ranked(SHELF, "Who keeps bees?")

    for place, relevance in enumerate(found.relevance.tolist()):
        assert sum(found.explain(place).values()) == pytest.approx(relevance, rel=1e-5)


def test_only_signals_that_counted_are_explained() -> None:
    found = ranked(SHELF, "bees", weights=ONLY_WORDS)

    assert set(found.explain(0)) == {"turn_lexical"}


def test_recency_counts_only_where_it_is_given_weight() -> None:
    turns = [Turn("Plums."), Turn("Plums.", session="s2", said_at=BEGIN + timedelta(days=70))]
    shelf = Shelf(turns, exchanges=False)
    fresh = replace(ONLY_WORDS, recency=1.0, half_life_days=30.0)

    assert ranked(shelf, "plums", weights=ONLY_WORDS).explain(0) == {"turn_lexical": 1.0}
    assert ranked(shelf, "plums", weights=ONLY_WORDS).rows.tolist() == [0, 1]
    assert ranked(shelf, "plums", weights=fresh).rows.tolist() == [1, 0]
    assert ranked(shelf, "plums", weights=fresh).explain(0) == {"turn_lexical": 1.0, "recency": 0.5}


def test_exchanges_are_no_hits_themselves() -> None:
    assert not np.isin(1, SHELF.documents.views[ranked(SHELF, "bees").rows])


def test_an_empty_scope_has_an_empty_ranking() -> None:
    assert ranked(Shelf([]), "bees").rows.tolist() == []
