from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import lamina
from lamina.errors import BadInput
from lamina.memory import Memory
from lamina.memory.recommending import Recommender
from lamina.testing import FakeClock, WordEncoder

NOON = datetime(2020, 5, 4, 12, tzinfo=UTC)
ITEMS = [
    {"id": "0", "title": "Alien", "categories": ["Horror", "Sci-Fi"], "year": 1979, "price": 5},
    {"id": "1", "title": "Aliens", "categories": ["Action", "Sci-Fi"], "year": 1986, "price": 7},
    {"id": "2", "title": "Heat", "categories": ["Crime", "Thriller"], "year": 1995, "price": 9},
    {"id": "3", "title": "Casino", "categories": ["Crime", "Drama"], "year": 1995, "price": 12},
    {"id": "4", "title": "Amelie", "categories": ["Comedy"], "year": 2001, "price": 20},
]


def did(user: str, item: str, hours: float, rating: float = 4.0) -> dict[str, Any]:
    at = NOON + timedelta(hours=hours)
    return {"user": user, "item": item, "timestamp": at, "rating": rating}


DONE = [
    did("ann", "0", 0),
    did("bo", "0", 1),
    did("bo", "1", 2),
    did("ann", "2", 3),
    did("cy", "2", 4),
    did("cy", "3", 5),
]


@pytest.fixture(params=["memory", "file"])
def memory(request: pytest.FixtureRequest, tmp_path: object) -> Iterator[Memory]:
    path = ":memory:" if request.param == "memory" else f"{tmp_path}/films.db"
    with lamina.open(path, encoder=WordEncoder(), clock=FakeClock()) as opened:
        yield opened


@pytest.fixture
def films(memory: Memory) -> Recommender:
    made = memory.recommender("films")
    made.add_items(ITEMS)
    made.add_interactions(DONE)
    return made


def test_all_that_the_user_does_not_know_is_ranked_if_no_candidates_are_given(
    films: Recommender,
) -> None:
    assert sorted(films.rank("ann").ids) == ["1", "3", "4"]


def test_what_others_with_the_same_items_chose_comes_first(films: Recommender) -> None:
    assert films.rank("ann").ids[-1] == "4"
    assert not films.rank("ann").cold


def test_candidates_that_the_user_knows_are_ranked_like_others(films: Recommender) -> None:
    assert sorted(films.rank("ann", ["0", "4"]).ids) == ["0", "4"]


def test_duplicates_and_unknown_candidates_are_dropped_and_counted(films: Recommender) -> None:
    found = films.rank("ann", ["3", "nope", "0", "3", "nope", "none"])
    assert sorted(found.ids) == ["0", "3"]
    assert found.duplicates == 2
    assert found.unknown == ("nope", "none")


def test_an_item_that_was_never_described_can_be_ranked(films: Recommender) -> None:
    films.add_interactions([did("bo", "undescribed", 6)])
    assert "undescribed" in films.rank("ann").ids


@pytest.mark.parametrize("candidates", [["4"], ["0"]])
def test_one_candidate_is_a_ranking(films: Recommender, candidates: list[str]) -> None:
    assert list(films.rank("ann", candidates).ids) == candidates


def test_nothing_to_rank_is_an_empty_ranking(films: Recommender) -> None:
    assert films.rank("ann", []).ids == ()


def test_an_empty_store_ranks_nothing(memory: Memory) -> None:
    found = memory.recommender("empty").rank("ann")
    assert found.ids == ()
    assert found.cold
    assert memory.recommender("empty").rank("ann", ["0"]).unknown == ("0",)


def test_somebody_new_is_cold_and_gets_what_many_chose(films: Recommender) -> None:
    found = films.rank("dee")
    assert found.cold
    assert sorted(found.ids) == ["0", "1", "2", "3", "4"]
    assert set(found.ids[:2]) == {"0", "2"}


def test_what_is_pending_counts_and_is_told(films: Recommender) -> None:
    before = films.rank("ann")
    assert before.pending == len(DONE)
    films.process()
    assert films.rank("ann").pending == 0


def test_only_the_first_are_told_if_so_wanted(films: Recommender) -> None:
    whole = films.rank("ann")
    assert films.rank("ann", top_k=2).ids == whole.ids[:2]
    with pytest.raises(BadInput):
        films.rank("ann", top_k=0)


def test_candidates_are_a_list_of_texts(films: Recommender) -> None:
    with pytest.raises(BadInput):
        films.rank("ann", "012")
    with pytest.raises(BadInput):
        films.rank("ann", [1])  # type: ignore[list-item]


@pytest.mark.parametrize("processed", [False, True])
def test_nothing_that_anybody_does_later_changes_a_ranking_of_before(
    films: Recommender, processed: bool
) -> None:
    moment = NOON + timedelta(hours=6)
    if processed:
        films.process()
    before = films.rank("ann", as_of=moment, explain=True)
    films.add_interactions(
        [did("bo", "4", 7), did("cy", "4", 8), did("ann", "4", 9), did("bo", "3", 6)]
    )
    films.add_items([{"id": "new", "title": "Alien 3", "known_since": NOON + timedelta(days=1)}])
    if processed:
        films.process()
    after = films.rank("ann", as_of=moment, explain=True)
    assert [(each.item, each.signals) for each in after.items] == [
        (each.item, each.signals) for each in before.items
    ]


def test_what_breaks_a_constraint_comes_last_and_what_fits_is_told(films: Recommender) -> None:
    found = films.rank("ann", ["0", "1", "2", "3", "4"], instruction="after 1990", explain=True)
    assert set(found.ids[:3]) == {"2", "3", "4"}
    assert {each.item for each in found.items if each.signals["fits"] > 0} == {"2", "3", "4"}
    assert set(films.rank("ann", ["0", "4"], instruction="不要恐怖片").ids[:1]) == {"4"}


def test_the_score_tells_the_order_and_constraints_are_told_by_name(films: Recommender) -> None:
    found = films.rank("ann", ["0", "1", "2", "3", "4"], instruction="a crime film under 10")
    scores = [each.score for each in found.items]
    assert scores == sorted(scores, reverse=True)
    best, worst = found.items[0], found.items[-1]
    assert (best.item, best.keeps) == ("2", ("price: under 10", "category: crime"))
    assert (worst.item, worst.breaks) == ("4", ("price: under 10", "category: crime"))
    assert "breaks price: under 10, category: crime" in worst.rationale


def test_the_shares_of_the_signals_add_up_to_the_score(films: Recommender) -> None:
    for each in films.rank("ann", instruction="a crime film under 10", explain=True).items:
        assert sum(each.signals.values()) == pytest.approx(each.score)
        assert each.rationale


def test_evidence_names_own_notes_and_nobody_else(films: Recommender) -> None:
    films.process()
    best = films.rank("ann", explain=True).items[0]
    assert {"own", "item", "pattern"} <= {each.kind for each in best.evidence}
    for each in best.evidence:
        assert "bo" not in each.text.split()
        assert each.id or each.kind in ("shared", "pattern")


@settings(
    deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(candidates=st.lists(st.sampled_from(["0", "1", "2", "3", "4", "x", " ", "5"]), max_size=12))
def test_any_candidates_give_a_permutation_of_those_that_are_known(
    films: Recommender, candidates: list[str]
) -> None:
    found = films.rank("ann", candidates)
    assert sorted(found.ids) == sorted(set(candidates) & {"0", "1", "2", "3", "4"})
    assert films.rank("ann", candidates[::-1]).ids == found.ids


def test_an_instruction_that_is_no_text_and_a_user_without_a_name_are_refused() -> None:
    with lamina.open(":memory:", encoder=WordEncoder()) as memory:
        films = memory.recommender("films")
        films.add_items([{"id": "a", "title": "Heat"}])
        nothing: Any = None
        with pytest.raises(BadInput, match="an instruction is a text, not None"):
            films.rank("ann", instruction=nothing)
        with pytest.raises(BadInput, match="an instruction is a text, not None"):
            films.explain("ann", "a", instruction=nothing)
        for asked in (films.rank, films.profile, films.interactions):
            with pytest.raises(BadInput, match="the user's id must be a text"):
                asked(" ")
