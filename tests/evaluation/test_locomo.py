import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lamina.errors import BadInput, FormatError
from lamina.evaluation import metrics
from lamina.evaluation.datasets import SCORED, read
from lamina.evaluation.fitting import equal
from lamina.evaluation.locomo import Plan, run
from lamina.evaluation.recalling import Recalled, recalled
from lamina.evaluation.reports import Report, table
from lamina.evaluation.storing import Stored, stored
from lamina.ports import Encoder, Failure, Request
from lamina.recall.fusion import NAMES
from lamina.settings import Settings
from lamina.testing.scripted import Answer, ScriptedLLM
from tests.evaluation import invented

KS = (1, 3, 5)


def silent(_what: str, _done: int, _known: int) -> None:
    pass


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return invented.write(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def report(file: Path, encoder: Encoder) -> Report:
    return run(file, Plan(ks=KS), encoder=encoder, settings=Settings())


@pytest.fixture(scope="module")
def bench(file: Path, encoder: Encoder) -> Iterator[Stored]:
    with stored(read(file), silent, encoder=encoder, llm=None, settings=Settings()) as bench:
        yield bench


@pytest.fixture(scope="module")
def found(file: Path, bench: Stored) -> Recalled:
    return recalled(bench.engine, bench.scopes[0], read(file)[0].questions)


def test_the_report_is_json_of_the_documented_form(report: Report) -> None:
    told = json.loads(json.dumps(report.to_dict()))

    assert {
        "protocol", "variant", "overall", "by_category", "adversarial", "structure",
        "latency_ms", "cost", "comparators", "answers",
    } == set(told)  # fmt: skip
    assert {"n", "recall@1", "recall@3", "recall@5", "all@3", "session_hit@3"} <= set(
        told["overall"]
    )
    assert set(told["cost"]) == {"calls", "input_tokens", "output_tokens", "turns", "seconds"}
    assert set(told["by_category"]) == set(SCORED)
    assert {"bm25", "dense", "hybrid", "full_context"} == set(told["comparators"])
    assert {"encode", "signals", "fuse", "build", "total"} <= set(told["latency_ms"])


def test_every_share_is_between_nought_and_one(report: Report) -> None:
    groups = [report.overall, *report.by_category.values(), *report.comparators.values()]

    shares = [value for group in groups for name, value in group.items() if "@" in name]

    assert shares
    assert all(0.0 <= share <= 1.0 for share in shares)


def test_the_evidence_of_plain_questions_is_found(report: Report) -> None:
    assert report.overall["recall@5"] > 0.75
    assert report.overall["recall@1"] <= report.overall["recall@3"] <= report.overall["recall@5"]


def test_adversarial_questions_stand_apart(report: Report) -> None:
    assert report.adversarial["n"] == 1
    assert sum(share["n"] for share in report.by_category.values()) == report.overall["n"]
    assert "adversarial" not in report.by_category


def test_questions_without_usable_evidence_are_left_out_and_counted(report: Report) -> None:
    assert report.protocol["questions"] == {
        "all": 14,
        "adversarial": 1,
        "left_out_without_evidence": 1,
        "corrected": 0,
        "evidence_repaired": 3,
        "evidence_ids_left_out": 2,
    }
    assert report.overall["n"] == 14 - 1 - 1


def test_one_run_compares_the_variants_on_the_same_questions(
    report: Report, file: Path, encoder: Encoder
) -> None:
    flat = run(file, Plan(ks=KS, variant="flat"), encoder=encoder, settings=Settings())

    gain = report.structure["full_minus_flat"]["overall"]["recall@5"]
    assert gain.mean == pytest.approx(report.overall["recall@5"] - flat.overall["recall@5"])
    assert gain.low <= gain.mean <= gain.high
    assert set(report.structure["full_minus_flat"]) == {"overall", *SCORED}


def test_without_a_model_there_are_no_answers_and_the_report_says_so(report: Report) -> None:
    assert report.answers == {}
    assert report.protocol["answers"] == "none: no language model is configured"
    assert report.cost.calls == 0


def test_the_weights_of_a_conversation_come_from_the_others(report: Report) -> None:
    used = report.protocol["weights_used"]

    assert set(used) == set(invented.TALKS)
    assert "fitted on all the others" in report.protocol["weights"]


def test_a_lone_conversation_has_equal_weights(file: Path, encoder: Encoder) -> None:
    alone = run(file, Plan(ks=KS, conversations=1), encoder=encoder, settings=Settings())

    assert set(alone.protocol["weights_used"]["ann-and-bo"].values()) == {1.0}
    assert alone.protocol["weights"].startswith("equal")


def test_the_whole_conversation_is_longer_than_a_context(report: Report) -> None:
    assert report.comparators["full_context"]["context_tokens"] > 0
    assert report.overall["context_tokens"] > 0


def test_corrections_replace_evidence(file: Path, encoder: Encoder, tmp_path: Path) -> None:
    corrections = tmp_path / "corrections.json"
    rows = [
        {"question_id": f"locomo_0_qa{i}", "correct_answer": "", "correct_evidence": ["D1:1"]}
        for i in range(8)
    ]
    corrections.write_text(json.dumps(rows))

    plan = Plan(ks=KS, conversations=1, corrections=corrections)
    spoilt = run(file, plan, encoder=encoder, settings=Settings())

    assert spoilt.protocol["corrections"] == "corrections.json"
    assert spoilt.protocol["questions"]["corrected"] == 8
    assert spoilt.protocol["questions"]["left_out_without_evidence"] == 0
    assert spoilt.overall["recall@1"] < 0.5


def test_gold_that_is_shuffled_is_found_no_better_than_by_chance(found: Recalled) -> None:
    signals = found.of("full")
    fused = signals.fused(equal(signals))
    turns = fused.shape[1]
    rng = np.random.default_rng(0)

    def recall(evidence: list[list[int]]) -> float:
        place = metrics.standing(fused, metrics.gold(evidence))
        return float(metrics.recall_at(place, 5).mean())

    true = [signals.gold.items[signals.gold.rows == q].tolist() for q in range(len(fused))]
    shuffled = [
        recall([rng.permutation(turns)[: len(e)].tolist() for e in true]) for _ in range(200)
    ]

    assert np.mean(shuffled) == pytest.approx(5 / turns, abs=0.03)
    assert recall(true) > 0.75


def test_the_signals_are_those_that_search_adds_up(found: Recalled, bench: Stored) -> None:
    handle = bench.memory.conversation(found.scope.id)
    question = found.questions[0].text

    best, *_ = handle.search(question, kinds=["message"], explain=True, asked_at=found.asked_at)

    weights = bench.engine.weights.of(NAMES)
    relevance = np.tensordot(weights, found.values, axes=1)[0]
    assert best.relevance == pytest.approx(float(relevance.max()), abs=1e-4)


def test_the_table_shows_each_method_and_how_it_was_measured(report: Report) -> None:
    shown = table(report)

    for words in ("full", "multi-hop", "bm25", "hybrid", "full minus flat", "p95", "model calls"):
        assert words in shown


@pytest.mark.parametrize(
    "plan",
    [Plan(ks=()), Plan(ks=(0,)), Plan(conversations=0), Plan(variant="graph")],  # type: ignore[arg-type]
)
def test_a_plan_that_cannot_be_run_is_refused_before_anything_is_read(plan: Plan) -> None:
    with pytest.raises(BadInput):
        run("absent.json", plan)


def test_a_file_without_evidence_says_so(tmp_path: Path) -> None:
    path = tmp_path / "silent.json"
    path.write_text(json.dumps([{**invented.sample("ann-and-bo"), "qa": []}]))

    with pytest.raises(FormatError, match="no question in it names a turn"):
        run(path, settings=Settings())


def scripted(request: Request) -> Answer:
    if request.role == "judge":
        return json.dumps({"correct": "Answer: Hamburg" in request.prompt})
    if request.role == "answer":
        return "Hamburg" if "marathon" in request.prompt else "Not mentioned in the conversation"
    return Failure(reason="server", detail="out of order")


def test_with_a_model_questions_are_answered_and_judged(file: Path, encoder: Encoder) -> None:
    llm = ScriptedLLM(always=scripted)
    plan = Plan(ks=KS, max_tokens=200, full_context=True)

    report = run(file, plan, encoder=encoder, llm=llm, settings=Settings())

    told = report.answers
    memory: Mapping[str, Any] = told["memory"]
    assert memory["overall"]["n"] == 13
    assert memory["overall"]["unanswered"] == 0
    assert 0.0 < memory["overall"]["judge"] < 1.0
    assert memory["adversarial"]["token_f1"] == 1.0
    assert memory["context_tokens"] <= 200 < told["full_context"]["context_tokens"]
    assert told["models"] == {"answer": "scripted", "judge": "scripted"}
    assert told["ceiling"] == 0.936
    answered = [request for request in llm.requests if request.role != "memory"]
    assert told["cost"]["calls"] == len(answered)
    assert "93.6%" in table(report)
    assert "answers from full context" in table(report)


def test_a_model_that_fails_leaves_recall_and_is_told(file: Path, encoder: Encoder) -> None:
    llm = ScriptedLLM(always=Failure(reason="server", detail="out of order"))

    told = run(file, Plan(ks=KS), encoder=encoder, llm=llm, settings=Settings())

    assert told.overall["recall@5"] > 0.5
    assert told.answers["memory"]["overall"]["unanswered"] == 13
    assert told.answers["memory"]["overall"]["judge"] is None


@pytest.mark.data
@pytest.mark.timeout(600)
def test_recall_on_real_conversations_beats_bm25(encoder: Encoder) -> None:
    path = Path(os.environ.get("LAMINA_DATA", "../shared/data")) / "locomo" / "locomo-dev.json"
    if not path.exists():
        pytest.skip(f"there is no {path}; LAMINA_DATA names the folder with the data")

    told = run(path, Plan(conversations=1), encoder=encoder, settings=Settings())

    assert told.overall["n"] == 150
    assert told.protocol["questions"]["left_out_without_evidence"] == 2
    assert told.overall["recall@10"] > told.comparators["hybrid"]["recall@10"]
    assert told.comparators["hybrid"]["recall@10"] > told.comparators["bm25"]["recall@10"]
