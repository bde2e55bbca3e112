"""Rankings by what users share: by which patterns, for whom, and what of it is told."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

import lamina
from lamina.errors import BadInput
from lamina.items import Method, Ranking
from lamina.memory.recommending import Recommender
from lamina.memory.recommending.ranking import NOTHING_THEN, NOTHING_YET
from lamina.ranking.shared import CONTENT
from lamina.strategies.amem4rec.config import AMEM4RecConfig
from lamina.testing import FakeClock, ScriptedLLM, WordEncoder
from lamina.testing.clock import NOON

MOVES = ("Crime", "Crime", "Horror")
"""What many do."""
KINDS = ("Crime", "Horror", "Comedy", "Western")
DISLIKED = "Dislikes Western."
ITEMS = [f"{kind}{number}" for kind in KINDS for number in range(6)]


@pytest.fixture(params=["memory", "file"])
def films(request: pytest.FixtureRequest, tmp_path: object) -> Iterator[Recommender]:
    """Four users move from crime to horror, and so does Ann, of whom there is not more."""
    path = ":memory:" if request.param == "memory" else f"{tmp_path}/films.db"
    with lamina.open(path, encoder=WordEncoder(), clock=FakeClock()) as memory:
        made = memory.recommender("films")
        made.add_items(
            {"id": id_, "title": f"Film {id_}", "categories": [id_[:-1]]} for id_ in ITEMS
        )
        for place in range(4):
            watched(made, f"u{place}", *MOVES, hours=10 * place, first=place)
        watched(made, "ann", *MOVES, hours=60, first=4)
        yield made


def watched(
    films: Recommender, user: str, *kinds: str, hours: float, first: int, rating: float = 4
) -> None:
    films.add_interactions(
        {
            "user": user,
            "item": f"{kind}{(first + place) % 6}",
            "timestamp": NOON + timedelta(hours=hours + place),
            "rating": rating,
        }
        for place, kind in enumerate(kinds)
    )


def bare(ranking: Ranking) -> list[tuple[str, float]]:
    return [(each.item, each.score) for each in ranking.items]


def test_without_a_pool_all_that_there_is_is_what_there_was(films: Recommender) -> None:
    assert bare(films.rank("ann", method="lamina")) == bare(films.rank("ann", method="atomrec"))
    assert films.rank("ann").patterns == ()


def test_a_pool_changes_nothing_where_it_does_not_serve(films: Recommender) -> None:
    before = films.rank("ann", method="atomrec")
    films.refresh()

    assert films.rank("ann", method="atomrec") == before
    assert films.rank("ann", method="lamina").patterns


def test_by_patterns_alone_what_they_are_about_comes_first(films: Recommender) -> None:
    films.refresh()

    ranking = films.rank("ann", ITEMS, method="amem4rec", explain=True)

    kinds = [each.item[:-1] for each in ranking.items]
    assert set(kinds[:12]) == {"Crime", "Horror"}
    assert set(kinds[12:]) == {"Comedy", "Western"}
    assert all(name.startswith("shared_") for each in ranking.items for name in each.signals)


def test_by_patterns_alone_no_item_is_told_from_another_of_its_kind(films: Recommender) -> None:
    """Neither by its id nor by its title, nor by who chose it."""
    films.refresh()

    told = films.rank("ann", ITEMS, method="amem4rec", explain=True)

    for name in ("shared_kinds", "shared_moves"):
        shares = {(each.item[:-1], round(each.signals.get(name, 0.0), 9)) for each in told.items}
        assert len(shares) == len(KINDS), name


def test_who_is_unknown_is_ranked_by_the_weightiest_patterns(films: Recommender) -> None:
    films.refresh()

    ranking = films.rank("nobody", ITEMS, method="amem4rec")

    assert [each.id for each in ranking.patterns] == [
        each.id for each in films.pool.patterns("nobody", limit=5)
    ]
    assert ranking.items[0].item[:-1] in ("Crime", "Horror")


def test_who_is_unknown_is_told_what_many_share_and_not_what_such_users_do(
    films: Recommender,
) -> None:
    films.refresh()

    told = films.rank("nobody", ITEMS, method="amem4rec", explain=True)
    one = films.rank("nobody", ITEMS, explain=True)
    explained = films.explain("nobody", told.items[0].item)

    said = [explained.rationale, *(each.rationale for each in (*told.items, *one.items))]
    assert told.cold
    assert "in the categories that many users move to" in told.items[0].rationale
    assert not any("such users" in each or "users like" in each for each in said)
    assert any("such users" in each.rationale for each in films.rank("ann", explain=True).items)


def test_weights_of_the_weightiest_patterns_are_shares_among_them(films: Recommender) -> None:
    for place in range(12):
        kind, other = KINDS[place % 4], KINDS[(place + place // 4 + 1) % 4]
        for user in "vwx":
            hours = 100 + 30 * place + 10 * "vwx".index(user)
            watched(films, f"{user}{place}", kind, other, other, hours=hours, first=place)
    films.refresh()
    assert len(films.pool.patterns()) > 5

    weights = [each.weight for each in films.rank("nobody", method="amem4rec").patterns]

    assert len(weights) == 5
    assert sum(weights) == pytest.approx(1.0)
    assert min(weights) > 0


@pytest.mark.parametrize("explain", [True, False])
def test_before_anything_was_known_patterns_alone_say_nothing_and_tell_so(
    films: Recommender, explain: bool
) -> None:
    films.refresh()

    then = films.rank("ann", ITEMS, method="amem4rec", explain=explain, as_of="2000-01-01")
    never = films.rank("nobody", ITEMS, method="amem4rec", explain=explain)

    assert then.patterns == ()
    assert then.cold
    assert {each.score for each in then.items} == {0.0}
    assert {each.rationale for each in then.items} == {NOTHING_THEN}
    assert not any(NOTHING_YET in each.rationale for each in never.items)


def test_without_a_pool_patterns_alone_tell_that_there_is_nothing_yet(films: Recommender) -> None:
    found = films.rank("ann", ITEMS, method="amem4rec")

    assert {each.rationale for each in found.items} == {NOTHING_YET}


def test_who_did_less_than_w_is_served_by_that(films: Recommender) -> None:
    watched(films, "cold", "Horror", hours=70, first=0)
    films.refresh()
    alike = films.pool.retrieve(films.pool.encode([{"id": "Horror0", "rating": 4}]))

    found = films.rank("cold", ITEMS, method="amem4rec").patterns

    assert [(each.id, each.similarity) for each in found] == [
        (each.id, each.similarity) for each in alike
    ]
    assert not any(each.yours for each in found)


def test_the_patterns_are_told_as_evidence(films: Recommender) -> None:
    films.refresh()

    ranking = films.rank("ann", ["Horror5", "Western1"], explain=True)
    told = {each.item: [e for e in each.evidence if e.id] for each in ranking.items}

    patterns = {each.id: each.to_text() for each in ranking.patterns}
    found = [e for e in told["Horror5"] if e.kind == "pattern"]
    assert found
    assert all(e.text == patterns[e.id] for e in found)
    assert all(e.at is not None and e.at == e.at.replace(hour=0) for e in found)
    assert [e for e in told["Western1"] if e.kind == "pattern"] == []
    explained = films.explain("ann", "Horror5")
    assert {e.id for e in found} <= {e.id for e in explained.evidence}


@pytest.mark.parametrize("method", ["amem4rec", "lamina"])
def test_what_many_dislike_is_not_recommended_for_it(films: Recommender, method: Method) -> None:
    """Neither at all by patterns alone, nor as a part of what all that there is says."""
    for place in range(3):
        hours = 80 + 10 * place
        watched(films, f"v{place}", *("Comedy",) * 3, hours=hours, first=place)
        watched(films, f"v{place}", *("Western",) * 3, hours=hours + 4, first=place, rating=1)
    films.refresh()

    ranking = films.rank("v0", ITEMS, method=method, explain=True)

    disliking = {each.id for each in ranking.patterns if each.explanation == DISLIKED}
    assert ranking.patterns[0].id in disliking
    assert ranking.patterns[0].weight > 0.5
    assert disliking.isdisjoint(e.id for each in ranking.items for e in each.evidence)
    western = [each for each in ranking.items if each.item.startswith("Western")]
    assert not any(each.signals.get(name) for each in western for name in CONTENT)


def test_by_patterns_alone_nothing_else_is_told_as_evidence(films: Recommender) -> None:
    films.process()
    films.refresh()

    ranking = films.rank("ann", ITEMS, method="amem4rec", explain=True)

    ids = {each.id for each in ranking.patterns}
    assert {e.id for each in ranking.items for e in each.evidence} <= ids


def test_what_one_user_did_alone_serves_nobody_else(films: Recommender) -> None:
    watched(films, "lone", "Western", "Western", "Comedy", hours=80, first=0)
    watched(films, "cold", "Western", hours=90, first=3)
    films.refresh()

    assert all(each.contributors >= 3 for each in films.rank("cold").patterns)
    assert any(each.yours for each in films.rank("lone").patterns)


def test_a_moment_before_the_pool_was_shared_knows_no_patterns(films: Recommender) -> None:
    films.refresh()

    assert films.rank("ann", as_of=NOON + timedelta(hours=12)).patterns == ()


def test_the_summary_is_ready_for_programs(films: Recommender) -> None:
    films.refresh()

    told = films.rank("ann", ITEMS, method="amem4rec", explain=True, top_k=2).summary()

    assert told["user_id"] == "ann"
    assert {"pattern", "evolution_count"} == set(told["retrieved_memories"][0])
    assert [each["rank"] for each in told["ranked_items"]] == [1, 2]
    assert told["ranked_items"][0]["reason"]


def test_another_method_is_refused(films: Recommender) -> None:
    with pytest.raises(BadInput, match="method must be one of lamina, atomrec, amem4rec"):
        films.rank("ann", method="als")  # type: ignore[arg-type]


def shown(films: Recommender, method: str) -> tuple[str, str]:
    """Return the system text and the prompt of what a model is asked to score."""
    llm = ScriptedLLM(always='{"scores": [{"item_id": 1, "score": 1.0}]}')
    pool = films._engine.pool_stages
    films._engine = replace(
        films._engine, llm=lambda _scope, role, _operation: llm if role == "rank" else None,
        pool_stages=lambda config, _: pool(config, None), amem4rec=AMEM4RecConfig(),
    )  # fmt: skip
    films.rank("ann", ["Horror5", "Western1"], method=method)  # type: ignore[arg-type]
    return llm.requests[-1].system, llm.requests[-1].prompt


def test_a_model_is_shown_the_patterns(films: Recommender) -> None:
    films.refresh()
    system, prompt = shown(films, "lamina")

    assert '"pattern"' in prompt
    assert films.pool.patterns()[0].explanation in prompt
    assert '"pattern" as well' in system


def test_a_model_is_shown_none_without_the_pool(films: Recommender) -> None:
    films.refresh()
    system, prompt = shown(films, "atomrec")

    assert '"pattern"' not in prompt
    assert "pattern" not in system


def test_by_patterns_alone_a_model_is_shown_the_recent_history_besides(
    films: Recommender,
) -> None:
    watched(films, "ann", "Comedy", hours=100, first=5)
    films.refresh()
    _, prompt = shown(films, "amem4rec")

    assert "Film Comedy5" in prompt
    assert "Film Crime4" not in prompt
    assert '"profile"' not in prompt
