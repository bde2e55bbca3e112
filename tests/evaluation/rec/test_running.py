import json
from dataclasses import replace
from pathlib import Path

import pytest

from lamina.evaluation.rec import running
from lamina.evaluation.rec.reports import lines
from lamina.evaluation.rec.runs import Plan
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
    assert {("lamina", "null"), ("lamina", "shuffled"), ("blend+memory", "blend")} <= pairs
    assert "memory: interactions 72" in "\n".join(lines(report))


def test_leaving_the_last_out_works_on_the_same_memory(data: Path) -> None:
    plan = replace(PLAN, protocol="leave-last-out", methods=("lamina",))

    report = running.run(
        running.Wanted(plan=plan, data=data), settings=Settings.read({}), encoder=WordEncoder()
    )

    assert list(report.methods["uniform-10"]) == ["lamina"]
    assert report.protocol["leaky"] is True


def test_replies_that_cannot_be_read_are_shown_both_ways(data: Path) -> None:
    wanted = running.Wanted(plan=PLAN, data=data)
    llm = ScriptedLLM(always="no JSON at all")

    report = running.run(wanted, settings=Settings.read({}), encoder=WordEncoder(), llm=llm)

    figures = report.methods["uniform-10"]
    assert report.protocol["model"]["discarded"] == report.protocol["model"]["rankings"] > 0
    assert figures["model, discarded = miss"]["H@10"] == 0.0
    assert figures["model"]["H@10"] == 1.0
    assert report.memory["per_1000_interactions"]["calls"] > 0
