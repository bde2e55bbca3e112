import json

import pytest

from lamina.evaluation.datasets import Category, Question
from lamina.evaluation.grading import (
    ANSWER,
    JUDGE,
    Graded,
    Models,
    graded,
    prompt_digests,
    summary,
)
from lamina.ports import Failure, Request
from lamina.testing.scripted import Answer, ScriptedLLM

GONE = Failure(reason="timeout", detail="no answer in 60 s")


def question(id_: str = "q", answer: str = "Oslo", category: Category = "single-hop") -> Question:
    return Question(id=id_, text="Where?", answer=answer, category=category, evidence=("D1:1",))


def graded_by(llm: ScriptedLLM, questions: list[Question], contexts: list[str]) -> list[Graded]:
    return graded(Models(answer=llm, judge=llm), questions, contexts)


def verdict(correct: object) -> str:
    return json.dumps({"correct": correct})


def test_an_answer_is_scored_by_its_words_and_by_the_judge() -> None:
    llm = ScriptedLLM("in Oslo", verdict(True))

    [found] = graded_by(llm, [question()], ["Ann: I live in Oslo."])

    assert found.text == "in Oslo"
    assert found.token_f1 == pytest.approx(2 / 3)
    assert found.correct is True
    assert [request.role for request in llm.requests] == ["answer", "judge"]


def test_the_model_sees_the_context_and_never_the_gold_answer() -> None:
    llm = ScriptedLLM("Rome", verdict(False))

    graded_by(llm, [question(answer="Oslo")], ["Ann: it rains."])

    asked, judged = llm.requests
    assert (asked.system, judged.system) == (ANSWER, JUDGE)
    assert "Ann: it rains." in asked.prompt
    assert "Oslo" not in asked.prompt
    assert "Reference: Oslo" in judged.prompt


def test_an_adversarial_answer_needs_no_judge() -> None:
    llm = ScriptedLLM("Not mentioned in the conversation")

    [found] = graded_by(llm, [question(category="adversarial")], [""])

    assert (found.token_f1, found.correct) == (1.0, None)


def test_without_an_answer_the_score_is_nought_and_told() -> None:
    def script(request: Request) -> Answer:
        return GONE if request.role == "answer" else verdict(True)

    found = summary(graded_by(ScriptedLLM(always=script), [question()], [""]))

    assert found == {"n": 1, "token_f1": 0.0, "unanswered": 1, "judge": None, "judged": 0}


@pytest.mark.parametrize("reply", ["yes", verdict("true"), verdict(1), "{}", GONE])
def test_a_verdict_that_cannot_be_read_is_left_out_not_guessed(reply: Answer) -> None:
    def script(request: Request) -> Answer:
        return "Oslo" if request.role == "answer" else reply

    found = summary(graded_by(ScriptedLLM(always=script), [question()], [""]))

    assert (found["token_f1"], found["judge"], found["judged"]) == (1.0, None, 0)


def test_many_questions_are_answered_in_order_with_progress() -> None:
    def script(request: Request) -> Answer:
        if request.role == "answer":
            return request.prompt.split("\n")[0]
        return verdict("city 3\n" in request.prompt + "\n")

    seen: list[tuple[int, int]] = []
    questions = [question(f"q{i}") for i in range(70)]
    contexts = [f"city {i}" for i in range(70)]

    llm = ScriptedLLM(always=script)
    models = Models(answer=llm, judge=llm)

    found = graded(models, questions, contexts, lambda *done: seen.append(done))

    assert [grade.text for grade in found] == contexts
    assert [grade.question.id for grade in found if grade.correct] == ["q3"]
    assert seen == [(64, 70), (70, 70)]


def test_the_wording_of_the_prompts_is_told_by_digests() -> None:
    assert set(prompt_digests()) == {"answer", "judge"}
    assert all(len(digest) == 12 for digest in prompt_digests().values())


def test_answering_and_judging_may_use_different_models() -> None:
    answering, judging = ScriptedLLM("Oslo"), ScriptedLLM(verdict(True))

    [found] = graded(Models(answer=answering, judge=judging), [question()], [""])

    assert found.correct is True
    assert len(answering.requests) == len(judging.requests) == 1
