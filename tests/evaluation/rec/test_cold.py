from dataclasses import replace
from pathlib import Path

import pytest

from lamina.errors import BadInput
from lamina.evaluation.rec.cold import each_length
from lamina.evaluation.rec.reports import lines
from lamina.evaluation.rec.runs import Plan, run
from tests.evaluation.rec.made import log

PLAN = Plan(
    protocol="leave-last-out", candidates=(5,), cold=(1, 3), drawings=1, draws=10,
    methods=("item-knn", "popularity"),
)  # fmt: skip


def test_each_length_of_history_is_told_apart_as_it_would_be_alone() -> None:
    one = log(users=20, items=40)

    both = each_length(PLAN, lambda plan: run(one, plan))
    alone = run(one, replace(PLAN, cold=(3,)))

    assert list(both.methods) == ["uniform-5, last 1", "uniform-5, last 3"]
    assert both.methods["uniform-5, last 3"] == alone.methods["uniform-5"]
    assert both.protocol["histories_cut_to"] == [1, 3]
    assert set(both.protocol["best_baseline"]) == set(both.methods)
    assert "only the last 1, 3 before the target" in "\n".join(lines(both))


def test_without_a_cut_a_report_stays_as_it_is() -> None:
    one = log(users=20, items=40)
    plan = replace(PLAN, cold=())

    assert each_length(plan, lambda plan: run(one, plan)).methods == run(one, plan).methods


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"protocol": "replay"}, "leave-last-out alone"),
        ({"cold": (0,)}, "at least the last"),
        ({"candidates_out": Path("candidates.jsonl")}, "one length"),
    ],
)
def test_cuts_that_cannot_be_run_are_refused(wrong: dict[str, object], why: str) -> None:
    with pytest.raises(BadInput, match=why):
        replace(PLAN, **wrong)  # type: ignore[arg-type]
