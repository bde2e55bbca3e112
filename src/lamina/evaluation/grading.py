"""Answers that a model gives from a context, scored by their words and by a judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from lamina.errors import MalformedReply
from lamina.evaluation.datasets import Question
from lamina.evaluation.wording import token_f1
from lamina.identity import digest
from lamina.models.replies import Parsed, ask
from lamina.models.replies import Question as Asked
from lamina.ports import LLM, Failure, Reply, Request

_FOLDER = files("lamina.evaluation") / "prompts"
ANSWER = (_FOLDER / "answer.md").read_text(encoding="utf-8")
JUDGE = (_FOLDER / "judge.md").read_text(encoding="utf-8")
CEILING = 0.936
"""What a perfect answerer would score: the share of LoCoMo's gold answers that an audit upheld."""

_VERDICT: Mapping[str, Any] = {
    "type": "object",
    "properties": {"correct": {"type": "boolean"}},
    "required": ["correct"],
    "additionalProperties": False,
}
_ANSWER_TOKENS = 256
_VERDICT_TOKENS = 64
_BATCH = 64
"""Questions between two reports of progress; how many run at once is the model's business."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Models:
    """Who answers and who judges."""

    answer: LLM
    judge: LLM


@dataclass(frozen=True, slots=True, kw_only=True)
class Graded:
    """One answer and its scores."""

    question: Question
    text: str | None
    """`None` where the model gave no answer."""
    token_f1: float
    """0 without an answer."""
    correct: bool | None
    """The judge's verdict; `None` where there is none. An adversarial question has no judge."""


def prompt_digests() -> dict[str, str]:
    """Return what tells one wording of the prompts from another."""
    return {"answer": digest(ANSWER)[:12], "judge": digest(JUDGE)[:12]}


def graded(
    models: Models,
    questions: Sequence[Question],
    contexts: Sequence[str],
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> list[Graded]:
    """Answer each question from its context and grade the answers, in order.

    Args:
        models: Who answers and who judges.
        questions: n questions.
        contexts: n texts.
        progress: Told (questions done, n).
    """
    done: list[Graded] = []
    for start in range(0, len(questions), _BATCH):
        part = slice(start, start + _BATCH)
        done += _batch(models, questions[part], contexts[part])
        progress(len(done), len(questions))
    return done


def _batch(models: Models, questions: Sequence[Question], contexts: Sequence[str]) -> list[Graded]:
    requests = [_request(q, context) for q, context in zip(questions, contexts, strict=True)]
    given = models.answer.complete(requests)
    answered = [
        (question, reply)
        for question, reply in zip(questions, given, strict=True)
        if isinstance(reply, Reply) and question.category != "adversarial"
    ]
    verdicts = ask(models.judge, [_judgement(question, reply.text) for question, reply in answered])
    found = {q.id: v for (q, _), v in zip(answered, verdicts, strict=True)}
    return [
        _grade(question, reply, found.get(question.id))
        for question, reply in zip(questions, given, strict=True)
    ]


def _request(question: Question, context: str) -> Request:
    return Request(
        role="answer",
        system=ANSWER,
        prompt=f"{context}\n\nQuestion: {question.text}",
        max_output_tokens=_ANSWER_TOKENS,
    )


def _judgement(question: Question, answer: str) -> Asked[bool]:
    told = f"Question: {question.text}\nReference: {question.answer}\nAnswer: {answer.strip()}"
    return Asked(
        request=Request(
            role="judge",
            system=JUDGE,
            prompt=told,
            schema=_VERDICT,
            max_output_tokens=_VERDICT_TOKENS,
        ),
        parse=_verdict,
    )


def _verdict(value: Mapping[str, Any]) -> bool:
    if not isinstance(value["correct"], bool):
        raise MalformedReply("`correct` must be true or false")
    return value["correct"]


def _grade(
    question: Question, reply: Reply | Failure, verdict: Parsed[bool] | Failure | None
) -> Graded:
    if isinstance(reply, Failure):
        return Graded(question=question, text=None, token_f1=0.0, correct=None)
    text = reply.text.strip()
    return Graded(
        question=question,
        text=text,
        token_f1=token_f1(text, question.answer, question.category),
        correct=verdict.value if isinstance(verdict, Parsed) else None,
    )


def summary(grades: Sequence[Graded]) -> dict[str, Any]:
    """Return the scores of some answers: means over all questions, a missing answer counting 0.

    The judge's score leaves out answers that it gave no verdict on; how many is told.
    """
    verdicts = [grade.correct for grade in grades if grade.correct is not None]
    return {
        "n": len(grades),
        "token_f1": sum(grade.token_f1 for grade in grades) / max(len(grades), 1),
        "unanswered": sum(grade.text is None for grade in grades),
        "judge": sum(verdicts) / len(verdicts) if verdicts else None,
        "judged": len(verdicts),
    }
