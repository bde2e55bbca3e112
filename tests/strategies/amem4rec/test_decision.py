"""What is done with a part, by similarity alone: the table of the paper and that of its code."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lamina.strategies.amem4rec.config import PAPER, AMEM4RecConfig, Taus
from lamina.strategies.amem4rec.decision import (
    Action,
    decide,
    meaning_much,
    narrowed,
    warnings,
)

COSINES = st.lists(
    st.sampled_from([-0.2, 0.0, 0.3, 0.54, 0.55, 0.6, 0.89, 0.9, 0.95, 1.0]), max_size=5
)
CODE = AMEM4RecConfig(table="code")


@pytest.mark.parametrize(
    ("cosines", "action"),
    [
        ([], "store"),
        ([0.54, 0.1], "store"),
        ([0.55], "update and store"),
        ([0.89, 0.89, 0.89], "update and store"),
        ([0.9], "update"),
        ([0.9, 0.91, 0.92, 0.1, 0.1], "update"),
        ([0.9, 0.91, 0.6, 0.1, 0.1], "update and store"),
        ([0.95, 0.6], "update and store"),
        ([0.95, 0.1, 0.1, 0.1, 0.1], "update and store"),
    ],
)
def test_the_table_of_the_paper(cosines: list[float], action: Action) -> None:
    assert decide(cosines, PAPER, AMEM4RecConfig()) == action


def test_one_identical_memory_alone_is_enough_for_nothing_to_be_stored() -> None:
    assert decide([1.0], PAPER, AMEM4RecConfig(k=5)) == "update"


@pytest.mark.parametrize(
    ("cosines", "action"),
    [
        ([0.95, 0.1], "store"),
        ([0.95, 0.95, 0.95, 0.1, 0.1], "update"),
        ([0.95, 0.6, 0.6, 0.1, 0.1], "update and store"),
        ([0.89, 0.1, 0.1], "update and store"),
    ],
)
def test_the_table_of_the_code_stores_what_has_few_kin_beside_one_that_is_the_same(
    cosines: list[float], action: Action
) -> None:
    assert decide(cosines, PAPER, CODE) == action


@settings(deadline=None)
@given(COSINES, st.permutations(range(5)))
def test_the_order_of_what_was_retrieved_does_not_matter(
    cosines: list[float], order: list[int]
) -> None:
    turned = [cosines[i] for i in order if i < len(cosines)]

    assert decide(turned, PAPER, CODE) == decide(cosines, PAPER, CODE)


@settings(deadline=None)
@given(COSINES, st.sampled_from(["seed", "code"]), st.sampled_from([0.2, 0.5, 0.6, 1.0]))
def test_both_tables_are_as_they_are_stated(
    cosines: list[float], table: str, p_high: float
) -> None:
    config = AMEM4RecConfig(table=table, p_high=p_high)  # type: ignore[arg-type]
    rows = [
        (not any(each >= 0.55 for each in cosines), "store"),
        (all(each < 0.9 for each in cosines), "update and store"),
        (sum(each >= 0.9 for each in cosines) >= p_high * len(cosines) - 1e-9, "update"),
        (table == "code" and 2 * sum(c < 0.55 for c in cosines) >= len(cosines), "store"),
        (True, "update and store"),
    ]

    assert decide(cosines, PAPER, config) == next(action for holds, action in rows if holds)


@settings(deadline=None)
@given(COSINES)
def test_without_the_gate_of_similarity_all_that_is_retrieved_is_taken_in(
    cosines: list[float],
) -> None:
    action = decide(cosines, PAPER, AMEM4RecConfig(similarity_gate=False))

    assert action == ("update and store" if cosines else "store")


@settings(deadline=None)
@given(st.floats(-1, 1), st.floats(-1, 1), st.integers(0, 5000))
def test_thresholds_come_nearer_as_a_pool_grows_and_never_cross(
    one: float, other: float, size: int
) -> None:
    low, high = sorted((one, other))

    found, later = narrowed(Taus(low, high), size), narrowed(Taus(low, high), size + 1)

    assert low <= found.low <= later.low <= later.high + 1e-9
    assert later.high <= found.high <= high


def test_thresholds_of_the_paper_end_five_hundredths_nearer() -> None:
    assert narrowed(PAPER, 0) == PAPER
    assert narrowed(PAPER, 500) == pytest.approx((0.575, 0.875))
    assert narrowed(PAPER, 9000) == narrowed(PAPER, 1000) == pytest.approx((0.6, 0.85))


def test_it_is_said_where_thresholds_belong_to_another_encoder() -> None:
    (told,) = warnings(PAPER, "nobody's")

    assert "calibrate" in told


def test_a_high_threshold_that_merges_what_differs_is_told() -> None:
    assert warnings(Taus(0.5, 0.85), "nobody's") == ()

    (told,) = warnings(Taus(0.5, 0.8), "nobody's")

    assert "0.85" in told


def test_what_counts_as_much_alike_lies_between_the_thresholds_as_in_the_paper() -> None:
    assert meaning_much(PAPER) == pytest.approx(0.85)
    assert meaning_much(Taus(0.2, 0.9)) == pytest.approx(0.8)
