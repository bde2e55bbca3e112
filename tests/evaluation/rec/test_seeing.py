from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from lamina.errors import Leak
from lamina.evaluation.rec.graphs import bare, before
from lamina.evaluation.rec.runs import Contest, Plan, classics, run
from lamina.evaluation.rec.scoring import Bench, Entry, Posed, lesson
from lamina.evaluation.rec.seeing import Audited, Unwritten
from lamina.evaluation.rec.sources import Baseline
from lamina.evaluation.rec.splits import Asks, replay
from lamina.ports.graph import Graph
from tests.evaluation.rec.made import log

ONE = log(users=20, items=40, each=10)
SPLIT = replay(ONE, share=0.2, checkpoints=2)


def answers(graph: Graph, *, honest: bool):  # type: ignore[no-untyped-def]
    """Scores every item by how often it was had: before the moment, or ever."""

    def answer(asks: Asks) -> NDArray[np.float32]:
        found = np.zeros((len(asks), len(graph.items)), dtype=np.float32)
        for row in range(len(asks)):
            known = graph.said_at < asks.at[row] if honest else slice(None)
            found[row] = np.bincount(graph.of[known], minlength=len(graph.items))
        return found

    return answer


def audited(*, honest: bool) -> Audited:
    graph = bare(ONE)
    return Audited(
        answer=answers(graph, honest=honest),
        cut_off=lambda moment: answers(before(graph, moment), honest=honest),
        every=1,
    )


def test_a_method_that_reads_beyond_the_moment_fails() -> None:
    with pytest.raises(Leak, match="known later"):
        audited(honest=False)(SPLIT.test[0].asks)


def test_an_honest_method_passes() -> None:
    assert audited(honest=True)(SPLIT.test[0].asks).any()


def test_a_ranker_that_writes_into_memory_fails() -> None:
    memory = ["a note"]
    watch = Unwritten(lambda: list(memory))
    watch.check()

    memory.append("the target was clicked")

    with pytest.raises(Leak, match="wrote into it"):
        watch.check()


def test_a_fold_that_teaches_what_comes_later_is_refused() -> None:
    fold = SPLIT.test[0]
    late = replace(fold, learnt=np.arange(len(ONE.by)))
    bench = Bench(log=ONE, sources=classics().sources)

    with pytest.raises(Leak, match="at its checkpoint"):
        bench.measured([Posed(fold=late, sets=())], [], {})


def test_no_method_is_given_an_answer() -> None:
    asked: list[Asks] = []

    def spy(shown):  # type: ignore[no-untyped-def]
        def scorer(asks: Asks) -> NDArray[np.float32]:
            asked.append(asks)
            return np.zeros((len(asks), shown.items), dtype=np.float32)

        return scorer

    plan = Plan(candidates=("all",), share=0.2, checkpoints=2, draws=10)
    contest = Contest(
        sources=(Baseline("spy", spy),), entries=(Entry(name="spy", columns=("spy",)),)
    )

    report = run(ONE, plan, contest)

    assert report.methods["all"]["spy"]["n"] == sum(len(one) for one in asked)
    told = {(int(u), int(i)) for one in asked for n in range(len(one))
            for u in [one.users[n]] for i in one.history(n)}  # fmt: skip
    last = [(int(ONE.by[row]), int(ONE.of[row])) for row in SPLIT.test[-1].rows[-1:]]
    assert not told & set(last)


def test_what_is_learnt_lies_before_all_questions_of_a_fold() -> None:
    for fold in (*SPLIT.validation, *SPLIT.test):
        assert lesson(ONE, fold, 0).at.max() < fold.asks.at.min()
