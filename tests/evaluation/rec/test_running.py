import json
from dataclasses import replace
from pathlib import Path

import pytest

from lamina.evaluation.rec import pool_analyses, running
from lamina.evaluation.rec.reports import lines
from lamina.evaluation.rec.runs import Plan
from lamina.evaluation.rec.sources import BASELINES
from lamina.ports import Reply
from lamina.ranking.shared import CONTENT, NAMES
from lamina.settings import Settings
from lamina.testing import ScriptedLLM, WordEncoder

PLAN = Plan(candidates=(10,), share=0.2, checkpoints=1, questions=10, drawings=1, draws=20)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ml")
    films = [f"{n},Film {n} ({1990 + n % 9}),{'Drama' if n % 2 else 'Comedy'}" for n in range(40)]
    (folder / "movies.csv").write_text("movieId,title,genres\n" + "\n".join(films) + "\n")
    rows = [
        f"{user},{(user * 7 + n * (3 + user % 2)) % 40},{1 + n % 5},{1000 + 100 * n + user}"
        for user in range(8)
        for n in range(9)
    ]
    (folder / "ratings.csv").write_text("userId,movieId,rating,timestamp\n" + "\n".join(rows))
    return folder


def test_memory_is_told_beside_what_is_none(data: Path) -> None:
    wanted = running.Wanted(plan=PLAN, data=data)

    report = running.run(wanted, settings=Settings.read({}), encoder=WordEncoder())

    told = json.loads(json.dumps(report.to_dict()))
    assert {"lamina", "lamina-shipped", "blend", "blend+memory", "null", "shuffled", "filler"} <= (
        told["methods"].keys()
    )
    assert told["memory"]["notes"]["user_note"] == told["memory"]["interactions"] == 72
    pairs = {(one["a"], one["b"]) for one in told["comparisons"]}
    assert {("lamina", "null"), ("lamina", "shuffled"), ("lamina", "filler")} <= pairs
    assert {("lamina", "best baseline"), ("lamina", "history"), ("blend+memory", "blend")} <= pairs
    text = "\n".join(lines(report))
    assert "memory: interactions 72" in text
    assert "lamina without notes, links, descriptions' vectors and patterns" in text


def test_what_users_share_is_told_alone_with_memory_and_beside_what_is_none(data: Path) -> None:
    wanted = running.Wanted(plan=PLAN, data=data)

    report = running.run(wanted, settings=Settings.read({}), encoder=WordEncoder())

    rows = report.methods["uniform-10"]
    assert {"lamina", "atoms", "amem4rec", "null pool", "shuffled pool"} <= rows.keys()
    pairs = {(one.a, one.b) for one in report.comparisons}
    assert {
        ("amem4rec", "null pool"), ("amem4rec", "shuffled pool"), ("lamina", "atoms"),
        ("lamina", "popularity"), ("lamina", "tf-idf"), ("lamina", "item-knn"),
    } <= pairs  # fmt: skip
    weights = report.protocol["weights"]
    added = weights["lamina"]["uniform-10"].keys() - weights["atoms"]["uniform-10"].keys()
    assert added == {f"amem4rec:{name}" for name in NAMES}
    assert weights["amem4rec"]["uniform-10"].keys() == {f"amem4rec:{name}" for name in CONTENT}
    assert not {"null pool", "shuffled pool", "null"} & weights.keys()


def test_without_a_pool_lamina_is_what_atoms_are(data: Path) -> None:
    with_pool, without = (
        running.run(
            running.Wanted(plan=PLAN, data=data, pool=pool),
            settings=Settings.read({}),
            encoder=WordEncoder(),
        ).methods["uniform-10"]
        for pool in (True, False)
    )

    assert "atoms" not in without
    assert without["lamina"] == with_pool["atoms"]


def test_pools_are_analysed_for_some_users(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for many in ("sensitivity", "orders"):
        monkeypatch.setattr(pool_analyses, many, lambda *_: ())
    wanted = running.Wanted(plan=replace(PLAN, users=6), data=data, pool_analyses=True)

    report = running.run(wanted, settings=Settings.read({}), encoder=WordEncoder())

    told = json.loads(json.dumps(report.to_dict()))["pool"]
    assert told["users"] == 6
    assert {"full", "no evolution", "second pass"} <= told["variants"]["uniform-10"].keys()
    assert [one["users"] for one in told["contamination"]] == [1, 2, 3, 4]
    assert "table of the code" in "\n".join(lines(report))


def test_the_best_method_without_memory_is_what_memory_is_held_against(data: Path) -> None:
    report = running.run(
        running.Wanted(plan=PLAN, data=data), settings=Settings.read({}), encoder=WordEncoder()
    )

    figures, best = report.methods["uniform-10"], report.protocol["best_baseline"]["uniform-10"]
    assert figures[best]["N@5"] == max(figures[name]["N@5"] for name in BASELINES)
    told = {(one.b, one.metric): one for one in report.comparisons if one.a == "lamina"}
    for metric in ("H@1", "N@5"):
        against = told["best baseline", metric]
        assert against.difference == pytest.approx(
            figures["lamina"][metric] - figures[best][metric]
        )


def test_several_ways_of_drawing_fit_into_one_run(data: Path) -> None:
    plan = replace(PLAN, candidates=(("uniform", 5), ("popularity", 6), "all"))

    report = running.run(
        running.Wanted(plan=plan, data=data, memory=False), settings=Settings.read({})
    )

    assert list(report.methods) == ["uniform-5", "popularity-6", "all"]
    assert report.protocol["candidates"] == ["uniform-5", "popularity-6", "all"]


def test_leaving_the_last_out_works_on_the_same_memory(data: Path) -> None:
    plan = replace(PLAN, protocol="leave-last-out", methods=("lamina",))

    report = running.run(
        running.Wanted(plan=plan, data=data), settings=Settings.read({}), encoder=WordEncoder()
    )

    assert list(report.methods["uniform-10"]) == ["lamina"]
    assert report.protocol["leaky"] is True
    validation, test = report.protocol["validation"], report.protocol["test"]
    assert validation["last_but_one_of_their_user"] == validation["questions"] == 8
    assert test["last_but_one_of_their_user"] == 0


def test_when_a_replay_fits_and_asks_is_told(data: Path) -> None:
    wanted = running.Wanted(plan=PLAN, data=data, memory=False)

    report = running.run(wanted, settings=Settings.read({}))

    validation, test = report.protocol["validation"], report.protocol["test"]
    assert validation["from"] <= validation["to"] < test["from"] <= test["to"]
    assert f"{test['questions']} questions of {test['users']} users" in "\n".join(lines(report))


def test_replies_that_cannot_be_read_are_shown_both_ways(data: Path) -> None:
    wanted = running.Wanted(plan=PLAN, data=data)
    reply = Reply(
        text="no JSON at all", model="dear", input_tokens=9, output_tokens=4, cost_usd=0.5
    )
    llm = ScriptedLLM(always=lambda _request: reply)

    report = running.run(wanted, settings=Settings.read({}), encoder=WordEncoder(), llm=llm)

    figures = report.methods["uniform-10"]
    assert report.protocol["model"]["discarded"] == report.protocol["model"]["rankings"] > 0
    assert figures["model, discarded = miss"]["H@10"] == 0.0
    assert figures["model"]["H@10"] == 1.0
    assert report.memory["per_1000_interactions"]["calls"] > 0
    for what in ("per_1000_interactions", "per_1000_rankings"):
        cost = report.memory[what]
        assert 0 < cost["cost_usd"] == pytest.approx(cost["calls"] / 2)
        assert cost["input_tokens"] == pytest.approx(9 * cost["calls"])
