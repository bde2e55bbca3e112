"""Taking a part in: both gates agree before anything is linked, and nothing is lost."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lamina.ports import Failure
from lamina.strategies.amem4rec.config import PAPER, AMEM4RecConfig
from lamina.strategies.amem4rec.forming import Formed, Part, form
from lamina.strategies.amem4rec.patterns import Patterns
from lamina.strategies.amem4rec.stages import Judging, Linked
from tests.strategies.amem4rec.made_patterns import (
    Judge,
    Judged,
    agreeing,
    judging,
    leaving,
    pool,
    said,
    unit,
)

PART = Part(id="part", user="ann", said=said("likes heists"), names=("Heat (1995)", "ann"))
COSINES = st.lists(st.sampled_from([0.1, 0.5, 0.6, 0.8, 0.92, 0.97]), max_size=7)
PLAIN = AMEM4RecConfig()


def formed(
    patterns: Patterns, stages: Judged | None = None, exclude: tuple[str, ...] = (), **given: Any
) -> Formed:
    config = replace(PLAIN, **given)
    return form(PART, unit(1, 0), patterns, stages or judging(), config, PAPER, exclude)


def refusing(_: Judging) -> tuple[Linked, ...]:
    return ()


def linking(*ids: str, explanation: str = "likes heists") -> Judge:
    merged = said(explanation)
    return lambda _: tuple(Linked(id=id_, reason="same", merged=merged) for id_ in ids)


def ids(found: Formed) -> list[str]:
    return [each.id for each in found.linked]


def test_where_nothing_is_near_a_part_is_stored_and_nobody_is_asked() -> None:
    stages = judging()

    found = formed(pool([0.5, 0.2]), stages)

    assert (found.action, found.stores, found.linked) == ("store", True, ())
    assert [id_ for id_, _ in found.near] == ["p0", "p1"]
    assert stages.asked == []


def test_what_says_the_same_takes_a_part_in_and_it_is_not_stored() -> None:
    found = formed(pool([0.95, 0.92]))

    assert (found.action, found.stores, found.evolves) == ("update", False, True)
    assert ids(found) == ["p0", "p1"]
    assert {each.merged for each in found.linked} == {PART.said}


def test_what_is_near_takes_a_part_in_and_it_is_stored_as_well() -> None:
    found = formed(pool([0.8, 0.6, 0.5]), judging(leaving))

    assert (found.action, found.stores, ids(found)) == ("update and store", True, ["p0", "p1"])


@pytest.mark.parametrize("explanation", ["likes heists", "says p0"])
def test_what_a_pattern_that_takes_it_in_says_is_not_stored_beside_it(explanation: str) -> None:
    part = replace(PART, said=said(explanation, keywords=("other",)))
    near = pool([0.8, 0.7])

    def found(**given: Any) -> Formed:
        stages = judging(linking("p0"))
        return form(part, unit(1, 0), near, stages, replace(PLAIN, **given), PAPER)

    assert (found().action, found().stores, ids(found())) == ("update and store", False, ["p0"])
    assert found(evolves=False).stores


def test_what_a_pattern_says_that_is_not_linked_is_stored_beside_it() -> None:
    part = replace(PART, said=said("says p1"))

    found = form(part, unit(1, 0), pool([0.8, 0.7]), judging(linking("p0")), PLAIN, PAPER)

    assert (ids(found), found.stores) == (["p0"], True)


def test_only_what_passes_the_gate_of_similarity_is_judged() -> None:
    stages = judging()

    formed(pool([0.8, 0.55, 0.54]), stages)

    (asked,) = stages.asked
    assert [each.pattern.id for each in asked.candidates] == ["p0", "p1"]
    assert asked.names == PART.names


def test_an_update_that_is_refused_stores() -> None:
    found = formed(pool([0.95]), judging(refusing))

    assert (found.action, found.stores, found.linked, found.refused) == ("update", True, (), 1)


@pytest.mark.parametrize("reason", ["malformed", "refused"])
def test_an_update_whose_judgement_cannot_be_used_stores(reason: Any) -> None:
    found = formed(pool([0.95]), judging(lambda _: Failure(reason=reason, detail="")))

    assert (found.stores, found.linked, found.failure) == (True, (), None)


@pytest.mark.parametrize("reason", ["timeout", "rate_limit", "server", "connection", "budget"])
def test_a_failure_that_may_pass_leaves_the_part_waiting(reason: Any) -> None:
    failure = Failure(reason=reason, detail="")

    found = formed(pool([0.95, 0.7]), judging(lambda _: failure))

    assert (found.stores, found.linked, found.failure) == (False, (), failure)


def test_ids_that_were_not_shown_or_are_told_twice_are_dropped() -> None:
    found = formed(pool([0.95, 0.7, 0.2]), judging(linking("p2", "p1", "nowhere", "p1")))

    assert (ids(found), found.refused) == (["p1"], 1)


def test_links_are_told_most_similar_first_whatever_the_reply() -> None:
    assert ids(formed(pool([0.8, 0.9, 0.7]), judging(linking("p2", "p0", "p1")))) == [
        "p1",
        "p0",
        "p2",
    ]


def test_a_merged_text_that_names_an_item_is_no_link() -> None:
    told = judging(linking("p0", explanation="saw Heat and liked it"))

    found = formed(pool([0.95]), told)

    assert (found.linked, found.stores, found.refused) == ((), True, 1)


def test_settled_words_stay_and_the_count_goes_on() -> None:
    stages = judging(linking("p0", "p1"))

    found = formed(pool([0.95, 0.94], counts=[10, 9]), stages)

    assert [each.weight for each in stages.asked[0].candidates] == [0.0, pytest.approx(0.28)]
    assert [each.merged for each in found.linked] == [None, PART.said]


def test_a_merged_text_that_says_what_was_said_changes_nothing() -> None:
    found = formed(pool([0.95]), judging(linking("p0", explanation="says p0")))

    assert [each.merged for each in found.linked] == [None]


def test_a_part_never_evolves_what_it_supports() -> None:
    found = formed(pool([0.95, 0.7]), exclude=("p0",))

    assert (ids(found), found.action) == (["p1"], "update and store")


def test_without_the_gate_of_similarity_all_that_is_retrieved_is_judged() -> None:
    found = formed(pool([0.95, 0.4, -0.2]), judging(leaving), similarity_gate=False)

    assert (ids(found), found.stores) == (["p0", "p1", "p2"], True)


def test_without_the_gate_of_meaning_nobody_is_asked() -> None:
    stages = judging(refusing)

    found = formed(pool([0.95, 0.6, 0.5]), stages, semantic_gate=False)

    assert ids(found) == ["p0", "p1"]
    assert stages.asked == []
    assert found.linked[0].merged is not None
    assert "likes heists" in found.linked[0].merged.explanation


def test_where_patterns_do_not_evolve_links_are_made_and_the_part_is_stored() -> None:
    found = formed(pool([0.95]), evolves=False)

    assert (found.stores, found.evolves, ids(found)) == (True, False, ["p0"])
    assert [each.merged for each in found.linked] == [None]


def test_thresholds_come_nearer_where_that_is_asked_for() -> None:
    many = [0.88] + [0.0] * 999

    assert formed(pool(many), k=1).action == "update and store"
    assert formed(pool(many), k=1, narrows=True).action == "update"


VERDICTS = st.sampled_from(
    [agreeing, refusing, linking("p0"), linking("p1", "p3"), linking("p0", explanation="Heat")]
)


@settings(deadline=None)
@given(
    COSINES, VERDICTS, st.integers(1, 5), st.booleans(), st.booleans(), st.booleans(),
    st.sampled_from(["seed", "code"]),
)  # fmt: skip
def test_a_part_is_stored_or_taken_in_whatever_is_judged(
    cosines: list[float],
    judge: Judge,
    k: int,
    by_similarity: bool,
    by_meaning: bool,
    evolves: bool,
    table: str,
) -> None:
    found = formed(
        pool(cosines), judging(judge), k=k, similarity_gate=by_similarity,
        semantic_gate=by_meaning, evolves=evolves, table=table,
    )  # fmt: skip

    assert found.stores or (found.evolves and found.linked)
    assert len(found.linked) + found.refused <= len(found.near) == min(k, len(cosines))
    assert {*ids(found)} <= {id_ for id_, _ in found.near}
    if by_similarity:
        assert all(cosine >= PAPER.low for id_, cosine in found.near if id_ in ids(found))
