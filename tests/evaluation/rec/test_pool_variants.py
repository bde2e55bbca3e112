from dataclasses import replace

import pytest

from lamina.evaluation.rec.pool_tables import tables
from lamina.evaluation.rec.pool_variants import (
    FULL,
    Grounds,
    Variant,
    ablations,
    of_users,
    orders,
    run,
    sensitivity,
    spread,
)
from lamina.evaluation.rec.reports import grid
from lamina.evaluation.rec.runs import Plan
from lamina.strategies.amem4rec.config import AMEM4RecConfig, Taus
from tests.evaluation.rec.made_pools import LOG, catalogue, graph, making

PLAN = Plan(candidates=(10,), share=0.2, checkpoints=2, drawings=1, draws=10)
GROUNDS = Grounds(making=making(), graph=graph(), catalogue=catalogue())


def test_without_evolution_nothing_evolves_and_a_second_pass_is_told_apart() -> None:
    found = run(GROUNDS, PLAN, ablations())["uniform-10"]

    assert list(found) == [FULL, *(variant.name for variant in ablations())]
    assert found["no evolution"]["passes"][0]["patterns"] >= found[FULL]["passes"][0]["patterns"]
    assert len(found["second pass"]["passes"]) == 2
    assert found["second pass"]["passes"][0] == found[FULL]["passes"][0]
    assert (found[FULL]["lost"], found[FULL]["doubts"]) == (0.0, [])
    assert found["no evolution"]["lost"] == pytest.approx(
        found[FULL]["N@5"] - found["no evolution"]["N@5"]
    )


def test_numbers_of_looking_up_are_varied_on_the_same_pool() -> None:
    variant = Variant(name="k_mem 1", retrieving={"k_mem": 1})

    found = run(GROUNDS, PLAN, (variant,))["uniform-10"]

    assert found["k_mem 1"]["passes"] == found[FULL]["passes"]


def test_thresholds_are_moved_to_both_sides_and_stay_in_order() -> None:
    found = {each.name: each.config for each in sensitivity(Taus(0.9, 0.98))}

    assert found["tau_low 0.85"].tau_low == 0.85
    assert found["tau_low 0.95"].tau_low == 0.95
    assert found["tau_high 0.93"].tau_high == 0.93
    assert found["tau_high 1.00"].tau_high == 1.0
    assert {"w 2", "w 5", "k 3", "k 10", "k_mem 1", "k_mem 10", "half life 30"} <= found.keys()


def test_five_orders_have_a_mean_and_a_spread() -> None:
    found = run(GROUNDS, PLAN, orders())

    told = spread(found)["uniform-10"]

    values = [of["N@5"] for of in found["uniform-10"].values()]
    assert told["orders"] == 5
    assert told["mean"] == pytest.approx(sum(values) / 5)
    assert told["least"] == min(values)
    assert told["greatest"] == max(values)


def test_users_are_reported_apart_by_group() -> None:
    half = frozenset(LOG.users[:6])

    found = run(GROUNDS, PLAN, (), groups={"some": half})

    assert list(found) == ["uniform-10", "uniform-10, some"]
    assert found["uniform-10, some"][FULL]["n"] < found["uniform-10"][FULL]["n"]


def test_nobody_but_some_users_did_anything_there() -> None:
    few = LOG.by < 4
    some = replace(
        LOG, users=LOG.users[:4], by=LOG.by[few], of=LOG.of[few], at=LOG.at[few],
        ratings=LOG.ratings[few],
    )  # fmt: skip

    grounds = of_users(making(some), graph(), catalogue())

    assert {grounds.graph.users[by] for by in grounds.graph.by} == set(LOG.users[:4])
    assert len(grounds.graph.by) == few.sum()


def test_what_was_found_is_told_in_tables() -> None:
    found = run(GROUNDS, PLAN, (Variant(name="twice", passes=2),))
    told = {
        "variants": found,
        "orders": spread(found),
        "least": 3,
        "contamination": [
            {
                "users": 1, "patterns": 2, "others": 0.0, "alike": 0.5,
                "words": 3, "words_others": 0.25, "words_alike": 1.0,
            }
        ],
    }  # fmt: skip

    found["uniform-10"]["twice"]["doubts"] = ["25 of 30 were refused"]
    first, doubts, second, third = (list(grid(rows)) for rows in tables(told))

    assert [row.split()[0] for row in first[1:3]] == ["full", "twice"]
    assert len(first) == 4
    assert [row.split(maxsplit=1) for row in doubts[1:]] == [["twice", "25 of 30 were refused"]]
    assert "uniform-10" in second[1]
    assert third[1].split() == ["1", "2", "0.0%", "50.0%", "3", "25.0%", "100.0%"]


def test_the_full_method_is_everybodys() -> None:
    assert Variant(name=FULL).config == AMEM4RecConfig()
