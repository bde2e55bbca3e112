from collections.abc import Iterator

import pytest

import lamina
from lamina.errors import NotFound
from lamina.memory import Memory
from lamina.memory.recommending import Recommender
from lamina.testing import FakeClock, WordEncoder
from tests.memory.recommending.test_ranking import DONE, ITEMS, NOON, did


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
    made.process()
    return made


def test_what_speaks_for_an_item_is_told_with_its_evidence(films: Recommender) -> None:
    told = films.explain("ann", "1")
    assert told.item.title == "Aliens"
    assert sum(told.signals.values()) == pytest.approx(told.score)
    assert {"own", "item", "pattern"} <= {each.kind for each in told.evidence}
    own = [each for each in told.evidence if each.kind == "own"]
    assert films.get(own[0].id).text == own[0].text
    assert not told.known


def test_the_score_is_that_of_the_ranking(films: Recommender) -> None:
    ranked = films.rank("ann", ["1", "3"], explain=True)
    assert {each.item: each.score for each in ranked.items} == pytest.approx(
        {item: films.explain("ann", item).score for item in ("1", "3")}
    )


def test_links_are_told_with_what_they_say_and_nobody_is_named(films: Recommender) -> None:
    films.add_interactions([did("dee", "0", 6), did("dee", "1", 7), did("ann", "1", 8)])
    films.process()
    found = [
        each
        for item in ("0", "1", "2", "3")
        for each in films.explain("ann", item).evidence
        if each.relation
    ]
    shared = [each for each in found if each.kind == "shared"]
    assert shared
    for each in shared:
        assert each.id == ""
        assert each.at is not None
        assert each.at.hour == 0


def test_constraints_that_are_kept_and_broken_are_told(films: Recommender) -> None:
    told = films.explain("ann", "4", instruction="a crime film under 30")
    assert told.breaks == ("category: crime",)
    assert told.keeps == ("price: under 30",)


def test_evidence_that_adds_most_comes_first_and_no_note_twice(films: Recommender) -> None:
    films.add_interactions([did("dee", "0", 6), did("dee", "1", 7), did("ann", "1", 8)])
    films.process()
    for item in ("0", "1", "2", "3"):
        told = films.explain("ann", item).evidence
        alone = [each.weight for each in told if not each.relation and each.kind != "own"]
        assert alone == sorted(alone, reverse=True)
        assert told[0].weight > 0
        ids = [each.id for each in told if each.id]
        assert len(ids) == len(set(ids))


def test_what_was_rated_below_usual_is_no_reason(films: Recommender) -> None:
    films.add_interactions([did("ann", "1", 6, rating=1.0), did("ann", "3", 7, rating=5.0)])
    films.process()
    disliked = next(each.id for each in films.list(kind="user_note") if "rated 1" in each.text)
    assert disliked not in {each.id for each in films.explain("ann", "4").evidence}
    assert disliked not in {each.id for each in films.explain("ann", "2").evidence}
    [own] = [each for each in films.explain("ann", "1").evidence if each.id == disliked]
    assert own.weight == 0


def test_what_is_refused_is_not_asked_for(films: Recommender) -> None:
    refused = films.explain("ann", "2", instruction="not a crime like Heat")
    assert refused.rationale.startswith("breaks category: not crime; ")
    assert not {"asked_for", "asked_words"} & set(refused.signals)
    asked = films.explain("ann", "2", instruction="a crime like Heat")
    assert asked.rationale.startswith("keeps category: crime; ")
    assert asked.signals["asked_words"] > 0


def test_facets_that_the_item_shares_are_told(films: Recommender) -> None:
    assert "Crime" in {each.facet for each in films.explain("ann", "3").facets}
    assert "Crime" not in {each.facet for each in films.explain("ann", "1").facets}


def test_an_item_that_nobody_knows_by_then_is_not_found(films: Recommender) -> None:
    with pytest.raises(NotFound):
        films.explain("ann", "nope")
    films.add_interactions([did("bo", "late", 9)])
    assert films.explain("ann", "late").item.id == "late"
    with pytest.raises(NotFound):
        films.explain("ann", "late", as_of=NOON)


def test_an_explanation_is_plain_data(films: Recommender) -> None:
    told = films.explain("ann", "1").to_dict()
    assert told["item"]["id"] == "1"
    assert isinstance(told["evidence"], list)


def test_of_somebody_new_popularity_alone_speaks(films: Recommender) -> None:
    told = films.explain("dee", "0")
    assert told.cold
    assert told.facets == ()
    assert set(told.signals) <= {"popularity", "season", "in_season", "esteem"}


def test_a_profile_tells_what_was_done_and_what_lasts(films: Recommender) -> None:
    days = 24.0
    films.add_interactions(
        [did("ann", "3", 20 * days), did("ann", "1", 60 * days), did("ann", "2", 61 * days)]
    )
    films.process()
    known = films.profile("ann")
    assert known.interactions == 5
    assert known.notes == 5
    assert known.first_at == NOON
    by_name = {each.facet: each for each in known.facets}
    assert by_name["Crime"].lasting
    assert len(by_name["Crime"].supporting_notes) == 3
    then = films.profile("ann", as_of=NOON)
    assert then.interactions == 0
    assert then.facets == ()


def test_nothing_is_known_of_somebody_new(films: Recommender) -> None:
    known = films.profile("dee")
    assert (known.text, known.facets, known.interactions, known.notes) == ("", (), 0, 0)
